/* SPDX-License-Identifier: MIT */
/* What makes the DLL of version 3 another file than that of the other versions. */
extern const char prfdata_test_version[];

const char prfdata_test_version[] = "version 3";
