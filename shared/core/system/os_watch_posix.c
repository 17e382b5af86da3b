/* SPDX-License-Identifier: MIT */
/* Makes no watches (os_watch.h). On Linux, a later call of the program tries again to publish. */
#include "system/os_watch.h"

#include <stddef.h>

prfdata_os_watch *prfdata_os_watch_make(prfdata_os_watch_call *call, uintptr_t id)
{
    (void)call;
    (void)id;
    return NULL;
}

void prfdata_os_watch_settings(prfdata_os_watch *watch, const char *service_name,
                               uint32_t milliseconds)
{
    (void)watch;
    (void)service_name;
    (void)milliseconds;
}

void prfdata_os_watch_clock(prfdata_os_watch *watch, uint32_t milliseconds)
{
    (void)watch;
    (void)milliseconds;
}

void prfdata_os_watch_end(prfdata_os_watch *watch)
{
    (void)watch;
}
