/* SPDX-License-Identifier: MIT */
/* Runs one of our programs while the test program continues, and keeps its output. Windows only. A
 * failure of the helper itself ends the test.
 *
 *     program_run run;
 *
 *     program_run_make(&run, "prfread", "-?");
 *     ...                                        // run.exit_code, run.out, run.err
 *     program_run_free(&run);
 *
 * Output goes to temporary files, so that no program waits because a pipe is full. The system
 * deletes the files when their last handle is closed. */
#ifndef PRFDATA_TESTS_PROGRAM_RUN_H
#define PRFDATA_TESTS_PROGRAM_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include <windows.h>

typedef struct program_run_output {
    HANDLE file;
    char path[MAX_PATH];
} program_run_output;

typedef struct program_run {
    int exit_code;
    char *out;
    char *err;
    char command[4096];
    PROCESS_INFORMATION process; /* while the program runs */
    program_run_output out_file;
    program_run_output err_file;
} program_run;

/* Return the test program's folder, with a backslash at its end. */
const char *program_run_folder(void);

/* Make the path of a temporary file. It ends with `name`, and no other test program uses it. */
void program_run_temporary_path(const char *name, char path[MAX_PATH]);

/* Return all bytes of a file and a NUL. Other programs may have the file open. Owner: the
 * caller. */
char *program_run_read_file(const char *path);

/* Start a program; several may run at the same time. `flags` are those of CreateProcess. */
void program_run_start(program_run *run, const char *program, const char *arguments, DWORD flags);

/* Wait until the program ends. After four minutes, end it with exit code 99. */
void program_run_finish(program_run *run);

void program_run_free(program_run *run);

void program_run_make(program_run *run, const char *program, const char *arguments);

/* Fail, and show the whole output of the program. The message says that `missing` is missing. */
void program_run_fail(const program_run *run, const char *missing);

/* Fail unless the program ended with `exit_code`, and each part is in `out` or in `err`. */
void program_run_check(const program_run *run, int exit_code, const char *const *parts,
                       size_t count);

/* Run a program to its end, then check it as program_run_check() does. */
void program_run_expect(const char *program, const char *arguments, int exit_code,
                        const char *const *parts, size_t count);

#define PROGRAM_RUN_EXPECT(program, arguments, exit_code, ...)                                     \
    do {                                                                                           \
        static const char *const parts_[] = {__VA_ARGS__};                                         \
                                                                                                   \
        program_run_expect(program, arguments, exit_code, parts_,                                  \
                           sizeof parts_ / sizeof parts_[0]);                                      \
    } while (0)

#endif
