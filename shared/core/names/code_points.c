/* SPDX-License-Identifier: MIT */
/* Searches the ranges one by one, because the tables are short. */
#include "names/code_points.h"

bool prfdata_code_points_have(const prfdata_code_points *ranges, size_t count, uint32_t code_point)
{
    for (size_t i = 0; i < count; i++) {
        if (code_point <= ranges[i].last)
            return code_point >= ranges[i].first;
    }
    return false;
}
