# SPDX-License-Identifier: MIT
# Sets names of outputs: postfixes, prefixes, suffixes.
foreach(config DEBUG RELEASE RELWITHDEBINFO MINSIZEREL)
    set(CMAKE_${config}_POSTFIX "-${config}")
endforeach()
set(CMAKE_SHARED_MODULE_PREFIX lib)
set(CMAKE_SHARED_LIBRARY_PREFIX lib)
set(CMAKE_SHARED_MODULE_PREFIX_C lib)
set(CMAKE_SHARED_MODULE_SUFFIX .plugin)
set(CMAKE_SHARED_MODULE_SUFFIX_C .plugin)
set(CMAKE_EXECUTABLE_SUFFIX .program)
set(CMAKE_STATIC_LIBRARY_PREFIX static)
set(CMAKE_IMPORT_LIBRARY_PREFIX import)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME nested)
