/* SPDX-License-Identifier: MIT */
/* The entry of DLLs. */
#include "start.h"

int __stdcall DllMain(void *module, unsigned reason, void *reserved);
int __stdcall _DllMainCRTStartup(void *module, unsigned reason, void *reserved);

int __stdcall _DllMainCRTStartup(void *module, unsigned reason, void *reserved)
{
    return DllMain(module, reason, reserved);
}
