/* SPDX-License-Identifier: MIT */
/*
 * The name of a service: it is that of a key of the registry, of a folder and of files, and a part
 * of the names of metrics.
 */
#ifndef PRFDATA_SERVICE_NAME_H
#define PRFDATA_SERVICE_NAME_H

#include <stdbool.h>

bool prfdata_service_name_is_right(const char *service);

#endif
