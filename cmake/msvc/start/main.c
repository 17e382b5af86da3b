/* SPDX-License-Identifier: MIT */
/* Implements the entry of console programs with main(). */
#include "start.h"

int main(int argc, char **argv);

int mainCRTStartup(void)
{
    _set_app_type(START_CONSOLE);
    _configure_narrow_argv(START_UNEXPANDED_ARGUMENTS);
    _initialize_narrow_environment();
    exit(main(*__p___argc(), *__p___argv()));
}
