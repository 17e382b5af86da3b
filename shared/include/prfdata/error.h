/* SPDX-License-Identifier: MIT */
/*
 * Defines the Win32 error codes that PrfData returns, for systems whose headers lack them. Every
 * function that can fail returns an error code as uint32_t. On Windows the codes come from
 * <winerror.h>, and a function may return another code of the system.
 */
#ifndef PRFDATA_ERROR_H
#define PRFDATA_ERROR_H

#ifdef _WIN32
#include <winerror.h>
#else
#define ERROR_SUCCESS                   0
#define ERROR_FILE_NOT_FOUND            2
#define ERROR_PATH_NOT_FOUND            3
#define ERROR_ACCESS_DENIED             5
#define ERROR_INVALID_HANDLE            6
#define ERROR_NOT_ENOUGH_MEMORY         8
#define ERROR_INVALID_DATA              13
#define ERROR_NOT_READY                 21
#define ERROR_GEN_FAILURE               31
#define ERROR_SHARING_VIOLATION         32
#define ERROR_NOT_SUPPORTED             50
#define ERROR_FILE_EXISTS               80
#define ERROR_INVALID_PARAMETER         87
#define ERROR_BROKEN_PIPE               109
#define ERROR_DISK_FULL                 112
#define ERROR_INSUFFICIENT_BUFFER       122
#define ERROR_INVALID_NAME              123
#define ERROR_ALREADY_EXISTS            183
#define ERROR_FILENAME_EXCED_RANGE      206
#define ERROR_FILE_TOO_LARGE            223
#define ERROR_MORE_DATA                 234
#define ERROR_NO_MORE_ITEMS             259
#define ERROR_SERVICE_DISABLED          1058
#define ERROR_NOT_FOUND                 1168
#define ERROR_CANCELLED                 1223
#define ERROR_REVISION_MISMATCH         1306
#define ERROR_NO_SYSTEM_RESOURCES       1450
#define ERROR_TIMEOUT                   1460
#define ERROR_NOT_ENOUGH_QUOTA          1816
#define ERROR_DEPENDENT_RESOURCE_EXISTS 5001
#endif

#endif
