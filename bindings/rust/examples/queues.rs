// SPDX-License-Identifier: MIT
//! Counts ten jobs of a queue: queues [map file]
use std::{env, thread, time::Duration};

fn main() {
    let path = env::args().nth(1).unwrap_or_else(|| "queues.prfmap".into());
    let publisher = prfdata::Publisher::open(path);
    println!("{}", publisher.status());
    let mail = publisher.add("QUEUES", "mail", None);
    let depth = mail.counter("QUEUES_DEPTH");
    let jobs = mail.counter("QUEUES_JOBS");
    let job_time = mail.average("QUEUES_JOB_TIME");

    depth.set(10);
    for _ in 0..10 {
        job_time.time(|| thread::sleep(Duration::from_millis(1)));
        mail.together(|| {
            jobs.increment();
            depth.decrement();
        });
    }
    println!("jobs {}, depth {}", jobs.value(), depth.value());
}
