/* SPDX-License-Identifier: MIT */
/* Finds the installation of a map, and the folder of its regions. */
#ifndef PRFDATA_CLIENT_INSTALLATION_H
#define PRFDATA_CLIENT_INSTALLATION_H

#include "map/model.h"
#include "system/patience.h"

/*
 * Open the regions folder, if this map may publish. It may if it is the installed map or an earlier
 * one, and if publishing is not switched off.
 *
 * patience   How long this call may still wait.
 * directory  On success the folder; release with prfdata_os_directory_close().
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (not installed), ERROR_REVISION_MISMATCH (another
 *         map, or the value Maps is damaged), ERROR_SERVICE_DISABLED (switched off) or what
 *         prfdata_os_setting_bytes and prfdata_os_directory_open do.
 */
uint32_t prfdata_installation_open_folder(const prfdata_model *model, prfdata_patience *patience,
                                          prfdata_os_directory **directory);

#endif
