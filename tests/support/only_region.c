/* SPDX-License-Identifier: MIT */
#include "support/only_region.h"

#include "support/test.h"

prfdata_member *only_region_attach(const char *service,
                                   const prfdata_registered_versions *registered, uint64_t *bytes)
{
    prfdata_os_directory *directory;
    prfdata_mapping_writer answer;
    prfdata_mapping_found found;
    prfdata_mapping *mapping;
    prfdata_member *member;
    uint64_t structure = 0;
    prfdata_os_name name;
    size_t names;
    bool more;

    assert_int_equal(prfdata_os_directory_open(service, &directory), ERROR_SUCCESS);
    assert_int_equal(
        prfdata_os_directory_list(directory, prfdata_os_boot(), &name, 1, &names, &more), 0);
    assert_int_equal(names, 1);
    mapping = prfdata_mapping_make(directory, &name, registered, prfdata_os_boot(), 1 << 30, bytes,
                                   &found);
    assert_non_null(mapping);
    answer = prfdata_mapping_ask(mapping, directory, &structure);
    member = prfdata_member_learn(NULL, mapping, answer, structure);
    assert_non_null(member);
    prfdata_os_directory_close(directory);
    return member;
}

void only_region_detach(prfdata_member *member)
{
    prfdata_mapping *mapping = member->mapping;

    prfdata_member_free(member);
    prfdata_mapping_free(mapping);
}
