/* SPDX-License-Identifier: MIT */
/* The command line by which the service manager starts prfread -serve as a service. Portable. */
#ifndef PRFDATA_READER_SERVICE_COMMAND_H
#define PRFDATA_READER_SERVICE_COMMAND_H

#include "prfread/options.h"
#include "text/messages.h"

/* The name of the service, of its account below NT SERVICE, and of its event source. */
#define PRFDATA_SERVICE_NAME "prfread"

/* The options whose values are files, and those whose values may be. */
enum { PRFDATA_SERVICE_FILES = 4 };

/* List what these options say, as it is written; no chars: nothing. The first may be a name. */
void prfdata_service_command_files(const prfdata_options *options,
                                   prfdata_text files[PRFDATA_SERVICE_FILES]);

/* Whether the text is a name without a path: where one may be a service's, it is not a file's. */
bool prfdata_service_command_is_name(prfdata_text text);

/*
 * Put the complete path of a file.
 *
 * must_exist  The text may also be another name: only a file that exists has a path.
 * Returns false, and puts nothing, if there is none.
 */
typedef bool prfdata_service_command_complete(prfdata_text file, bool must_exist,
                                              prfdata_output *path);

/*
 * Put the program, "-service run" and the arguments without their own -service, each quoted as it
 * needs. A service has no current folder of the user's, so files get complete paths.
 *
 * program    Its complete path.
 * arguments  `count` texts with NULs, that `options` were read from.
 * messages   Gets what is wrong.
 *
 * Returns false if a file has no complete path: one in the file of -config must be written so.
 */
bool prfdata_service_command_put(prfdata_output *line, prfdata_text program, size_t count,
                                 const uint16_t *const *arguments, const prfdata_options *options,
                                 prfdata_service_command_complete *complete,
                                 prfdata_messages *messages);

/* Whether the arguments are those of a line that was put above: this process is the service. */
bool prfdata_service_command_is_run(size_t count, const uint16_t *const *arguments);

/*
 * Whether a registered command line was put above, by this or another copy of prfread. A service of
 * the same name may be another product's.
 */
bool prfdata_service_command_is_ours(prfdata_text line);

#endif
