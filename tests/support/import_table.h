/* SPDX-License-Identifier: MIT */
/*
 * Leads the calls that this program makes to the system to functions of a test: through the import
 * table, so that calls of the system's own DLLs stay as they are. Windows only.
 */
#ifndef PRFDATA_TEST_IMPORT_TABLE_H
#define PRFDATA_TEST_IMPORT_TABLE_H

typedef void (*import_table_function)(void);

/*
 * From now on, the program that calls the function `name` calls `own`, which has the same type.
 *
 * Returns the system's function.
 */
import_table_function import_table_replace(const char *dll, const char *name,
                                           import_table_function own);

#endif
