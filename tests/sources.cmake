# SPDX-License-Identifier: MIT
# Saved blocks, and readers that need no system.
prfdata_add_test(retry LIBRARIES prfdata_reader)
prfdata_add_test(saved_block SOURCES test_saved_block.c wire.c golden.c LIBRARIES prfdata_reader)
prfdata_add_test(source_file SOURCES test_source_file.c wire.c LIBRARIES prfdata_reader)
prfdata_add_test(source_regions SOURCES test_source_regions.c sample_map.c service.c
    LIBRARIES prfdata_reader)
prfdata_add_test(save SOURCES test_save.c wire.c LIBRARIES prfdata_reader)

# Registers a service for a moment, as test_prfread does.
if(WIN32)
    target_sources(test_source_regions PRIVATE program_run.c)
    add_dependencies(test_source_regions prfread)
    prfdata_add_test(source_dll SOURCES test_source_dll.c program_run.c service.c
        LIBRARIES prfdata_client advapi32 TIMEOUT 300 SERIAL)
    add_dependencies(test_source_dll prfread prfdata_faulty prfdata_fixed)
endif()
