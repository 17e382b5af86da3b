/* SPDX-License-Identifier: MIT */
/* For DLLs without a DllMain: an object of its own, so that a DLL's own one wins. */
int __stdcall DllMain(void *module, unsigned reason, void *reserved);

int __stdcall DllMain(void *module, unsigned reason, void *reserved)
{
    (void)module;
    (void)reason;
    (void)reserved;
    return 1;
}
