/* SPDX-License-Identifier: MIT */
/*
 * Checks that only administrators can change the program and the files that the service's options
 * name. Anyone who can replace one of them decides what NT SERVICE\prfread does. Windows only.
 */
#ifndef PRFDATA_READER_SERVICE_PROTECTION_H
#define PRFDATA_READER_SERVICE_PROTECTION_H

#include "prfread/options.h"
#include "text/messages.h"

/*
 * Check the program and each file that its command names.
 *
 * program   The program's complete path.
 * messages  Gets an error for each missing file, and for each file that accounts other than
 *           administrators can change.
 *
 * Returns whether all files exist and only administrators can change them. A name of a service
 * after -dll is not checked.
 */
bool prfdata_service_protection_check(const uint16_t *program, const prfdata_options *options,
                                      prfdata_messages *messages);

#endif
