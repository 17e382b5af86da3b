// SPDX-License-Identifier: MIT

package prfdata

import (
	"syscall"
	"unicode/utf16"
	"unsafe"
)

const libraryName = "prfdata.dll"

// Loads the library by its full path, and finds its functions.
func openLibrary(path string, functions []*function) error {
	library, err := syscall.LoadDLL(path)
	if err != nil {
		return err
	}
	for _, each := range functions {
		procedure, err := library.FindProc(each.name)
		if err != nil {
			return err
		}
		each.address = procedure.Addr()
	}
	return nil
}

//go:uintptrescapes

// call calls a function. On 32-bit Windows, a result of 64 bits is in two words.
func (to *function) call(arguments ...uintptr) (uintptr, uintptr) {
	low, high, _ := syscall.SyscallN(to.address, arguments...)
	return low, high
}

func windowsError(code uintptr) error { return syscall.Errno(code) }

// wideText returns a text without NUL as C's wide characters.
func wideText(text string) unsafe.Pointer {
	wide := append(utf16.Encode([]rune(text)), 0)
	return unsafe.Pointer(&wide[0])
}
