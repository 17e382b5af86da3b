# SPDX-License-Identifier: MIT
prfdata_add_test(query SOURCES test_query.c sample_map.c LIBRARIES prfdata_provider_core)
prfdata_add_test(perf_block LIBRARIES prfdata_provider_core)
prfdata_add_test(template SOURCES test_template.c perf_reader.c sample_map.c
    LIBRARIES prfdata_provider_core)

# What asks a whole provider.
foreach(name collect merge snapshot regions)
    prfdata_add_test(${name} SOURCES test_${name}.c collecting.c golden.c perf_reader.c sample_map.c
        service.c LIBRARIES prfdata_provider_core)
endforeach()
target_sources(test_regions PRIVATE process.c threads.c)
if(NOT WIN32)
    find_package(Threads REQUIRED)
    target_link_libraries(test_regions PRIVATE Threads::Threads)
endif()

# Allocations that fail: the linker exchanges the functions.
prfdata_add_test(no_memory LINUX_ONLY
    SOURCES test_no_memory.c collecting.c perf_reader.c sample_map.c service.c
    LIBRARIES prfdata_provider_core)
if(TARGET test_no_memory)
    target_link_options(test_no_memory PRIVATE -Wl,--wrap=malloc,--wrap=calloc)
endif()

# The DLL itself.
if(WIN32)
    include(PrfDataService)
    prfdata_add_provider(test_provider_dll SERVICE PrfDataTestProvider)
    foreach(config DEBUG RELEASE RELWITHDEBINFO MINSIZEREL)
        set_target_properties(test_provider_dll PROPERTIES
            LIBRARY_OUTPUT_DIRECTORY_${config} "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    endforeach()
endif()
prfdata_add_test(provider WINDOWS_ONLY SOURCES test_provider.c perf_reader.c process.c sample_map.c
    service.c threads.c LIBRARIES prfdata_client PERFLIB)
if(TARGET test_provider)
    add_dependencies(test_provider test_provider_dll)
endif()
