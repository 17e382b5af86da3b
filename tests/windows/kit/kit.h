/* SPDX-License-Identifier: MIT */
/* Declares the parts of prfdata-kit.exe. The kit asks one question after the other (questions.h)
 * and restores everything, also after a run that was killed. Everything that it makes has a fixed
 * name that begins with PrfDataKit, except the services of prfread and of the sample HWInputMon. It
 * records changes of the system's keys in a journal before it makes them. */
#ifndef PRFDATA_KIT_H
#define PRFDATA_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/install.h>

#include "answers.h"
#include "trail.h"

/* The kits for all processors use this key. */
#define KIT_JOURNAL  L"SYSTEM\\CurrentControlSet\\Control\\PrfDataKit"
#define KIT_PERFLIB  L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"
#define KIT_SERVICES L"SYSTEM\\CurrentControlSet\\Services"

#define KIT_CALLS 400 /* at most this many calls of a trail are read */

typedef struct kit {
    kit_answers answers;
    bool is_wine;
    /* Ctrl+C was pressed, so ask no more questions and restore everything. */
    volatile LONG is_stopped;
    bool is_undoing;           /* everything is being restored, which Ctrl+C must not stop */
    HANDLE job;                /* processes in this job end when this process ends */
    wchar_t program[MAX_PATH]; /* path of this program */
    wchar_t folder[MAX_PATH];  /* folder of the programs */
    wchar_t data[MAX_PATH];    /* <ProgramData>\PrfDataKit, made by the kit */
    wchar_t trail[MAX_PATH];   /* the trail file in `data` */
    wchar_t probe[MAX_PATH];   /* the copy of the provider in `data` */
    wchar_t product[MAX_PATH]; /* the copy of the product's DLL in `data` */
    const wchar_t *stamp_file; /* a file of -Stamp; NULL: none */
    wchar_t *before;           /* snapshot of the machine before the questions */
    kit_call *calls;           /* room for KIT_CALLS calls */
    size_t call_count;         /* number of calls that kit_read_trail() has put into `calls` */
} kit;

/* The results of a reader process, which reader.c prints. */
typedef struct kit_reading {
    unsigned long status; /* what RegQueryValueEx returned */
    unsigned long bytes;
    int has_object; /* whether the kit's object is in the reply */
    long instances;
    long counters;
    unsigned long long value; /* value of the object's first counter, if it has no instances */
    unsigned long elapsed;    /* milliseconds that the reading took */
    unsigned long process;
    unsigned long thread;
} kit_reading;

/* ---- The scene: folder, journal, services (scene.c) ---- */

/* Finds the paths. Returns false after it has printed an error. */
bool kit_find(kit *k);

/* Makes the folder with the provider and its trail, makes the service, and sets Perflib's
 * EventLogLevel. Returns a Win32 status. */
DWORD kit_make_scene(kit *k);

/* Writes this answer and its number into the service's key. Adds title indexes if the key has none.
 * Empties the trail. */
DWORD kit_set_answer(kit *k, const wchar_t *answer, DWORD number);

/* Set values of the probe's Performance key. */
DWORD kit_set_number(const wchar_t *name, DWORD value);
DWORD kit_delete_value(const wchar_t *name);

/* Sets a value of Perflib's key, after recording its former value. */
DWORD kit_set_perflib(const wchar_t *name, DWORD value);
DWORD kit_restore_perflib(const wchar_t *name);

/* Records that selftest.cmd may install the sample from now on, so that kit_undo() uninstalls
 * it. */
DWORD kit_note_sample(void);

/* Records that the kit installs prfread's service, so that kit_undo() removes it. */
DWORD kit_note_reader(void);

/* Makes a folder outside of the kit's own. The journal has its path under the name `note`, so that
 * kit_remove_folder() and kit_undo() remove the folder and its files. If `access` is NULL, the
 * folder inherits its access list. Returns a Win32 status. */
DWORD kit_make_folder(const wchar_t *note, const wchar_t *path, const wchar_t *access);
DWORD kit_remove_folder(const wchar_t *note);

/* Copies the sample to a new folder in Program Files, where the default check accepts its DLL. */
DWORD kit_copy_sample(const kit *k);

/* Starts Remote Registry, which is disabled on clients of Windows by default. kit_undo() restores
 * its state from the journal. */
DWORD kit_start_remote_registry(void);

/* Lets prfread remove its service. Returns a Win32 status. */
DWORD kit_remove_reader(kit *k);

/* Reads the calls that the provider has recorded since kit_set_answer(): those of one process, or
 * all if `process` is 0. Returns false if there are none. On a normal system, other programs also
 * call the provider. */
bool kit_read_trail(kit *k, unsigned long process);

/*
 * Removes everything that a run makes, and restores what it has changed. `left` gets the names of
 * what could not be removed or restored, or "".
 */
void kit_undo(kit *k, char *left, size_t capacity);

/* ---- The state of a machine (snapshot.c) ---- */

/*
 * Returns names of keys, files and users, and values of Perflib's key, one a line. Owner: the
 * caller.
 */
wchar_t *kit_take_snapshot(void);

/* Writes the lines that only one of the two has, or "". */
void kit_compare_snapshots(const wchar_t *before, const wchar_t *after, char *lines,
                           size_t capacity);

/* ---- Other processes (child.c) ---- */

/*
 * Runs a command and reads its output, cut at the capacity. Returns its exit code, or -1 if it did
 * not start or was ended after `seconds`.
 */
int kit_run(kit *k, DWORD seconds, char *output, size_t capacity, const wchar_t *command, ...);

/* Called with each line of a process, without its end. */
typedef void kit_line_function(void *context, const char *line);

/* Returned in place of an exit code. */
#define KIT_RUN_NONE    (-1) /* the program did not start */
#define KIT_RUN_LATE    (-2) /* the program printed nothing for too long and was ended */
#define KIT_RUN_STOPPED (-3) /* the kit was stopped and ended the program */
#define KIT_RUN_ABSENT  (-4) /* this Windows has no such program */

/* Runs a command and passes on its output line by line. Returns its exit code, or KIT_RUN_NONE,
 * _LATE or _STOPPED. */
int kit_follow(kit *k, DWORD silence_seconds, kit_line_function *take, void *context,
               const wchar_t *command, ...);

/* Starts a process that continues to run, and waits up to 30 seconds for a line of its output.
 * Returns NULL if there is none. */
HANDLE kit_start(kit *k, char *line, size_t capacity, const wchar_t *command, ...);
void kit_kill(HANDLE process);

/* Reads the kit's object in a separate process, with options of reader.c. Returns false if that
 * failed. */
bool kit_read(kit *k, kit_reading *reading, const wchar_t *options);

/* Finds the full path of a program of Windows. Returns false if it does not exist. */
bool kit_find_tool(const wchar_t *name, wchar_t path[MAX_PATH]);

/* Lets PerfMon's control (sysmon.c) take samples of a counter and print its last value in a form
 * that does not depend on the language. The value -1 stands for an error. Returns the result of
 * kit_run(), or KIT_RUN_ABSENT. */
int kit_run_sysmon(kit *k, char *output, size_t capacity, const wchar_t *path);

/* Lets a data collector set (collector.c) take samples of a counter for some seconds. Returns the
 * result of kit_run(), or KIT_RUN_ABSENT. If the result is 0, `output` is the recording in the form
 * that csv.h reads. */
int kit_run_collector(kit *k, char *output, size_t capacity, const wchar_t *path);

/*
 * Opens the counters of this computer by its address, through Remote Registry. Returns a Win32
 * status.
 */
LONG kit_open_remote(HKEY *key);

/* Runs a reader process: prfdata-kit -Read [<query>] [option...]. */
int kit_reader_main(int count, wchar_t **arguments);

/* Reads a service's first object in this process. HKEY_PERFORMANCE_DATA stays open. */
void kit_read_here(const wchar_t *service, kit_reading *reading);

/* ---- The product (ask_product.c) ---- */

bool kit_install_product(kit *k, const wchar_t *writers);

/* Installs version 1 of the map with this DLL. `text` gets the last message about something that
 * failed or could not be removed, or "". `data` is data_path in install.h, or NULL. Returns a Win32
 * status. */
uint32_t kit_install_dll(const wchar_t *dll, prfdata_install_protection protection,
                         const wchar_t *data, char *text, size_t capacity);

/* Uninstalls the product. `said` gets the last message about something that failed or could not be
 * removed, or "". Returns a Win32 status, which is ERROR_SUCCESS if nothing was installed. */
uint32_t kit_uninstall_product(char *said, size_t capacity);

bool kit_regions_folder(wchar_t folder[MAX_PATH]);

/*
 * Ends WMI's provider hosts and perfhost if they have a DLL of the kit loaded (hosts.c). Returns
 * how many it ended.
 */
unsigned kit_end_hosts(void);

/* ---- Other tasks of the kit's processes ---- */

/* Creates a file that the user has named, or replaces one that the kit wrote. On failure it prints
 * an error and returns NULL. */
FILE *kit_create_file(const wchar_t *path);

int kit_pdh_main(int count, wchar_t **arguments);     /* -Pdh: ask_pdh.c */
int kit_print_formulas(void);                         /* -Pdh formulas: formulas.c */
int kit_print_types(void);                            /* -Pdh types: formulas.c */
int kit_access_main(int count, wchar_t **arguments);  /* -Access: access.c */
int kit_service_main(int count, wchar_t **arguments); /* -Service: accounts.c */
int kit_stamp_main(const wchar_t *path);              /* -Stamp: ask_boot.c */

/* Removes the user and the service of accounts.c. Returns a Win32 status. */
DWORD kit_remove_accounts(void);

/* ---- For selftest.cmd (limit.c) ---- */

int kit_limit_main(void);                        /* -Limit */
int kit_begin_script(const kit *k, DWORD level); /* -Level */

/* ---- The parts of a run (parts.c) ---- */

/* Asks the questions of these parts (names with commas; NULL: all parts). Each part runs in its own
 * process, which is ended if it prints nothing for `silence_seconds`. Returns what failed, or
 * "". */
const char *kit_ask_parts(kit *k, const wchar_t *list, DWORD silence_seconds);

int kit_part_main(kit *k, int count, wchar_t **arguments); /* -Part */

/* ---- Questions ---- */

/* Answers a question about something that is missing: `not here` under Wine, and `failed` on
 * Windows, which should have it. */
void kit_answer_missing(kit *k, kit_question_id question, const char *why, ...);

void kit_ask_calls(kit *k);
void kit_ask_replies(kit *k);
void kit_ask_product(kit *k);
void kit_ask_loadperf(kit *k);
void kit_ask_pdh(kit *k, bool has_titles);
void kit_ask_averages(kit *k); /* averages by Get-Counter and WMI */
void kit_ask_hosts(kit *k, bool has_titles);
void kit_ask_unload(kit *k);
/* Records which event is the newest. Call it before the first question. */
void kit_note_events(kit *k);
void kit_ask_machine(kit *k);
void kit_ask_install(kit *k);
void kit_ask_files(kit *k);
void kit_ask_system(kit *k);

/*
 * Asks who may do what in the folders of the kit's service. Call this function while the product is
 * installed and a publisher runs. It installs the product again.
 */
void kit_ask_accounts(kit *k);

/* Asks for the titles of the product's first object, and the help text of its first counter. */
void kit_ask_titles(kit *k, const char *object, const char *help);

/* Asks about the readers of Windows and ours, after `orders` orders were taken. */
void kit_ask_readers(kit *k, unsigned orders);

#endif
