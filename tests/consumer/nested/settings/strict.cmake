# SPDX-License-Identifier: MIT
# Makes warnings errors, in every way in which a project can do that.
string(APPEND CMAKE_C_FLAGS " -Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wredundant-decls")
string(APPEND CMAKE_CXX_FLAGS " -Werror -Wall -Wextra -Wpedantic -Wconversion -Wold-style-cast -Wredundant-decls")
add_compile_options(-Werror -Wcast-qual -Wswitch-default -Wunused-macros
    "$<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast;-Wuseless-cast>"
    "$<$<COMPILE_LANGUAGE:C>:-Wc++-compat>")
set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
