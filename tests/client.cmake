# SPDX-License-Identifier: MIT
# The client library as applications use it.
if(NOT WIN32)
    find_package(Threads REQUIRED)
endif()

prfdata_add_test(publisher
    SOURCES test_publisher.c sample_map.c process.c service.c threads.c
    LIBRARIES prfdata::client)
prfdata_add_test(instance SOURCES test_instance.c sample_map.c LIBRARIES prfdata::client)
prfdata_add_test(counter SOURCES test_counter.c sample_map.c threads.c LIBRARIES prfdata::client)
if(NOT WIN32)
    foreach(name publisher counter)
        target_link_libraries(test_${name} PRIVATE Threads::Threads)
    endforeach()
endif()

# Compiled without counters, and linked without the library.
prfdata_add_test(disabled)
target_compile_definitions(test_disabled PRIVATE PRFDATA_DISABLED)
target_include_directories(test_disabled PRIVATE "${PROJECT_SOURCE_DIR}/shared/include")
