/* SPDX-License-Identifier: MIT */
/*
 * Redirects the calls of this program to the system to functions of a test. It changes the import
 * table, so that calls of the system's own DLLs are not affected. Windows only.
 */
#ifndef PRFDATA_TEST_IMPORT_TABLE_H
#define PRFDATA_TEST_IMPORT_TABLE_H

typedef void (*import_table_function)(void);

/*
 * Replace the function `name` by `own`, which has the same type, in all later calls of this
 * program.
 * Returns the system's function.
 */
import_table_function import_table_replace(const char *dll, const char *name,
                                           import_table_function own);

#endif
