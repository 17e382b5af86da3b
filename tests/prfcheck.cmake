# SPDX-License-Identifier: MIT
prfdata_add_test(judge SOURCES test_judge.c wire.c LIBRARIES prfdata_reader)
prfdata_add_test(check_options LIBRARIES prfdata_reader)

if(WIN32)
    # One provider with many faults: a copy of it has the one that its file name says.
    add_library(prfdata_faulty MODULE faulty/faulty.c faulty/faulty.def)
    set_target_properties(prfdata_faulty PROPERTIES PREFIX "" OUTPUT_NAME prfdata-faulty
        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    if(MINGW)
        target_link_options(prfdata_faulty PRIVATE -Wl,--enable-stdcall-fixup)
    endif()

    prfdata_add_test(prfcheck SOURCES test_prfcheck.c program_run.c sample_map.c service.c
        LIBRARIES hwinput_map prfdata_client advapi32 TIMEOUT 600 PERFLIB)
    add_dependencies(test_prfcheck prfcheck prfdata_faulty hwinput_provider)
endif()
