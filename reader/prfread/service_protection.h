/* SPDX-License-Identifier: MIT */
/*
 * The check that only administrators can change what the service starts and reads: whoever can
 * replace it becomes NT SERVICE\prfread at the next start of the system. Windows only.
 */
#ifndef PRFDATA_READER_SERVICE_PROTECTION_H
#define PRFDATA_READER_SERVICE_PROTECTION_H

#include "prfread/options.h"
#include "text/messages.h"

/*
 * Look at the program and at each file that its command names.
 *
 * program   Its complete path.
 * messages  Gets what others than administrators can change, and how; and which file is not there.
 *
 * Returns whether they cannot, and all files are there.
 */
bool prfdata_service_protection_check(const uint16_t *program, const prfdata_options *options,
                                      prfdata_messages *messages);

#endif
