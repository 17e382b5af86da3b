/* SPDX-License-Identifier: MIT */
/* Declares questions about the numbers of a boot. Windows only. */
#ifndef PRFDATA_KIT_ASK_BOOT_H
#define PRFDATA_KIT_ASK_BOOT_H

#include "kit.h"

/* Records the numbers before the first question. kit_ask_boot(), which a later process calls,
 * compares them. */
void kit_note_boot(void);
void kit_ask_boot(kit *k);

#endif
