/* SPDX-License-Identifier: MIT */
/* Writes the sentence above the table: the object, the number of its instances, why the table has
 * no rows, and whether the object's provider is slow. */
#ifndef PRFDATA_READER_TABLE_HEAD_H
#define PRFDATA_READER_TABLE_HEAD_H

#include <windows.h>

#include "viewer/viewer.h"

void prfdata_table_head_show(HWND label, const prfdata_viewer *viewer, prfdata_number_style style);

#endif
