// SPDX-License-Identifier: MIT

// Package prfdata publishes the performance counters of a map file, by prfdata.dll. On Linux the
// library is libprfdata.so, and the package needs cgo.
//
//	publisher := prfdata.Open("queues.prfmap")
//	defer publisher.Close()
//	mail := publisher.Add("QUEUES", "mail", nil)
//	jobs := mail.Counter("QUEUES_JOBS")
//	jobs.Increment()
//
// Only SetPrivate and Retry return errors. If something could not be opened, added or found, its
// counters count in memory that no reader sees. Publisher.Status says why, and Err of an instance,
// a counter and so on is a Windows error, or nil. The library is the file that the environment
// variable PRFDATA_LIBRARY names, or the one next to the program. Any goroutine may call any method
// at any time.
package prfdata

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

const version = 1
const statusBytes = 1536

// memory is as large as the largest size that prfdata_call_get_sizes may return, and is aligned
// like C's fields.
type memory [16]uint64

// function is a function of the library; load finds its address. The method that calls it is in
// library_*.go, once for each system.
type function struct {
	name    string
	address uintptr
}

var (
	callVersion   = &function{name: "prfdata_call_version"}
	callFindID    = &function{name: "prfdata_call_find_id"}
	callCell      = &function{name: "prfdata_call_cell"}
	callAdd       = &function{name: "prfdata_call_add"}
	callSet       = &function{name: "prfdata_call_set"}
	callRaise     = &function{name: "prfdata_call_raise"}
	callGet       = &function{name: "prfdata_call_get"}
	callGetValue  = &function{name: "prfdata_call_get_value"}
	callGetBase   = &function{name: "prfdata_call_get_base"}
	callAverage   = &function{name: "prfdata_call_average_add"}
	callStart     = &function{name: "prfdata_call_timer_start"}
	callStop      = &function{name: "prfdata_call_timer_stop"}
	elapsedStart  = &function{name: "prfdata_call_elapsed_start"}
	elapsedStop   = &function{name: "prfdata_call_elapsed_stop"}
	record        = &function{name: "prfdata_call_record"}
	recordStart   = &function{name: "prfdata_call_record_start"}
	recordSince   = &function{name: "prfdata_call_record_since"}
	recordedCount = &function{name: "prfdata_call_recorded_count"}
	recordedSum   = &function{name: "prfdata_call_recorded_sum"}
	recordedMean  = &function{name: "prfdata_call_recorded_mean"}
	recordedShare = &function{name: "prfdata_call_recorded_percentile"}
	setPrivate    = &function{name: "prfdata_set_private"}
	openFile      = &function{name: "prfdata_open_file"}
	closeIt       = &function{name: "prfdata_close"}
	status        = &function{name: "prfdata_status"}
	retry         = &function{name: "prfdata_retry"}
	addInstance   = &function{name: "prfdata_instance_add"}
	findInstance  = &function{name: "prfdata_instance_find"}
	dropInstance  = &function{name: "prfdata_instance_remove"}
	resolve       = &function{name: "prfdata_resolve"}
	resolvePair   = &function{name: "prfdata_resolve_pair"}
	resolveShape  = &function{name: "prfdata_resolve_distribution"}
	beginTogether = &function{name: "prfdata_begin"}
	endTogether   = &function{name: "prfdata_end"}
)

var functions = []*function{callVersion, callFindID, callCell, callAdd, callSet, callRaise, callGet, callGetValue, callGetBase, callAverage, callStart, callStop, elapsedStart, elapsedStop, record, recordStart, recordSince, recordedCount, recordedSum, recordedMean, recordedShare, setPrivate, openFile, closeIt, status, retry, addInstance, findInstance, dropInstance, resolve, resolvePair, resolveShape, beginTogether, endTogether}

// Publisher publishes the counters of one map file. Keep the Publisher open for as long as the
// program runs.
type Publisher struct {
	pointer uintptr // the library's pointer; 0 if there is no publisher
	loaded  bool    // the library may be called, even if there is no publisher
	closed  uint32  // 1 after Close
	failure string  // why loaded is false; "" in a zero Publisher
}

// calls says whether the library may be called. It returns false for a nil or zero Publisher, and
// if Open could not load the library or refused the path.
func (publisher *Publisher) calls() bool { return publisher != nil && publisher.loaded }

// Instance is an instance of an object, or an object without instances.
type Instance struct {
	publisher *Publisher
	memory    *memory
	outcome
}

// outcome is the result of a look-up.
type outcome struct{ code uintptr }

// Err is nil, or a Windows error, which means that readers do not see what is counted here.
func (result outcome) Err() error {
	if result.code == 0 {
		return nil
	}
	return windowsError(result.code)
}

// The Windows error codes for a library that is not loaded, and for a name with a NUL.
const invalidHandle, invalidName = 6, 123

// Distribution records values. Counters of the map show its percentiles, means and counts.
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

var (
	loadOnce sync.Once
	loadErr  error
)

// libraryPath returns the library's full path. The system's search is not used, because it may
// include folders of other users.
func libraryPath() (string, error) {
	if named := os.Getenv("PRFDATA_LIBRARY"); named != "" {
		return filepath.Abs(named)
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.Join(filepath.Dir(program), libraryName), nil
}

func load() error {
	loadOnce.Do(func() { loadErr = loadLibrary() })
	return loadErr
}

func loadLibrary() error {
	path, err := libraryPath()
	if err != nil {
		return err
	}
	if _, err = os.Stat(path); err != nil {
		return fmt.Errorf("%s is missing: put it, for the processor of this program, next to the program: %w",
			path, err)
	}
	if err = openLibrary(path, functions); err != nil {
		return fmt.Errorf("%s cannot be loaded; it must be for the processor of this program: %w", path, err)
	}
	if found, _ := callVersion.call(); uint32(found) != version {
		return fmt.Errorf("%s has version %d of its calls, and this package is written for %d; use both from the same release of PrfData",
			path, uint32(found), version)
	}
	return nil
}

// SetPrivate sets, for unit tests, whether publishers that are opened from now on count only for
// this process. It fails only if the library cannot be loaded.
func SetPrivate(isPrivate bool) error {
	if err := load(); err != nil {
		return err
	}
	var chosen uintptr
	if isPrivate {
		chosen = 1
	}
	setPrivate.call(chosen)
	return nil
}

// Open publishes the counters of a map file.
func Open(path string) *Publisher {
	publisher := &Publisher{}
	if err := load(); err != nil {
		publisher.failure = err.Error()
		return publisher
	}
	if strings.ContainsRune(path, 0) {
		publisher.failure = "the path of the map file has a NUL"
		return publisher
	}
	publisher.loaded = true
	openFile.call(uintptr(wideText(path)), uintptr(unsafe.Pointer(&publisher.pointer)))
	return publisher
}

// Close hides the instances. Their counts stay in the totals. A second call does nothing.
func (publisher *Publisher) Close() {
	if publisher.calls() {
		atomic.StoreUint32(&publisher.closed, 1)
		closeIt.call(atomic.SwapUintptr(&publisher.pointer, 0))
	}
}

// Status says whether readers see the counters, and if not, why.
func (publisher *Publisher) Status() string {
	switch {
	case !publisher.calls():
		return publisher.why()
	case atomic.LoadUint32(&publisher.closed) != 0:
		return "The publisher is closed."
	}
	text := make([]byte, statusBytes)
	status.call(publisher.pointer, uintptr(unsafe.Pointer(&text[0])), statusBytes)
	for i, b := range text {
		if b == 0 {
			return string(text[:i])
		}
	}
	return string(text)
}

// why says why the library may not be called.
func (publisher *Publisher) why() string {
	if publisher == nil || publisher.failure == "" {
		return "The publisher was not opened by prfdata.Open."
	}
	return publisher.failure
}

// Retry tries again to publish.
func (publisher *Publisher) Retry() error {
	if !publisher.calls() {
		return errors.New(publisher.why())
	}
	if code, _ := retry.call(publisher.pointer); uint32(code) != 0 {
		return windowsError(uintptr(uint32(code)))
	}
	return nil
}

// idOf returns the id of a symbol of the map file, or the highest number if the map does not have
// it.
func (publisher *Publisher) idOf(symbol string) uintptr {
	id := ^uint32(0)
	if !strings.ContainsRune(symbol, 0) {
		name := append([]byte(symbol), 0)
		callFindID.call(publisher.pointer, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&id)))
	}
	return uintptr(id)
}

func (publisher *Publisher) lookUp(look *function, object, name string, parent *Instance) *Instance {
	instance := &Instance{publisher, new(memory), outcome{invalidHandle}}
	if !publisher.calls() {
		return instance
	}
	if strings.ContainsRune(name, 0) {
		instance.code = invalidName
		return instance
	}
	var above unsafe.Pointer
	if parent != nil {
		above = unsafe.Pointer(parent.memory)
	}
	code, _ := look.call(publisher.pointer, publisher.idOf(object), uintptr(wideText(name)),
		uintptr(above), uintptr(unsafe.Pointer(instance.memory)))
	instance.code = uintptr(uint32(code))
	return instance
}

// Add adds an instance by name. parent is an instance of the parent object, or nil if the object
// has none.
func (publisher *Publisher) Add(object, name string, parent *Instance) *Instance {
	return publisher.lookUp(addInstance, object, name, parent)
}

// Find returns an instance that was added before.
func (publisher *Publisher) Find(object, name string, parent *Instance) *Instance {
	return publisher.lookUp(findInstance, object, name, parent)
}

// Single returns the instance for the counters of objects without instances.
func (publisher *Publisher) Single() *Instance {
	return &Instance{publisher, nil, outcome{}}
}

// Remove removes the instance. Its counts stay in the totals.
func (instance *Instance) Remove() {
	if instance.publisher.calls() && instance.memory != nil {
		dropInstance.call(uintptr(unsafe.Pointer(instance.memory)))
	}
}

// Together calls update, which must be short. Readers see all its updates of this instance
// together.
func (instance *Instance) Together(update func()) {
	if !instance.publisher.calls() || instance.memory == nil {
		update()
		return
	}
	beginTogether.call(uintptr(unsafe.Pointer(instance.memory)))
	defer endTogether.call(uintptr(unsafe.Pointer(instance.memory)))
	update()
}

// Counter resolves a counter. Call it once and keep the result.
func (instance *Instance) Counter(symbol string) *Counter {
	counter := &Counter{outcome: outcome{invalidHandle}}
	if !instance.publisher.calls() {
		return counter
	}
	counter.loaded = true
	code, _ := resolve.call(instance.publisher.pointer, instance.publisher.idOf(symbol),
		uintptr(unsafe.Pointer(instance.memory)), uintptr(unsafe.Pointer(&counter.memory)))
	counter.code = uintptr(uint32(code))
	cell, _ := callCell.call(uintptr(unsafe.Pointer(&counter.memory)))
	// The memory belongs to the DLL, so the collector does not move it.
	counter.cell = *(**int64)(unsafe.Pointer(&cell))
	return counter
}

// Add adds amount. It counts in place, without a call, unless the map marks the counter as hot.
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

// Decrement subtracts one. Only for gauges, whose values go up and down.
func (counter *Counter) Decrement() { counter.Add(-1) }

// Set sets the value. Only for gauges.
func (counter *Counter) Set(value int64) {
	if counter.loaded {
		callWide(callSet, unsafe.Pointer(&counter.memory), value)
	}
}

// Raise raises the counter to value if its own value is smaller.
func (counter *Counter) Raise(value int64) {
	if counter.loaded {
		callWide(callRaise, unsafe.Pointer(&counter.memory), value)
	}
}

// Start lets a counter of the type PERF_ELAPSED_TIME show the time since this call.
func (counter *Counter) Start() {
	if counter.loaded {
		elapsedStart.call(uintptr(unsafe.Pointer(&counter.memory)))
	}
}

// Stop lets a counter of the type PERF_ELAPSED_TIME show no time.
func (counter *Counter) Stop() {
	if counter.loaded {
		elapsedStop.call(uintptr(unsafe.Pointer(&counter.memory)))
	}
}

// Value is the value that this publisher shows.
func (counter *Counter) Value() int64 {
	return read(counter.loaded, callGet, &counter.memory)
}

// Average resolves a counter together with its base. Call it once and keep the result.
func (instance *Instance) Average(symbol string) *Average {
	average := &Average{outcome: outcome{invalidHandle}}
	if !instance.publisher.calls() {
		return average
	}
	average.loaded = true
	code, _ := resolvePair.call(instance.publisher.pointer, instance.publisher.idOf(symbol),
		uintptr(unsafe.Pointer(instance.memory)), uintptr(unsafe.Pointer(&average.memory)))
	average.code = uintptr(uint32(code))
	return average
}

// Add counts one operation, and adds amount to the sum.
func (average *Average) Add(amount int64) {
	if average.loaded {
		callWide(callAverage, unsafe.Pointer(&average.memory), amount)
	}
}

// Value is the sum of the amounts, or of the ticks of a timer.
func (average *Average) Value() int64 { return read(average.loaded, callGetValue, &average.memory) }

// Base is the number of operations, or the whole of a fraction.
func (average *Average) Base() int64 { return read(average.loaded, callGetBase, &average.memory) }

// Time calls operation, counts it and its duration, and returns the duration.
func (average *Average) Time(operation func()) time.Duration {
	begun := time.Now()
	if !average.loaded {
		operation()
		return time.Since(begun)
	}
	low, high := callStart.call(uintptr(unsafe.Pointer(&average.memory)))
	started := wide(low, high)
	defer callWide(callStop, unsafe.Pointer(&average.memory), started)
	operation()
	return time.Since(begun)
}

// Distribution resolves a distribution by its number, because it has no symbol in a map file. Call
// it once and keep the result.
func (instance *Instance) Distribution(number uint32) *Distribution {
	distribution := &Distribution{outcome: outcome{invalidHandle}}
	if !instance.publisher.calls() {
		return distribution
	}
	distribution.loaded = true
	code, _ := resolveShape.call(instance.publisher.pointer, uintptr(number),
		uintptr(unsafe.Pointer(instance.memory)), uintptr(unsafe.Pointer(&distribution.memory)))
	distribution.code = uintptr(uint32(code))
	return distribution
}

// Record records one value in the distribution's unit. A negative value is not recorded.
func (distribution *Distribution) Record(value int64) {
	if distribution.loaded && value >= 0 {
		callWide(record, unsafe.Pointer(&distribution.memory), value)
	}
}

// Time records how long operation lasts. The distribution's unit must be 100ns.
func (distribution *Distribution) Time(operation func()) {
	if !distribution.loaded {
		operation()
		return
	}
	low, high := recordStart.call()
	defer callWide(recordSince, unsafe.Pointer(&distribution.memory), wide(low, high))
	operation()
}

// Count is the number of values that this publisher has recorded. This and the following methods
// are for tests.
func (distribution *Distribution) Count() int64 {
	return read(distribution.loaded, recordedCount, &distribution.memory)
}

// Sum is the sum of the values.
func (distribution *Distribution) Sum() int64 {
	return read(distribution.loaded, recordedSum, &distribution.memory)
}

// Mean is the rounded mean of the values.
func (distribution *Distribution) Mean() int64 {
	return read(distribution.loaded, recordedMean, &distribution.memory)
}

// Percentile is a percentile of the values, within the precision of the map: share / 10,000 of the
// values are not larger (5000: the median).
func (distribution *Distribution) Percentile(share uint32) int64 {
	if !distribution.loaded {
		return 0
	}
	return wide(recordedShare.call(uintptr(unsafe.Pointer(&distribution.memory)), uintptr(share)))
}

// Maximum is the greatest of the values, within the precision of the map.
func (distribution *Distribution) Maximum() int64 { return distribution.Percentile(10000) }

// read calls number with the memory of a counter, an average or a distribution, and returns its
// result; 0 if no library was loaded.
func read(loaded bool, number *function, of *memory) int64 {
	if !loaded {
		return 0
	}
	return wide(number.call(uintptr(unsafe.Pointer(of))))
}

// callWide passes a 64-bit number, which needs two words on 32-bit Windows.
func callWide(to *function, first unsafe.Pointer, number int64) {
	if unsafe.Sizeof(uintptr(0)) == 8 {
		to.call(uintptr(first), uintptr(number))
	} else {
		to.call(uintptr(first), uintptr(uint32(number)), uintptr(uint32(number>>32)))
	}
}

// wide returns a 64-bit result, which comes in two words on 32-bit Windows.
func wide(low, high uintptr) int64 {
	if unsafe.Sizeof(uintptr(0)) == 8 {
		return int64(low)
	}
	return int64(uint64(low) | uint64(high)<<32)
}
