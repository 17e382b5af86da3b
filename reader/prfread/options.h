/* SPDX-License-Identifier: MIT */
/* Reads the options of prfread, which have typeperf's form: -x or /x, in any case. Portable. */
#ifndef PRFDATA_READER_OPTIONS_H
#define PRFDATA_READER_OPTIONS_H

#include "text/arguments.h"

typedef enum prfdata_options_task {
    PRFDATA_TASK_WATCH,          /* print the values of counter paths */
    PRFDATA_TASK_LIST,           /* -q */
    PRFDATA_TASK_LIST_INSTANCES, /* -qx */
    PRFDATA_TASK_DUMP,           /* -dump */
    PRFDATA_TASK_TOP,            /* -top: a live view of counter paths */
    PRFDATA_TASK_SERVE,          /* -serve: answer Prometheus */
    PRFDATA_TASK_SAVE,           /* -save: write a data block to a file */
    PRFDATA_TASK_EXPLAIN,        /* -explain: name the metrics that counters become */
    PRFDATA_TASK_VERSION,        /* -version */
    PRFDATA_TASK_HELP            /* -? */
} prfdata_options_task;

struct prfdata_format;

typedef enum prfdata_options_source {
    PRFDATA_SOURCE_SYSTEM,
    PRFDATA_SOURCE_DLL,     /* -dll */
    PRFDATA_SOURCE_REGIONS, /* -regions */
    PRFDATA_SOURCE_FILES    /* -file */
} prfdata_options_source;

/* The value of -service. */
typedef enum prfdata_options_service {
    PRFDATA_SERVICE_NONE,
    /* Register prfread as a service, with the other arguments as its command line. */
    PRFDATA_SERVICE_INSTALL,
    PRFDATA_SERVICE_REMOVE,
    PRFDATA_SERVICE_RUN /* given by the service manager: this process is the service */
} prfdata_options_service;

/* Options that cannot be combined with some tasks, sources or formats. */
typedef enum prfdata_options_given {
    PRFDATA_ARGUMENT_SI,
    PRFDATA_ARGUMENT_SC,
    PRFDATA_ARGUMENT_LIMIT,
    PRFDATA_ARGUMENT_F,
    PRFDATA_ARGUMENT_O,
    PRFDATA_ARGUMENT_CF,
    PRFDATA_ARGUMENT_STATS,
    PRFDATA_ARGUMENT_NOCAP,
    PRFDATA_ARGUMENT_ZERO,
    PRFDATA_ARGUMENT_UTF8,
    PRFDATA_ARGUMENT_PARTS,
    PRFDATA_ARGUMENT_METRICS,
    PRFDATA_ARGUMENT_READER,
    PRFDATA_ARGUMENT_OPEN,
    PRFDATA_ARGUMENT_COLLECT,
    PRFDATA_ARGUMENT_CLOSE,
    PRFDATA_ARGUMENT_HOST,
    PRFDATA_ARGUMENT_COUNT
} prfdata_options_given;

typedef struct prfdata_options {
    prfdata_options_task task;
    uint32_t interval_ms;                /* -si; default 1000 */
    uint32_t limit_ms;                   /* -limit: time for a provider's answer; default 10,000 */
    uint32_t sample_count;               /* -sc; 0: until Ctrl+C */
    const struct prfdata_format *format; /* -f; default CSV */
    prfdata_text file;                   /* -o; empty: standard output */
    bool overwrite;                      /* -y */
    bool statistics;                     /* -stats: print statistics at the end */
    bool uncapped;                       /* -nocap: percentages may exceed 100 */
    bool is_utf8;                        /* -utf8: files of CSV and TSV are UTF-8 */
    bool idle_zeros;                     /* -zero: averages without operations become 0 */
    bool with_parts;           /* -parts: for Prometheus, also show the parts of a metric */
    prfdata_text reader;       /* -reader: the label of metrics about prfread; empty: none */
    prfdata_text metrics_file; /* -metrics: other names for Prometheus; empty: none */
    prfdata_text counter_file; /* -cf: paths, one per line; empty: none */
    prfdata_text config_file;  /* -config: options and paths; empty: none */
    /* The settings in the file of -config, to find the line of a value; empty or NULL without
     * -config. */
    const struct prfdata_settings *settings;
    prfdata_options_service service;
    prfdata_options_source source;
    /* With -dll: the file, or the name of a service; with -regions: the service; with -file: the
     * first file. */
    prfdata_text source_name;
    prfdata_text second_file; /* with -file: the second file; empty: none */
    /*
     * -open, -collect and -close, with -dll. Empty: the registered names, or the defaults of
     * prfdata_registration_of_dll().
     */
    prfdata_text open_export;
    prfdata_text collect_export;
    prfdata_text close_export;
    prfdata_text save_file;     /* -save */
    prfdata_text serve_address; /* -serve: [address:]port */
    prfdata_text host_names;    /* -host: names of this computer, separated by commas */
    prfdata_text computer;      /* -s; empty: not given */
    prfdata_text *names;        /* counter paths or objects; the caller owns the array */
    size_t name_count;

    /* The options as the user wrote them; empty: not given. */
    prfdata_text given[PRFDATA_ARGUMENT_COUNT];
} prfdata_options;

/* Return the name of the option at this index, without its mark; NULL: there is none. */
const char *prfdata_options_name_at(size_t index);

/*
 * Set the defaults.
 * names  Room for as many strings as there will be arguments; borrowed.
 */
void prfdata_options_init(prfdata_options *options, prfdata_text *names);

/*
 * Read arguments. Call this first with those of the settings file, if there is one, and then with
 * those of the command line. Later values replace earlier ones, but one call accepts only one task
 * and one source. Counter paths and objects are added.
 *
 * options  Partly changed on failure. Borrows from the arguments.
 * error    Set on failure; borrows from the arguments.
 */
bool prfdata_options_read(prfdata_options *options, size_t count, const uint16_t *const *arguments,
                          prfdata_arguments_error *error);

/*
 * After all arguments are read, check that they can be combined and that they say what to do.
 * error  Set on failure.
 */
bool prfdata_options_check(const prfdata_options *options, prfdata_arguments_error *error);

/*
 * Return the number of samples for a task that takes one sample if neither -si nor -sc is given. 0:
 * the task takes samples until the user stops it.
 */
uint32_t prfdata_options_sample_count(const prfdata_options *options);

/*
 * Return the computer of -s. If neither -s nor -cf is given, and all paths in `names` name the same
 * computer, return that computer. Otherwise the result is empty, which means this computer.
 */
prfdata_text prfdata_options_computer(const prfdata_options *options);

#endif
