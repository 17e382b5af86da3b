/* SPDX-License-Identifier: MIT */
/* Publishes two instances: the argument names one, and the other one has the same name in all
 * writers. Counts once, prints "counted", and waits to be killed. Every writer counts the same
 * numbers. */
#include <stdio.h>
#include <wchar.h>

#include <windows.h>

#include "bitness_map.h"

#define LARGE 5000000001 /* 33 bits */

int wmain(int argument_count, wchar_t **arguments);

static prfdata_handle resolve(prfdata_publisher *publisher, uint32_t counter_id,
                              const prfdata_instance *instance)
{
    prfdata_handle handle;

    if (prfdata_resolve(publisher, counter_id, instance, &handle) != ERROR_SUCCESS)
        printf("counter %u was not found\n", (unsigned)counter_id);
    return handle;
}

int wmain(int argument_count, wchar_t **arguments)
{
    prfdata_publisher *publisher;
    prfdata_instance own, common;
    uint32_t status;

    if (argument_count != 2)
        return 2;
    status = prfdata_open(&prfdata_default_map, &publisher);
    if (status == ERROR_SUCCESS)
        status = prfdata_instance_add(publisher, PARTS, arguments[1], NULL, &own);
    if (status == ERROR_SUCCESS)
        status = prfdata_instance_add(publisher, PARTS, L"gr\u00F6\u00DFer", NULL, &common);
    if (status != ERROR_SUCCESS) {
        printf("error %u\n", (unsigned)status);
        return 1;
    }

    prfdata_add(resolve(publisher, WHOLE_LARGE, NULL), LARGE);
    prfdata_add(resolve(publisher, WHOLE_SMALL, NULL), 7);
    prfdata_set(resolve(publisher, WHOLE_GAUGE, NULL), LARGE);
    prfdata_subtract(resolve(publisher, WHOLE_GAUGE, NULL), 1);
    prfdata_set(resolve(publisher, WHOLE_USED, NULL), 1);
    prfdata_set(resolve(publisher, WHOLE_USED_BASE, NULL), 4);
    prfdata_add(resolve(publisher, PARTS_LARGE, &own), LARGE);
    prfdata_raise(resolve(publisher, PARTS_GAUGE, &own), 3);
    prfdata_add(resolve(publisher, PARTS_LARGE, &common), LARGE);
    prfdata_raise(resolve(publisher, PARTS_GAUGE, &common), 3);

    puts("counted");
    fflush(stdout);
    Sleep(10 * 60 * 1000); /* in case the test does not kill it */
    prfdata_close(publisher);
    return 0;
}
