/* SPDX-License-Identifier: MIT */
/* Declares questions about the numbers of a boot. Windows only. */
#ifndef PRFDATA_KIT_ASK_BOOT_H
#define PRFDATA_KIT_ASK_BOOT_H

#include "kit.h"

/* Records the two numbers of this boot. Call it before the first question. kit_ask_boot(), in a
 * later process, compares them with the numbers at that time. */
void kit_note_boot(void);
void kit_ask_boot(kit *k);

#endif
