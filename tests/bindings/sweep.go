// SPDX-License-Identifier: MIT

// Calls every function of bindings/go with values that its types allow: sweep MAP. No call may panic.
package main

import (
	"fmt"
	"math"
	"os"
	"strings"

	"prfdata.example/prfdata/prfdata"
)

func expect(is bool, what string) {
	if !is {
		fmt.Println("FAILED:", what)
		os.Exit(1)
	}
}

// useAll uses everything of an invalid instance. Nothing must be counted.
func useAll(mail *prfdata.Instance) {
	jobs, time, bytes := mail.Counter("QUEUES_JOBS"), mail.Average("QUEUES_JOB_TIME"), mail.Distribution(10)
	expect(jobs.Err() != nil && time.Err() != nil && bytes.Err() != nil, "nothing is found")
	jobs.Increment()
	time.Time(func() {})
	bytes.Time(func() {})
	expect(jobs.Value()+time.Base()+bytes.Count() == 0, "nothing is counted")
	mail.Together(func() {})
	mail.Remove()
}

// countPrivately counts as a unit test does: each publisher begins at 0.
func countPrivately() {
	publisher := prfdata.Open(os.Args[1])
	mail := publisher.Add("QUEUES", "mail", nil)
	jobs, time, bytes := mail.Counter("QUEUES_JOBS"), mail.Average("QUEUES_JOB_TIME"), mail.Distribution(10)
	uptime := publisher.Single().Counter("UPTIME_OPEN")
	jobs.Add(5)
	time.Add(3)
	bytes.Record(1000)
	bytes.Record(500)
	expect(jobs.Value() == 5 && time.Value() == 3 && time.Base() == 1, "private values")
	expect(bytes.Count() == 2 && bytes.Sum() == 1500 && bytes.Mean() == 750, "private sizes")
	expect(uptime.Err() == nil && uptime.Value() == 0, "no time")
	uptime.Start()
	expect(uptime.Value() > 0, "Start")
	uptime.Stop()
	expect(uptime.Value() == 0, "Stop")
	publisher.Close()
}

func main() {
	publisher := prfdata.Open(os.Args[1])
	mail := publisher.Add("QUEUES", "mail", nil)
	jobs, depth := mail.Counter("QUEUES_JOBS"), mail.Counter("QUEUES_DEPTH")
	time, bytes := mail.Average("QUEUES_JOB_TIME"), mail.Distribution(10)
	expect(mail.Err() == nil && jobs.Err() == nil && time.Err() == nil && bytes.Err() == nil, publisher.Status())
	for _, value := range []int64{0, 5, -3, math.MaxInt64, math.MinInt64} {
		depth.Set(value)
		expect(depth.Value() == value, "set")
		depth.Raise(value)
		before := jobs.Value()
		jobs.Add(value)
		expect(jobs.Value() == before+value, "add") // 64 bits wrap around
		time.Add(value)
		bytes.Record(value)
	}
	expect(bytes.Count() == 3, "values that are not negative") // 0, 5 and the greatest one
	expect(bytes.Percentile(0) == 0 && bytes.Percentile(math.MaxUint32) == bytes.Maximum(), "a share")
	for _, name := range []string{"", "a\x00b", "\xff\xfe", strings.Repeat("x", 100000)} {
		expect(publisher.Add(name, "mail", nil).Err() != nil, "an object")
		expect(publisher.Find(name, "mail", nil).Err() != nil, "an object")
		expect(name == "\xff\xfe" || publisher.Add("QUEUES", name, nil).Err() != nil, "a name")
		expect(mail.Counter(name).Err() != nil && mail.Average(name).Err() != nil, "a symbol")
		mail.Counter(name).Increment() // counts where no reader sees it
		expect(prfdata.Open(name).Status() != "", "a path")
	}
	expect(mail.Distribution(math.MaxUint32).Err() != nil, "a distribution")
	expect(publisher.Add("QUEUES", "x", publisher.Single()).Err() == nil, "no parent")
	publisher.Single().Remove()
	publisher.Close()
	publisher.Close()
	jobs.Increment()
	bytes.Record(1)
	time.Time(func() {})
	mail.Together(func() {})
	mail.Remove()
	expect(publisher.Add("QUEUES", "late", nil).Err() != nil, "after close")
	expect(publisher.Retry() != nil && publisher.Status() == "The publisher is closed.", "after close")
	for _, none := range []*prfdata.Publisher{nil, {}} { // nobody has opened them
		expect(none.Retry() != nil && strings.Contains(none.Status(), "not opened"), "a zero publisher")
		useAll(none.Add("QUEUES", "mail", nil))
		useAll(none.Find("QUEUES", "mail", nil))
		useAll(none.Single())
		none.Close()
	}
	useAll(&prfdata.Instance{})
	new(prfdata.Counter).Increment()
	new(prfdata.Average).Add(1)
	new(prfdata.Distribution).Record(1)
	expect(prfdata.SetPrivate(true) == nil, "SetPrivate")
	countPrivately()
	countPrivately()
	expect(prfdata.SetPrivate(false) == nil, "SetPrivate")
	fmt.Println("swept")
}
