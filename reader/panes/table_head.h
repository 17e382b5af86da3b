/* SPDX-License-Identifier: MIT */
/* The sentence above the table: what it shows, how many rows it has, how old its numbers are. */
#ifndef PRFDATA_READER_TABLE_HEAD_H
#define PRFDATA_READER_TABLE_HEAD_H

#include <windows.h>

#include "viewer/viewer.h"

/* Write it into a label. */
void prfdata_table_head_show(HWND label, const prfdata_viewer *viewer, prfdata_number_style style);

#endif
