# SPDX-License-Identifier: MIT
if(MINGW)
    prfdata_add_test(wine_cure PERFLIB)
    target_include_directories(test_wine_cure PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/wine")
    add_dependencies(test_wine_cure prfdata_wine_cure prfdata_one_object)
endif()
