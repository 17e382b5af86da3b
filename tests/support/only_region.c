/* SPDX-License-Identifier: MIT */
#include "support/only_region.h"

#include "support/test.h"

prfdata_known *only_region_attach(const char *service,
                                  const prfdata_registered_versions *registered, uint64_t *bytes)
{
    prfdata_os_directory *directory;
    prfdata_attached_writer answer;
    prfdata_attached_found found;
    prfdata_attached *attached;
    prfdata_known *known;
    uint64_t structure = 0;
    prfdata_os_name name;
    size_t names;
    bool more;

    assert_int_equal(prfdata_os_directory_open(service, &directory), ERROR_SUCCESS);
    assert_int_equal(
        prfdata_os_directory_list(directory, prfdata_os_boot(), &name, 1, &names, &more), 0);
    assert_int_equal(names, 1);
    attached = prfdata_attached_make(directory, &name, registered, prfdata_os_boot(), 1 << 30,
                                     bytes, &found);
    assert_non_null(attached);
    answer = prfdata_attached_ask(attached, directory, &structure);
    known = prfdata_known_learn(NULL, attached, answer, structure);
    assert_non_null(known);
    prfdata_os_directory_close(directory);
    return known;
}

void only_region_detach(prfdata_known *known)
{
    prfdata_attached *attached = known->attached;

    prfdata_known_free(known);
    prfdata_attached_free(attached);
}
