# SPDX-License-Identifier: MIT
prfdata_add_test(model SOURCES test_model.c sample_map.c LIBRARIES prfdata::client)
