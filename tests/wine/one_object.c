/* SPDX-License-Identifier: MIT */
/* Implements the smallest correct provider. It has one empty object, which it returns only if the
 * query is exactly the object's title index, so that it disturbs no other query. */
#include <string.h>

#include <windows.h>
#include <winperf.h>

#include "one_object.h"

__declspec(dllexport) DWORD APIENTRY OneObjectOpen(LPWSTR names);
__declspec(dllexport) DWORD APIENTRY
    OneObjectCollect(LPWSTR query, LPVOID *data, LPDWORD data_bytes, LPDWORD object_count);
__declspec(dllexport) DWORD APIENTRY OneObjectClose(void);

typedef struct one_object {
    PERF_OBJECT_TYPE type;
    PERF_COUNTER_BLOCK counters;
    DWORD padding;
} one_object;

DWORD APIENTRY OneObjectOpen(LPWSTR names)
{
    (void)names;
    return ERROR_SUCCESS;
}

DWORD APIENTRY OneObjectCollect(LPWSTR query, LPVOID *data, LPDWORD data_bytes,
                                LPDWORD object_count)
{
    one_object object;

    if (!query || lstrcmpW(query, ONE_OBJECT_QUERY) != 0) {
        *data_bytes = 0;
        *object_count = 0;
        return ERROR_SUCCESS;
    }
    if (*data_bytes < sizeof(object)) {
        *data_bytes = 0;
        *object_count = 0;
        return ERROR_MORE_DATA;
    }

    memset(&object, 0, sizeof(object));
    object.type.TotalByteLength = sizeof(object);
    object.type.DefinitionLength = sizeof(object.type);
    object.type.HeaderLength = sizeof(object.type);
    object.type.ObjectNameTitleIndex = ONE_OBJECT_INDEX;
    object.type.ObjectHelpTitleIndex = ONE_OBJECT_INDEX + 1;
    object.type.DetailLevel = PERF_DETAIL_NOVICE;
    object.type.DefaultCounter = -1;
    object.type.NumInstances = PERF_NO_INSTANCES;
    object.counters.ByteLength = sizeof(object.counters) + sizeof(object.padding);
    memcpy(*data, &object, sizeof(object));

    *data = (unsigned char *)*data + sizeof(object);
    *data_bytes = sizeof(object);
    *object_count = 1;
    return ERROR_SUCCESS;
}

DWORD APIENTRY OneObjectClose(void)
{
    return ERROR_SUCCESS;
}
