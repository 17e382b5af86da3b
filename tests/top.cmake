# SPDX-License-Identifier: MIT
# The live view without a terminal; scripts/52-top.sh has one.
foreach(name cells terminal_keys top_view)
    prfdata_add_test(${name} LIBRARIES prfdata_reader)
endforeach()
