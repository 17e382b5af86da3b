/* SPDX-License-Identifier: MIT */
/* Checks the names of services. */
#include "names/service_name.h"

#include <string.h>

#include <prfdata/map.h>

#include "names/ascii.h"

/*
 * Whether Windows takes the name for a device, such as CON. Only the part before the first dot
 * matters, and blanks before the dot do not count.
 */
static bool is_device_name(const char *service)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul"};
    char stem[5] = "";
    size_t length = strcspn(service, ".");

    while (length > 0 && service[length - 1] == ' ')
        length--;
    if (length < 3 || length > 4)
        return false;
    memcpy(stem, service, length);
    if (length == 4) {
        bool has_number = stem[3] >= '1' && stem[3] <= '9';

        stem[3] = 0;
        return has_number && (prfdata_ascii_equal(stem, "com") || prfdata_ascii_equal(stem, "lpt"));
    }
    for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
        if (prfdata_ascii_equal(stem, devices[i]))
            return true;
    }
    return false;
}

/*
 * Whether the name ends like a title file. The data folder has a folder for each service, and next
 * to it the files <service>.ini and <service>.h. The folder of a service "a.ini" would have the
 * name of a file of the service "a".
 */
static bool is_title_file_name(const char *service, size_t length)
{
    return (length > 4 && prfdata_ascii_equal(service + length - 4, ".ini")) ||
           (length > 2 && prfdata_ascii_equal(service + length - 2, ".h"));
}

bool prfdata_service_name_is_right(const char *service)
{
    size_t length = 0;

    while (service[length] != 0) {
        unsigned char c = (unsigned char)service[length];
        bool is_plain = prfdata_ascii_is_letter(c) || prfdata_ascii_is_digit(c);

        if (++length > PRFDATA_MAX_SERVICE_CHARS)
            return false;
        if (!is_plain && (length == 1 || !strchr(" ._-", c)))
            return false;
    }
    if (length == 0 || service[length - 1] == '.' || service[length - 1] == ' ')
        return false;
    return !is_device_name(service) && !is_title_file_name(service, length);
}
