/* SPDX-License-Identifier: MIT */
/* Declares what one_object.c and its reader share. */
#ifndef PRFDATA_TESTS_WINE_ONE_OBJECT_H
#define PRFDATA_TESTS_WINE_ONE_OBJECT_H

#define ONE_OBJECT_INDEX 7700002
#define ONE_OBJECT_QUERY L"7700002"

#endif
