/* SPDX-License-Identifier: MIT */
#include "support/ras_rates.h"

#include <stdio.h>

/* clang-format off */
#define main            ras_rates
#define raw_titles_read ras_rates_titles
#define Sleep           ras_rates_sleep
#define printf          ras_rates_print
#include "rates.c"
