# SPDX-License-Identifier: MIT
# The client library once more, with the steps at which test_kill kills it.
get_target_property(sources prfdata_client SOURCES)
list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/shared/")
add_library(prfdata_client_steps STATIC ${sources})
target_compile_definitions(prfdata_client_steps PUBLIC PRFDATA_STEPS)
target_include_directories(prfdata_client_steps PUBLIC
    "${PROJECT_SOURCE_DIR}/shared/include" "${PROJECT_SOURCE_DIR}/shared")
if(WIN32)
    target_link_libraries(prfdata_client_steps PUBLIC advapi32 ntdll)
endif()

prfdata_add_test(kill SOURCES test_kill.c perf_reader.c process.c service.c
    LIBRARIES prfdata_client_steps prfdata_provider_core)
