// Compiles the article's map as C++, in which it was written.
#include "HWInputPrfDataMap.c"
