# SPDX-License-Identifier: MIT
# region.c once more, with its steps named: the library's copy of it then stays out of the program.
prfdata_add_test(region
    SOURCES test_region.c sample_map.c golden.c "${PROJECT_SOURCE_DIR}/shared/region.c"
    LIBRARIES prfdata::client)
target_compile_definitions(test_region PRIVATE PRFDATA_STEPS)

prfdata_add_test(slots SOURCES test_slots.c sample_map.c LIBRARIES prfdata::client)
