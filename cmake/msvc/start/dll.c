/* SPDX-License-Identifier: MIT */
/* Implements the entry of DLLs. */
#include "start.h"

int __stdcall DllMain(void *module, unsigned reason, void *reserved);
int __stdcall _DllMainCRTStartup(void *module, unsigned reason, void *reserved);

int __stdcall _DllMainCRTStartup(void *module, unsigned reason, void *reserved)
{
    return DllMain(module, reason, reserved);
}
