# SPDX-License-Identifier: MIT
# Reads the version of the source tree, which is in <prfdata/version.h>.

# prfdata_read_version(<variable>): set it to "<major>.<minor>.<patch>".
function(prfdata_read_version result)
    set(numbers "")
    foreach(part MAJOR MINOR PATCH)
        file(STRINGS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../shared/include/prfdata/version.h" line
            REGEX "^#define PRFDATA_VERSION_${part} ")
        string(REGEX REPLACE "^.* " "" number "${line}")
        list(APPEND numbers "${number}")
    endforeach()
    list(JOIN numbers "." version)
    set(${result} "${version}" PARENT_SCOPE)
endfunction()
