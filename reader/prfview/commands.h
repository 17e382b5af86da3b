/* SPDX-License-Identifier: MIT */
/* Makes the menus and keys of the commands, and runs commands. */
#ifndef PRFDATA_READER_COMMANDS_H
#define PRFDATA_READER_COMMANDS_H

#include "prfview/app.h"

HMENU prfdata_commands_menu(const prfdata_app *app);
HACCEL prfdata_commands_accelerators(void);
void prfdata_commands_run(prfdata_app *app, uint32_t command);
void prfdata_commands_update_menu(prfdata_app *app);

#endif
