/* SPDX-License-Identifier: MIT */
/* Lets this program or one of its DLLs call a function of the test in place of a function of the
 * system. It changes the import table of this one module, so calls from other modules are not
 * affected. Windows only. */
#ifndef PRFDATA_TEST_IMPORT_TABLE_H
#define PRFDATA_TEST_IMPORT_TABLE_H

typedef void (*import_table_function)(void);

/*
 * Replace the function `name` by `own`, which has the same type, in all later calls of this
 * program. A second call for the same function changes nothing.
 * Returns the system's function.
 */
import_table_function import_table_replace(const char *dll, const char *name,
                                           import_table_function own);

/*
 * Replace the function `name` by `own` in all later calls of a DLL (its HMODULE).
 * Returns the system's function; NULL: the DLL does not import it.
 */
import_table_function import_table_replace_in(void *module, const char *dll, const char *name,
                                              import_table_function own);

#endif
