/* SPDX-License-Identifier: MIT */
/* Richter's article includes <Windows.h>, which a case-sensitive file system does not find. This
 * folder is never in the include path on Windows, where the file would include itself. */
#ifdef _WIN32
#include <windows.h>
#endif
