/* SPDX-License-Identifier: MIT */
/* Running the real prfread.exe beside the test program. Windows only. */
#ifndef PRFDATA_TESTS_PRFREAD_RUN_H
#define PRFDATA_TESTS_PRFREAD_RUN_H

#include <stddef.h>

typedef struct prfread_run {
    int exit_code;
    char *out; /* what it wrote to standard output, and to standard error */
    char *err;
} prfread_run;

/* The test program's folder, with a backslash at its end. */
const char *prfread_run_folder(void);

/* Run it to its end, for a minute at most; a failure of this ends the test. */
void prfread_run_make(prfread_run *run, const char *arguments);
void prfread_run_free(prfread_run *run);

/* Run it; each of the parts must stand in what it wrote. */
void prfread_run_expect(const char *arguments, int exit_code, const char *const *parts,
                        size_t count);

#define PRFREAD_RUN_EXPECT(arguments, exit_code, ...)                                              \
    do {                                                                                           \
        static const char *const parts_[] = {__VA_ARGS__};                                         \
                                                                                                   \
        prfread_run_expect(arguments, exit_code, parts_, sizeof parts_ / sizeof parts_[0]);        \
    } while (0)

#endif
