/* SPDX-License-Identifier: MIT */
/* Implements DllMain for DLLs that have none. It is in a separate object, so that a DLL's own
 * DllMain is used if there is one. */
int __stdcall DllMain(void *module, unsigned reason, void *reserved);

int __stdcall DllMain(void *module, unsigned reason, void *reserved)
{
    (void)module;
    (void)reason;
    (void)reserved;
    return 1;
}
