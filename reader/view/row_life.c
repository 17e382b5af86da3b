/* SPDX-License-Identifier: MIT */
/* Counts samples: a disk that does nothing during one of them does not come and go with each. */
#include "view/row_life.h"

void prfdata_row_life_show(prfdata_row_life *life, uint32_t sample, bool is_zero)
{
    life->is_present = true;
    if (!is_zero)
        life->busy = sample;
}

bool prfdata_row_life_follow(prfdata_row_life *life, uint32_t sample, bool is_next)
{
    if (!is_next && life->came == sample)
        life->came = 0;
    if (!is_next && !(life->is_present && life->busy == sample))
        life->busy = 0;
    life->is_new = life->came > 1 && sample - life->came < PRFDATA_ROW_LIFE_WHILE;
    life->is_idle = life->busy == 0 || sample - life->busy >= PRFDATA_ROW_LIFE_WHILE;
    life->left = life->is_present ? 0 : is_next ? life->left + 1 : PRFDATA_ROW_LIFE_WHILE;
    return life->left < PRFDATA_ROW_LIFE_WHILE;
}
