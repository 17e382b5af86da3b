/* SPDX-License-Identifier: MIT */
/* What makes the DLL of version 2 another file than that of the other version. */
extern const char prfdata_test_version[];

const char prfdata_test_version[] = "version 2";
