# SPDX-License-Identifier: MIT
prfdata_add_test(ras SOURCES test_ras.c collecting.c perf_reader.c service.c threads.c
    LIBRARIES ras_simulation prfdata_provider_core prfdata_installer)
if(NOT WIN32)
    find_package(Threads REQUIRED)
    target_link_libraries(test_ras PRIVATE Threads::Threads)
endif()

# Registers the sample's provider for a moment: nobody else may read "Global" meanwhile.
if(WIN32)
    prfdata_add_test(ras_reader
        SOURCES test_ras_reader.c ras_rates.c service.c
            "${PROJECT_SOURCE_DIR}/samples/ras/raw_reader.c"
        LIBRARIES ras_simulation prfdata_client advapi32 SERIAL)
    add_dependencies(test_ras_reader ras_provider)
endif()
