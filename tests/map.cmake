# SPDX-License-Identifier: MIT
prfdata_add_test(map SOURCES test_map.c sample_map.c LIBRARIES prfdata::client)
prfdata_add_test(map_bytes SOURCES test_map_bytes.c sample_map.c golden.c
    LIBRARIES prfdata::client)
