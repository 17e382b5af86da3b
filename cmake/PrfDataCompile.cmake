# SPDX-License-Identifier: MIT
# The language standard and the warnings. They apply to this source tree only, not to users.

function(prfdata_compile_strictly)
    set(CMAKE_C_STANDARD 11 PARENT_SCOPE)
    set(CMAKE_C_STANDARD_REQUIRED ON PARENT_SCOPE)
    set(CMAKE_C_EXTENSIONS OFF PARENT_SCOPE)
    # The static libraries are also linked into DLLs.
    set(CMAKE_POSITION_INDEPENDENT_CODE ON PARENT_SCOPE)

    if(WIN32)
        # windows.h without what nothing here uses takes half as long to compile.
        add_compile_definitions(WIN32_LEAN_AND_MEAN NOMINMAX)
    endif()
    if(MSVC)
        # A DLL that runs inside other programs contains its own C runtime.
        set(CMAKE_MSVC_RUNTIME_LIBRARY "MultiThreaded$<$<CONFIG:Debug>:Debug>" PARENT_SCOPE)
        add_compile_definitions(_CRT_SECURE_NO_WARNINGS)
        # C4127: a condition that is constant, as sizeof(void *) == 8 is.
        add_compile_options(/W4 /wd4127 /utf-8)
        if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
            # What Visual Studio's /W4 has and clang-cl's has not, for instance C4244 and C4456.
            # Enumerations are signed here; that they become unsigned is no warning there either, nor
            # are fields that an initializer leaves out.
            add_compile_options(-Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes
                -Wmissing-prototypes -Wvla -Wundef -Wno-missing-field-initializers)
        endif()
        if(PRFDATA_WERROR)
            add_compile_options(/WX)
        endif()
        return()
    endif()

    add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
        -Wvla -Wconversion -Wundef -Wwrite-strings)
    # __FILE__ is relative to the source tree, so that messages do not depend on where that is.
    add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
    if(PRFDATA_WERROR)
        add_compile_options(-Werror)
    endif()
endfunction()
