/* SPDX-License-Identifier: MIT */
/* Makes the DLL of version 2 different from those of the other versions. */
extern const char prfdata_test_version[];

const char prfdata_test_version[] = "version 2";
