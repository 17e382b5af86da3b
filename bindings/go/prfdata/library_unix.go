// SPDX-License-Identifier: MIT

//go:build !windows && cgo

package prfdata

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// Every function of the library takes at most five words. A callee ignores those that it does not take.
static uint64_t prfdata_go_call(uintptr_t address, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e)
{
	return ((uint64_t (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t))address)(a, b, c, d, e);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

const libraryName = "libprfdata.so"

// Loads the library by its full path, and finds its functions.
func openLibrary(path string, functions []*function) error {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		return errors.New("the module is for 64-bit systems")
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	library := C.dlopen(name, C.RTLD_NOW|C.RTLD_LOCAL)
	if library == nil {
		return errors.New(C.GoString(C.dlerror()))
	}
	for _, each := range functions {
		symbol := C.CString(each.name)
		each.address = uintptr(C.dlsym(library, symbol))
		C.free(unsafe.Pointer(symbol))
		if each.address == 0 {
			return fmt.Errorf("it has no %s", each.name)
		}
	}
	return nil
}

//go:uintptrescapes

// call calls a function. The first word has the whole result, because this system has 64 bits.
func (to *function) call(arguments ...uintptr) (uintptr, uintptr) {
	var a [5]C.uintptr_t
	for i, argument := range arguments {
		a[i] = C.uintptr_t(argument)
	}
	return uintptr(C.prfdata_go_call(C.uintptr_t(to.address), a[0], a[1], a[2], a[3], a[4])), 0
}

// windowsError is a Windows error, which the library returns on every system.
type windowsError uintptr

func (code windowsError) Error() string { return fmt.Sprintf("Windows error %d", uintptr(code)) }

// wideText returns a text without NUL as C's wide characters, which have 32 bits here.
func wideText(text string) unsafe.Pointer {
	wide := append([]rune(text), 0)
	return unsafe.Pointer(&wide[0])
}
