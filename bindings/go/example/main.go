// SPDX-License-Identifier: MIT

// Counts ten jobs of a queue. Usage: example [map file]
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"prfdata.example/prfdata/prfdata"
)

func main() {
	path := "queues.prfmap"
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	publisher := prfdata.Open(path)
	defer publisher.Close()
	fmt.Println(publisher.Status())
	mail := publisher.Add("QUEUES", "mail", nil)
	depth := mail.Counter("QUEUES_DEPTH")
	jobs := mail.Counter("QUEUES_JOBS")
	jobTime := mail.Average("QUEUES_JOB_TIME")
	jobBytes := mail.Distribution(10)

	depth.Set(13)
	for i := 0; i < 10; i++ {
		jobTime.Time(func() { time.Sleep(time.Millisecond) })
		mail.Together(func() {
			jobs.Increment()
			depth.Decrement()
		})
		jobBytes.Record(1000)
	}
	fmt.Printf("jobs %d, depth %d\n", jobs.Value(), depth.Value())
	fmt.Println("They are shown until standard input ends.")
	io.Copy(io.Discard, os.Stdin)
}
