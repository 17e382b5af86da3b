// SPDX-License-Identifier: MIT
// The article's map compiled as what it was written in, C++.
#include "HWInputPrfDataMap.c"
