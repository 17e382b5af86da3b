/* SPDX-License-Identifier: MIT */
/* Implements the entry of console programs with wmain(). */
#include "start.h"

int wmain(int argc, wchar_t **argv);

int wmainCRTStartup(void)
{
    _set_app_type(START_CONSOLE);
    _configure_wide_argv(START_UNEXPANDED_ARGUMENTS);
    _initialize_wide_environment();
    exit(wmain(*__p___argc(), *__p___wargv()));
}
