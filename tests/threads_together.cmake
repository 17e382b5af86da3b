# SPDX-License-Identifier: MIT
# Client library and provider in one process, used by many threads at once.
prfdata_add_test(threads_together
    SOURCES test_threads_together.c collecting.c perf_reader.c sample_map.c service.c threads.c
    LIBRARIES prfdata_provider_core)
if(NOT WIN32)
    find_package(Threads REQUIRED)
    target_sources(test_threads_together PRIVATE one_view.c)
    target_link_libraries(test_threads_together PRIVATE Threads::Threads)
    target_link_options(test_threads_together PRIVATE LINKER:--wrap=mmap64,--wrap=munmap)
endif()
