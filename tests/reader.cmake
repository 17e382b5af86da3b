# SPDX-License-Identifier: MIT
foreach(name decode compute path name_table columns dump options)
    prfdata_add_test(${name} SOURCES test_${name}.c wire.c LIBRARIES prfdata_reader)
endforeach()

prfdata_add_test(winperf_wire WINDOWS_ONLY LIBRARIES prfdata_client)

# Registers a provider for a moment: nobody else may read "Global" meanwhile.
if(WIN32)
    add_library(prfdata_fixed SHARED providers/fixed.c providers/fixed.def)
    set_target_properties(prfdata_fixed PROPERTIES OUTPUT_NAME prfdata-fixed)
    if(MINGW)
        target_link_options(prfdata_fixed PRIVATE -Wl,--enable-stdcall-fixup)
    endif()
    prfdata_add_test(prfread SOURCES test_prfread.c program_run.c service.c
        LIBRARIES prfdata_client advapi32 TIMEOUT 300 SERIAL)
    add_dependencies(test_prfread prfread prfdata_fixed)
endif()
