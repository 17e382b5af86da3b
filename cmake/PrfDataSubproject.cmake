# SPDX-License-Identifier: MIT
# Keeps PrfData's build independent of a project that contains PrfData. A project may contain it
# through add_subdirectory(), FetchContent, or find_package() with the repository in
# CMAKE_PREFIX_PATH.

# prfdata_reset_inherited()
#
# Reset what this folder has inherited: variables that CMake copies into the properties of each new
# target, and the folder's options, definitions, paths and libraries. These are kept: the compiler,
# its flags and launcher, the emulator, and options that choose the machine, such as -m32.
#
# A variable is set to an empty value, because after unset() a value in the cache would count.
macro(prfdata_reset_inherited)
    foreach(name
            AUTOMOC AUTORCC AUTOUIC
            COMPILE_WARNING_AS_ERROR
            C_CLANG_TIDY C_CPPCHECK C_CPPLINT C_INCLUDE_WHAT_YOU_USE LINK_WHAT_YOU_USE
            VISIBILITY_INLINES_HIDDEN
            DEBUG_POSTFIX RELEASE_POSTFIX RELWITHDEBINFO_POSTFIX MINSIZEREL_POSTFIX
            ENABLE_EXPORTS WINDOWS_EXPORT_ALL_SYMBOLS WIN32_EXECUTABLE
            INCLUDE_CURRENT_DIR INCLUDE_CURRENT_DIR_IN_INTERFACE
            INTERPROCEDURAL_OPTIMIZATION INTERPROCEDURAL_OPTIMIZATION_DEBUG
            INTERPROCEDURAL_OPTIMIZATION_RELEASE INTERPROCEDURAL_OPTIMIZATION_RELWITHDEBINFO
            INTERPROCEDURAL_OPTIMIZATION_MINSIZEREL
            LINK_LIBRARIES_ONLY_TARGETS
            UNITY_BUILD)
        set(CMAKE_${name} "")
    endforeach()
    set(CMAKE_C_VISIBILITY_PRESET default)
    _prfdata_filter_machine_options(COMPILE_OPTIONS)
    _prfdata_filter_machine_options(LINK_OPTIONS)
    set_directory_properties(PROPERTIES COMPILE_DEFINITIONS "" INCLUDE_DIRECTORIES "")
    set_property(DIRECTORY PROPERTY LINK_LIBRARIES)
    set_property(DIRECTORY PROPERTY LINK_DIRECTORIES)
endmacro()

# Keep only the folder's options that choose the machine. Code that was compiled without them would
# not link.
function(_prfdata_filter_machine_options property)
    get_directory_property(options ${property})
    list(FILTER options INCLUDE REGEX "^(-m|--?target|--?sysroot|-isysroot|/arch)")
    # These -m options choose the kind of program, not the machine.
    list(FILTER options EXCLUDE REGEX "^-m(console|dll|unicode|threads|windows)$")
    set_property(DIRECTORY PROPERTY ${property} ${options})
endfunction()

# prfdata_reset_config_folders()
#
# Undo the folders that the containing project has set for single configurations. For example,
# CMAKE_RUNTIME_OUTPUT_DIRECTORY_DEBUG gets the value of CMAKE_RUNTIME_OUTPUT_DIRECTORY. If the
# generator is for several configurations, the name of the configuration is appended, as CMake
# itself does. CMAKE_PDB_OUTPUT_DIRECTORY and CMAKE_COMPILE_PDB_OUTPUT_DIRECTORY become empty.
macro(prfdata_reset_config_folders)
    _prfdata_list_configs(configs)
    get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    foreach(config IN LISTS configs)
        foreach(kind ARCHIVE LIBRARY RUNTIME)
            set(CMAKE_${kind}_OUTPUT_DIRECTORY_${config} "${CMAKE_${kind}_OUTPUT_DIRECTORY}")
            if(multi_config)
                string(APPEND CMAKE_${kind}_OUTPUT_DIRECTORY_${config} "/$<CONFIG>")
            endif()
        endforeach()
    endforeach()
    foreach(kind COMPILE_PDB PDB)
        set(CMAKE_${kind}_OUTPUT_DIRECTORY "")
        # An empty value would be one folder for the files of all configurations.
        foreach(config IN LISTS configs)
            unset(CMAKE_${kind}_OUTPUT_DIRECTORY_${config})
        endforeach()
    endforeach()
endmacro()

# prfdata_quiet_compiler()
#
# Compile without warnings, because warnings are for those who develop PrfData. -w comes after
# CMAKE_C_FLAGS, so it undoes the warnings and -Werror there. cl would report that /W0 overrides
# /W4, so for cl the warning options are removed from CMAKE_C_FLAGS.
function(prfdata_quiet_compiler)
    if(MSVC)
        string(REGEX REPLACE "[-/](W[0-4X]|Wall|w[de1-4][0-9]+)( |$)" "\\2" flags "${CMAKE_C_FLAGS}")
        set(CMAKE_C_FLAGS "${flags}" PARENT_SCOPE)
        add_compile_options(/W0)
    else()
        add_compile_options(-w)
    endif()
endfunction()
