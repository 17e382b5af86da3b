# SPDX-License-Identifier: MIT
# prfread's watching: options, settings files, paths, formats.
foreach(name help json lines settings)
    prfdata_add_test(${name} LIBRARIES prfdata_reader)
endforeach()
prfdata_add_test(watch SOURCES test_watch.c wire.c golden.c LIBRARIES prfdata_reader)
# That file is what test_watch compares with, byte by byte.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    # By its path: as a target it would run under Wine.
    add_test(NAME watch_json COMMAND "${Python3_EXECUTABLE}"
        "${CMAKE_CURRENT_SOURCE_DIR}/json_lines.py" "${CMAKE_CURRENT_SOURCE_DIR}/golden/watch.json")
endif()
