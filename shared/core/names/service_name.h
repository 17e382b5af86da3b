/* SPDX-License-Identifier: MIT */
/*
 * Checks the name of a service, which is also the name of a registry key, a folder and files, and a
 * part of the names of metrics.
 */
#ifndef PRFDATA_SERVICE_NAME_H
#define PRFDATA_SERVICE_NAME_H

#include <stdbool.h>

bool prfdata_service_name_is_right(const char *service);

#endif
