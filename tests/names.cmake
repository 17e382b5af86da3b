# SPDX-License-Identifier: MIT
prfdata_add_test(names LIBRARIES prfdata::client)

# The checked-in table is what its generator prints; skipped where perl has another Unicode.
find_program(PRFDATA_PERL perl)
if(PRFDATA_PERL)
    add_test(NAME names_fold_is_generated COMMAND "${PRFDATA_PERL}"
        "${PROJECT_SOURCE_DIR}/scripts/make-names-fold" --check
        "${PROJECT_SOURCE_DIR}/shared/names_fold.h")
    set_tests_properties(names_fold_is_generated PROPERTIES SKIP_RETURN_CODE 77)
endif()
