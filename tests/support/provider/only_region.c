/* SPDX-License-Identifier: MIT */
#include "support/provider/only_region.h"

#include "support/test.h"

prfdata_member only_region_attach(const char *service, const prfdata_versions *registered,
                                  prfdata_regions *regions)
{
    prfdata_mapping_look look = {0};
    prfdata_mapping_writer answer;
    prfdata_mapping *mapping;
    prfdata_os_name name;
    size_t names;
    bool more;

    look.registered = registered;
    regions->boot = prfdata_os_boot();
    look.regions = regions;
    assert_int_equal(prfdata_os_directory_open(service, &look.directory), ERROR_SUCCESS);
    assert_int_equal(
        prfdata_os_directory_list(look.directory, regions->boot, &name, 1, &names, &more), 0);
    assert_int_equal(names, 1);
    mapping = prfdata_mapping_make(&look, &name);
    assert_non_null(mapping);
    answer = prfdata_mapping_ask(&look, mapping, false);
    prfdata_os_directory_close(look.directory);
    return prfdata_member_learn(NULL, mapping, answer, look.header.structure, 0);
}

void only_region_detach(const prfdata_member *member)
{
    prfdata_mapping_free(member->mapping);
}
