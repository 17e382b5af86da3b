# SPDX-License-Identifier: MIT
foreach(name title_text title_list pe_file)
    prfdata_add_test(${name} LIBRARIES prfdata_installer)
endforeach()
target_link_libraries(test_title_text PRIVATE hwinput_map)

if(WIN32)
    # DLLs that the installer looks at, beside the test program.
    foreach(name empty closeless)
        add_library(prfdata_${name}_provider MODULE
            installer/empty_provider.c installer/${name}_provider.def)
        set_target_properties(prfdata_${name}_provider PROPERTIES
            PREFIX "" OUTPUT_NAME ${name}-provider
            LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
        if(MINGW)
            target_link_options(prfdata_${name}_provider PRIVATE -Wl,--enable-stdcall-fixup)
        endif()
    endforeach()

    prfdata_add_test(protection LIBRARIES prfdata_installer)

    # They write to Services and Perflib: nobody else may install or read "Global" meanwhile.
    prfdata_add_test(install SOURCES test_install.c sample_map.c LIBRARIES prfdata_installer SERIAL)
    target_link_libraries(test_install PRIVATE advapi32)
    add_dependencies(test_install prfdata_empty_provider prfdata_closeless_provider)

    # The program with two maps; only the first one's service has a provider.
    include(PrfDataService)
    prfdata_add_installer(prfdata_test_installer OUTPUT_NAME test-installer
        MAPS installer/things_map.c installer/default_map.c
        SYMBOLS things_map prfdata_default_map)
    prfdata_add_provider(prfdata_things_provider SERVICE PrfDataTestThings)
    prfdata_add_test(installer LIBRARIES prfdata_installer SERIAL)
    target_link_libraries(test_installer PRIVATE advapi32)
    add_dependencies(test_installer prfdata_test_installer prfdata_things_provider)
endif()
