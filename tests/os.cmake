# SPDX-License-Identifier: MIT
prfdata_add_test(os SOURCES test_os.c process.c service.c LIBRARIES prfdata_client)
if(NOT WIN32)
    find_package(Threads REQUIRED)
    target_link_libraries(test_os PRIVATE Threads::Threads)
endif()
prfdata_add_test(os_posix SOURCES test_os_posix.c service.c LIBRARIES prfdata_client LINUX_ONLY)
prfdata_add_test(os_win32 SOURCES test_os_win32.c service.c LIBRARIES prfdata_client WINDOWS_ONLY)
