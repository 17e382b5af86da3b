// SPDX-License-Identifier: MIT

//go:build !windows && !cgo

package prfdata

// On this system the module needs cgo: build with CGO_ENABLED=1 and a C compiler.
var _ = prfdata_needs_cgo_on_this_system
