// SPDX-License-Identifier: MIT
//! Counts ten jobs of a queue: queues [map file]
use std::{env, io, thread, time::Duration};

fn main() {
    let path = env::args().nth(1).unwrap_or_else(|| "queues.prfmap".into());
    let publisher = prfdata::Publisher::open(path);
    println!("{}", publisher.status());
    let mail = publisher.add("QUEUES", "mail", None);
    let depth = mail.counter("QUEUES_DEPTH");
    let jobs = mail.counter("QUEUES_JOBS");
    let job_time = mail.average("QUEUES_JOB_TIME");
    let job_bytes = mail.distribution(10);

    depth.set(13);
    for _ in 0..10 {
        job_time.time(|| thread::sleep(Duration::from_millis(1)));
        mail.together(|| {
            jobs.increment();
            depth.decrement();
        });
        job_bytes.record(1000);
    }
    println!("jobs {}, depth {}", jobs.value(), depth.value());
    println!("They are shown until standard input ends.");
    io::copy(&mut io::stdin(), &mut io::sink()).ok();
}
