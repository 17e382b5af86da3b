# SPDX-License-Identifier: MIT
prfdata_add_test(judge SOURCES test_judge.c wire.c LIBRARIES prfdata_reader)
