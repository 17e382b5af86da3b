/* SPDX-License-Identifier: MIT */
/*
 * The parts of prfdata-kit.exe. It asks one question after the other (questions.h) and puts
 * everything back, also what a killed run left: everything that it makes has a fixed name that
 * begins with PrfDataKit, and what it changes in keys of the system is noted in a journal first.
 */
#ifndef PRFDATA_KIT_H
#define PRFDATA_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/install.h>

#include "answers.h"
#include "trail.h"

/* The same key for kits of all processors. */
#define KIT_JOURNAL  L"SYSTEM\\CurrentControlSet\\Control\\PrfDataKit"
#define KIT_PERFLIB  L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"
#define KIT_SERVICES L"SYSTEM\\CurrentControlSet\\Services"

#define KIT_CALLS 400 /* of a trail, that are looked at */

typedef struct kit {
    kit_answers answers;
    bool is_wine;
    volatile LONG is_stopped;  /* Ctrl+C: no more questions, everything is put back */
    bool is_undoing;           /* which Ctrl+C does not stop */
    HANDLE job;                /* its processes end when this one does */
    wchar_t program[MAX_PATH]; /* this one */
    wchar_t folder[MAX_PATH];  /* where the programs are */
    wchar_t data[MAX_PATH];    /* <ProgramData>\PrfDataKit, made by the kit */
    wchar_t trail[MAX_PATH];   /* the file in it */
    wchar_t probe[MAX_PATH];   /* the copy of the provider in it */
    wchar_t product[MAX_PATH]; /* the copy of the product's DLL in it */
    const wchar_t *stamp_file; /* of -Stamp; NULL: none */
    wchar_t *before;           /* snapshot */
    kit_call *calls;           /* KIT_CALLS */
    size_t call_count;         /* read by kit_read_trail */
} kit;

/* What a reader process saw (reader.c prints it). */
typedef struct kit_reading {
    unsigned long status;     /* of RegQueryValueEx */
    unsigned long bytes;      /* of the reply */
    int has_object;           /* the kit's object is in it */
    long instances;           /* its NumInstances */
    long counters;            /* its NumCounters */
    unsigned long long value; /* its first counter, without instances */
    unsigned long elapsed;    /* milliseconds */
    unsigned long process;
    unsigned long thread;
} kit_reading;

/* ---- The scene: folder, journal, services (scene.c) ---- */

/* Find the paths; false: an error was printed. */
bool kit_find(kit *k);

/* Make the folder with the provider and its trail, and the service. Returns a Win32 status. */
DWORD kit_make_scene(kit *k);

/* Remove the service's key, make it again with this answer, and empty the trail. */
DWORD kit_set_answer(kit *k, const wchar_t *answer, DWORD number);

/* Values of the probe's Performance key. */
DWORD kit_set_number(const wchar_t *name, DWORD value);
DWORD kit_delete_value(const wchar_t *name);

/* Set a value of Perflib's key, after writing down what it was. */
DWORD kit_set_perflib(const wchar_t *name, DWORD value);
DWORD kit_restore_perflib(const wchar_t *name);

/* Note that selftest.cmd may install the sample from now on: kit_undo uninstalls it. */
DWORD kit_note_sample(void);

/* Note that the kit installs prfread's service: kit_undo removes it. */
DWORD kit_note_reader(void);

/*
 * Make a folder outside of the kit's own. The journal has its path under this name, so that
 * kit_remove_folder() and kit_undo() remove it and the files in it. NULL: the access list that it
 * inherits. Returns a Win32 status.
 */
DWORD kit_make_folder(const wchar_t *note, const wchar_t *path, const wchar_t *access);
DWORD kit_remove_folder(const wchar_t *note);

/* Copy the sample to a new folder of Program Files, where the default check accepts its DLL. */
DWORD kit_copy_sample(const kit *k);

/* Start Remote Registry, which client Windows disables; kit_undo restores what the journal has. */
DWORD kit_start_remote_registry(void);

/* Let prfread remove its service. Returns a Win32 status. */
DWORD kit_remove_reader(kit *k);

/*
 * Read what the provider wrote down since kit_set_answer of the calls of a process; 0: of all. On
 * a living system others read, too.
 */
bool kit_read_trail(kit *k, unsigned long process);

/* Remove everything that a run makes. Returns what could not be removed: "" or names. */
void kit_undo(kit *k, char *left, size_t capacity);

/* ---- What a machine looks like (snapshot.c) ---- */

/* Names of keys, files and users, and values of Perflib's key, one a line. Owner: the caller. */
wchar_t *kit_take_snapshot(void);

/* The lines that only one of the two has, or "". */
void kit_compare_snapshots(const wchar_t *before, const wchar_t *after, char *lines,
                           size_t capacity);

/* ---- Other processes (child.c) ---- */

/*
 * Run a command and read what it prints, cut at the capacity. Returns its exit code, or -1: it did
 * not start, or was ended after the seconds.
 */
int kit_run(kit *k, DWORD seconds, char *output, size_t capacity, const wchar_t *command, ...);

/* Called with each line of a process, without its end. */
typedef void kit_line_function(void *context, const char *line);

/* Instead of an exit code. */
#define KIT_RUN_NONE    (-1) /* it did not start */
#define KIT_RUN_LATE    (-2) /* it printed nothing for too long, and was ended */
#define KIT_RUN_STOPPED (-3) /* this kit shall end, and ended it */
#define KIT_RUN_ABSENT  (-4) /* this Windows has no such program */

/* Run a command and hand on what it prints, line by line. Returns its exit code. */
int kit_follow(kit *k, DWORD silence_seconds, kit_line_function *take, void *context,
               const wchar_t *command, ...);

/* Start one that stays, and wait until it has printed a line; NULL: it did not. */
HANDLE kit_start(kit *k, char *line, size_t capacity, const wchar_t *command, ...);
void kit_kill(HANDLE process);

/* Read the kit's object in a process of its own, with options of reader.c; false: it failed. */
bool kit_read(kit *k, kit_reading *reading, const wchar_t *options);

/* The full path of a program of Windows; false: it is not here. */
bool kit_find_tool(const wchar_t *name, wchar_t path[MAX_PATH]);

/*
 * Let PerfMon's control (sysmon.c) take samples of a counter and print its last value, without a
 * language's signs; -1 is its error. Returns as kit_run does, or KIT_RUN_ABSENT.
 */
int kit_run_sysmon(kit *k, char *output, size_t capacity, const wchar_t *path);

/*
 * Let a data collector set (collector.c) take samples of a counter for some seconds. Returns as
 * kit_run does, or KIT_RUN_ABSENT. Where that is 0, `output` is what it has recorded, as csv.h
 * reads it.
 */
int kit_run_collector(kit *k, char *output, size_t capacity, const wchar_t *path);

/* Whether Remote Registry reads counters of this
 * computer by its address. Returns a Win32 status. */
LONG kit_open_remote(HKEY *key);

/* What such a process does: prfdata-kit -Read <query> [option...]. */
int kit_reader_main(int count, wchar_t **arguments);

/* Read a service's first object in this process, which keeps HKEY_PERFORMANCE_DATA open. */
void kit_read_here(const wchar_t *service, kit_reading *reading);

/* ---- The product (ask_product.c) ---- */

bool kit_install_product(kit *k, const wchar_t *writers);

/* Install version 1 of the map with this DLL; `said` is what failed, or was left. `data` may be
 * NULL. */
uint32_t kit_install_dll(const wchar_t *dll, prfdata_install_protection protection,
                         const wchar_t *data, char *said, size_t capacity);

/* ERROR_SUCCESS too if it was not installed; else
 * `said` is what the uninstallation complained of. */
uint32_t kit_uninstall_product(char *said, size_t capacity);

bool kit_regions_folder(wchar_t folder[MAX_PATH]);

/*
 * End WMI's provider hosts and perfhost where they have a DLL of the kit loaded (hosts.c). Returns
 * how many there were.
 */
unsigned kit_end_hosts(void);

/* ---- What else its processes do ---- */

/*
 * Create a file that the user has named, or replace one that the kit wrote. Returns NULL after a
 * failure, which is said.
 */
FILE *kit_create_file(const wchar_t *path);

int kit_pdh_main(int count, wchar_t **arguments);     /* -Pdh: ask_pdh.c */
int kit_print_formulas(void);                         /* -Pdh formulas: formulas.c */
int kit_print_types(void);                            /* -Pdh types: the same */
int kit_access_main(int count, wchar_t **arguments);  /* -Access: access.c */
int kit_service_main(int count, wchar_t **arguments); /* -Service: accounts.c */
int kit_stamp_main(const wchar_t *path);              /* -Stamp: ask_boot.c */

/* Remove the user and the service of accounts.c; returns a Win32 status. */
DWORD kit_remove_accounts(void);

/* ---- For selftest.cmd (limit.c) ---- */

int kit_limit_main(void);          /* -Limit */
int kit_begin_script(const kit *k, DWORD level); /* -Level */

/* ---- The parts of a run (parts.c) ---- */

/*
 * Ask the questions of these parts (names with commas; NULL: all), each in a process of its own,
 * which is ended when it has printed nothing for so many seconds. Returns what went wrong, or "".
 */
const char *kit_ask_parts(kit *k, const wchar_t *list, DWORD silence_seconds);

int kit_part_main(kit *k, int count, wchar_t **arguments); /* -Part */

/* ---- Questions ---- */

/* `not here` under Wine, which has no such thing; `failed` on Windows, which has. */
void kit_answer_missing(kit *k, kit_question_id question, const char *why, ...);

void kit_ask_calls(kit *k);
void kit_ask_replies(kit *k);
void kit_ask_product(kit *k);
void kit_ask_loadperf(kit *k);
void kit_ask_pdh(kit *k, bool has_titles);
void kit_ask_averages(kit *k); /* of Get-Counter and WMI */
void kit_ask_hosts(kit *k, bool has_titles);
void kit_ask_unload(kit *k);
/* Before the first question: what the event log has already. */
void kit_note_events(kit *k);
void kit_ask_machine(kit *k);
void kit_ask_install(kit *k);
void kit_ask_files(kit *k);
void kit_ask_system(kit *k);

/* While the product is installed and a publisher runs; it is installed again meanwhile. */
void kit_ask_accounts(kit *k);

/* The titles of the product's first object, and the help text of its first counter. */
void kit_ask_titles(kit *k, const char *object, const char *help);

/* Windows' readers, and ours; this many orders were taken. */
void kit_ask_readers(kit *k, unsigned orders);

#endif
