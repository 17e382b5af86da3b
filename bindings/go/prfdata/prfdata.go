// SPDX-License-Identifier: MIT

//go:build windows

// Package prfdata publishes performance counters: what a map file declares, by prfdata.dll.
//
//	publisher := prfdata.Open("queues.prfmap")
//	defer publisher.Close()
//	mail := publisher.Add("QUEUES", "mail", nil)
//	jobs := mail.Counter("QUEUES_JOBS")
//	jobs.Increment()
//
// No call fails: a counter of what could not be opened, added or found counts where no reader sees
// it. Publisher.Status says why; Err of an instance, a counter and so on is nil if the map has it.
// Every method may be called by any goroutine at any time.
package prfdata

import (
	"fmt"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const version = 1
const statusBytes = 1536

// The most that prfdata_call_get_sizes may say; aligned as the fields of C are.
type memory [16]uint64

var (
	library       = syscall.NewLazyDLL("prfdata.dll")
	callVersion   = library.NewProc("prfdata_call_version")
	callFindID    = library.NewProc("prfdata_call_find_id")
	callCell      = library.NewProc("prfdata_call_cell")
	callAdd       = library.NewProc("prfdata_call_add")
	callSet       = library.NewProc("prfdata_call_set")
	callRaise     = library.NewProc("prfdata_call_raise")
	callGet       = library.NewProc("prfdata_call_get")
	callAverage   = library.NewProc("prfdata_call_average_add")
	callStart     = library.NewProc("prfdata_call_timer_start")
	callStop      = library.NewProc("prfdata_call_timer_stop")
	record        = library.NewProc("prfdata_call_record")
	recordStart   = library.NewProc("prfdata_call_record_start")
	recordSince   = library.NewProc("prfdata_call_record_since")
	openFile      = library.NewProc("prfdata_open_file")
	closeIt       = library.NewProc("prfdata_close")
	status        = library.NewProc("prfdata_status")
	retry         = library.NewProc("prfdata_retry")
	addInstance   = library.NewProc("prfdata_instance_add")
	findInstance  = library.NewProc("prfdata_instance_find")
	dropInstance  = library.NewProc("prfdata_instance_remove")
	resolve       = library.NewProc("prfdata_resolve")
	resolvePair   = library.NewProc("prfdata_resolve_pair")
	resolveShape  = library.NewProc("prfdata_resolve_distribution")
	beginTogether = library.NewProc("prfdata_begin")
	endTogether   = library.NewProc("prfdata_end")
)

// Publisher has the counters of one map file. Open one, for as long as the program runs.
type Publisher struct {
	pointer uintptr // nil in C where there is none; nothing of Go's
	failure string  // why the DLL was not loaded
}

// Instance is an instance of an object, or an object without instances.
type Instance struct {
	publisher *Publisher
	memory    *memory
	outcome
}

// What a look-up returned.
type outcome struct{ code uintptr }

// Err is nil, or Windows' error: what is counted here is not seen by readers.
func (result outcome) Err() error {
	if result.code == 0 {
		return nil
	}
	return syscall.Errno(result.code)
}

// No DLL was loaded, or a name has a NUL.
const invalidHandle, invalidName = 6, 123

// Distribution is how often values of which size occurred: the percentiles, mean and counts of a map.
type Distribution struct {
	memory memory
	loaded bool
	outcome
}

// Counter is a counter of one instance.
type Counter struct {
	cell   *int64 // nil: count by calls
	memory memory
	loaded bool
	outcome
}

// Average is a counter with its base: an average, a fraction, a timer.
type Average struct {
	memory memory
	loaded bool
	outcome
}

func load() error {
	if err := callVersion.Find(); err != nil {
		return err
	}
	if found, _, _ := callVersion.Call(); uint32(found) != version {
		return fmt.Errorf("prfdata.dll has version %d of its calls, and this package is written for %d",
			found, version)
	}
	return nil
}

// Open publishes the counters of a map file.
func Open(path string) *Publisher {
	publisher := &Publisher{}
	if err := load(); err != nil {
		publisher.failure = err.Error()
		return publisher
	}
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		publisher.failure = err.Error()
		return publisher
	}
	openFile.Call(uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(&publisher.pointer)))
	return publisher
}

// Close hides the instances; what was counted stays in the totals. Again, it does nothing.
func (publisher *Publisher) Close() {
	if publisher.failure == "" {
		closeIt.Call(atomic.SwapUintptr(&publisher.pointer, 0))
	}
}

// Status says whether readers see the counters, and if not, why.
func (publisher *Publisher) Status() string {
	if publisher.failure != "" {
		return publisher.failure
	}
	text := make([]byte, statusBytes)
	status.Call(publisher.pointer, uintptr(unsafe.Pointer(&text[0])), statusBytes)
	for i, b := range text {
		if b == 0 {
			return string(text[:i])
		}
	}
	return string(text)
}

// Retry tries now to publish, where that failed before.
func (publisher *Publisher) Retry() error {
	if publisher.failure != "" {
		return fmt.Errorf("%s", publisher.failure)
	}
	if code, _, _ := retry.Call(publisher.pointer); code != 0 {
		return syscall.Errno(code)
	}
	return nil
}

// The id of a symbol of the map file. Of an unknown one, the highest number there is.
func (publisher *Publisher) idOf(symbol string) uintptr {
	id := ^uint32(0)
	name, err := syscall.BytePtrFromString(symbol)
	if err == nil {
		callFindID.Call(publisher.pointer, uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(&id)))
	}
	return uintptr(id)
}

func (publisher *Publisher) lookUp(function *syscall.LazyProc, object, name string, parent *Instance) *Instance {
	instance := &Instance{publisher, new(memory), outcome{invalidHandle}}
	if publisher.failure != "" {
		return instance
	}
	wide, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		instance.code = invalidName
		return instance
	}
	var above unsafe.Pointer
	if parent != nil {
		above = unsafe.Pointer(parent.memory)
	}
	code, _, _ := function.Call(publisher.pointer, publisher.idOf(object), uintptr(unsafe.Pointer(wide)),
		uintptr(above), uintptr(unsafe.Pointer(instance.memory)))
	instance.code = uintptr(uint32(code))
	return instance
}

// Add adds an instance by name, below an instance of the parent object if the map has one.
func (publisher *Publisher) Add(object, name string, parent *Instance) *Instance {
	return publisher.lookUp(addInstance, object, name, parent)
}

// Find returns an instance that was added before.
func (publisher *Publisher) Find(object, name string, parent *Instance) *Instance {
	return publisher.lookUp(findInstance, object, name, parent)
}

// Single is for the counters of objects without instances.
func (publisher *Publisher) Single() *Instance {
	return &Instance{publisher, nil, outcome{}}
}

// Remove removes the instance; what was counted stays in the totals.
func (instance *Instance) Remove() {
	if instance.publisher.failure == "" && instance.memory != nil {
		dropInstance.Call(uintptr(unsafe.Pointer(instance.memory)))
	}
}

// Together calls update; readers see its updates of this instance together. Keep it short.
func (instance *Instance) Together(update func()) {
	if instance.publisher.failure != "" || instance.memory == nil {
		update()
		return
	}
	beginTogether.Call(uintptr(unsafe.Pointer(instance.memory)))
	defer endTogether.Call(uintptr(unsafe.Pointer(instance.memory)))
	update()
}

// Counter resolves a counter, once.
func (instance *Instance) Counter(symbol string) *Counter {
	counter := &Counter{outcome: outcome{invalidHandle}}
	if instance.publisher.failure != "" {
		return counter
	}
	counter.loaded = true
	code, _, _ := resolve.Call(instance.publisher.pointer, instance.publisher.idOf(symbol),
		uintptr(unsafe.Pointer(instance.memory)), uintptr(unsafe.Pointer(&counter.memory)))
	counter.code = uintptr(uint32(code))
	cell, _, _ := callCell.Call(uintptr(unsafe.Pointer(&counter.memory)))
	// Memory of the DLL's, which the collector does not move.
	counter.cell = *(**int64)(unsafe.Pointer(&cell))
	return counter
}

// Add counts. In place, without a call, unless the counter is hot.
func (counter *Counter) Add(amount int64) {
	switch {
	case counter.cell != nil:
		atomic.AddInt64(counter.cell, amount)
	case counter.loaded:
		callWide(callAdd, unsafe.Pointer(&counter.memory), amount)
	}
}

// Increment counts one.
func (counter *Counter) Increment() { counter.Add(1) }

// Decrement is for gauges only.
func (counter *Counter) Decrement() { counter.Add(-1) }

// Set is for gauges only.
func (counter *Counter) Set(value int64) {
	if counter.loaded {
		callWide(callSet, unsafe.Pointer(&counter.memory), value)
	}
}

// Raise raises the counter to value if it is smaller.
func (counter *Counter) Raise(value int64) {
	if counter.loaded {
		callWide(callRaise, unsafe.Pointer(&counter.memory), value)
	}
}

// Value is what this publisher shows.
func (counter *Counter) Value() int64 {
	if !counter.loaded {
		return 0
	}
	low, high, _ := callGet.Call(uintptr(unsafe.Pointer(&counter.memory)))
	return wide(low, high)
}

// Average resolves a counter together with its base, once.
func (instance *Instance) Average(symbol string) *Average {
	average := &Average{outcome: outcome{invalidHandle}}
	if instance.publisher.failure != "" {
		return average
	}
	average.loaded = true
	code, _, _ := resolvePair.Call(instance.publisher.pointer, instance.publisher.idOf(symbol),
		uintptr(unsafe.Pointer(instance.memory)), uintptr(unsafe.Pointer(&average.memory)))
	average.code = uintptr(uint32(code))
	return average
}

// Add counts one operation of amount.
func (average *Average) Add(amount int64) {
	if average.loaded {
		callWide(callAverage, unsafe.Pointer(&average.memory), amount)
	}
}

// Time counts one operation that lasts as long as operation.
func (average *Average) Time(operation func()) time.Duration {
	begun := time.Now()
	if !average.loaded {
		operation()
		return time.Since(begun)
	}
	low, high, _ := callStart.Call(uintptr(unsafe.Pointer(&average.memory)))
	started := wide(low, high)
	defer callWide(callStop, unsafe.Pointer(&average.memory), started)
	operation()
	return time.Since(begun)
}

// Distribution resolves a distribution, once: by its number, for in a map file it has no symbol.
func (instance *Instance) Distribution(number uint32) *Distribution {
	distribution := &Distribution{outcome: outcome{invalidHandle}}
	if instance.publisher.failure != "" {
		return distribution
	}
	distribution.loaded = true
	code, _, _ := resolveShape.Call(instance.publisher.pointer, uintptr(number),
		uintptr(unsafe.Pointer(instance.memory)), uintptr(unsafe.Pointer(&distribution.memory)))
	distribution.code = uintptr(uint32(code))
	return distribution
}

// Record records one value, from 0, in the distribution's unit.
func (distribution *Distribution) Record(value int64) {
	if distribution.loaded {
		callWide(record, unsafe.Pointer(&distribution.memory), value)
	}
}

// Time records how long operation lasts. The unit is 100ns.
func (distribution *Distribution) Time(operation func()) {
	if !distribution.loaded {
		operation()
		return
	}
	low, high, _ := recordStart.Call()
	defer callWide(recordSince, unsafe.Pointer(&distribution.memory), wide(low, high))
	operation()
}

// A call with a 64-bit number, which takes two words on 32-bit Windows.
func callWide(function *syscall.LazyProc, first unsafe.Pointer, number int64) {
	if unsafe.Sizeof(uintptr(0)) == 8 {
		function.Call(uintptr(first), uintptr(number))
	} else {
		function.Call(uintptr(first), uintptr(uint32(number)), uintptr(uint32(number>>32)))
	}
}

// A 64-bit result, which comes in two words on 32-bit Windows.
func wide(low, high uintptr) int64 {
	if unsafe.Sizeof(uintptr(0)) == 8 {
		return int64(low)
	}
	return int64(uint64(low) | uint64(high)<<32)
}
