# SPDX-License-Identifier: MIT
foreach(name title_text title_list pe_file)
    prfdata_add_test(${name} LIBRARIES prfdata_installer)
endforeach()
target_link_libraries(test_title_text PRIVATE hwinput_map)
