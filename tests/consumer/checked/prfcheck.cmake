# SPDX-License-Identifier: MIT
# Adds tests to a build of samples/queues. docs/prfcheck.md shows these lines, and
# tests/scripts/22-checked.sh runs the tests.
enable_testing()

add_test(NAME install COMMAND queues_installer -Install -AllowUserWritableDll)
add_test(NAME prfcheck COMMAND prfcheck MyService -quick -save replies
    -accept @${CMAKE_CURRENT_SOURCE_DIR}/prfcheck.accept)
add_test(NAME uninstall COMMAND queues_installer -Uninstall)

set_tests_properties(install PROPERTIES FIXTURES_SETUP counters)
set_tests_properties(prfcheck PROPERTIES FIXTURES_REQUIRED counters)
set_tests_properties(uninstall PROPERTIES FIXTURES_CLEANUP counters)
