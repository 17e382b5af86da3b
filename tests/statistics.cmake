# SPDX-License-Identifier: MIT
foreach(name sample statistics)
    prfdata_add_test(${name} SOURCES test_${name}.c wire.c LIBRARIES prfdata_reader)
endforeach()
