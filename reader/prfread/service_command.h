/* SPDX-License-Identifier: MIT */
/* Makes the command line by which the service manager starts prfread -serve as a service.
 * Portable. */
#ifndef PRFDATA_READER_SERVICE_COMMAND_H
#define PRFDATA_READER_SERVICE_COMMAND_H

#include "prfread/options.h"
#include "text/messages.h"

/* The name of the service, of its account below NT SERVICE, and of its event source. */
#define PRFDATA_SERVICE_NAME "prfread"

/* The number of options whose values are files or may be files. */
enum { PRFDATA_SERVICE_FILES = 4 };

/*
 * List the values of the options for files as the user wrote them; empty: not given. The first may
 * be the name of a service.
 */
void prfdata_service_command_files(const prfdata_options *options,
                                   prfdata_text files[PRFDATA_SERVICE_FILES]);

/*
 * Put the complete path of a file, in quotes if necessary.
 *
 * must_exist  Whether to fail if there is no such file. True if the text may be a service's name.
 * Returns false, and puts nothing, on failure.
 */
typedef bool prfdata_service_command_complete(prfdata_text file, bool must_exist,
                                              prfdata_output *path);

/*
 * Put the program, "-service run", and the arguments without -service and its value. The program is
 * always quoted, an argument if necessary. Files get complete paths, because a service does not
 * start in the user's current folder.
 *
 * program    The program's complete path.
 * arguments  `count` strings with NULs, from which `options` were read.
 * messages   Gets the problems.
 *
 * Returns false, and puts nothing, if the file of -config names a file without its complete path.
 */
bool prfdata_service_command_put(prfdata_output *line, prfdata_text program, size_t count,
                                 const uint16_t *const *arguments, const prfdata_options *options,
                                 prfdata_service_command_complete *complete,
                                 prfdata_messages *messages);

/* Returns whether the arguments begin with -service run, which means that this process is the
 * service. */
bool prfdata_service_command_is_run(size_t count, const uint16_t *const *arguments);

/*
 * Returns whether a registered command line has the form that prfdata_service_command_put() makes,
 * for any path of prfread. Otherwise the service belongs to another product.
 */
bool prfdata_service_command_is_ours(prfdata_text line);

#endif
