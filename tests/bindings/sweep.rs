// SPDX-License-Identifier: MIT
//! Calls every function of bindings/rust with values that its types allow: sweep MAP. No call may panic.
use prfdata::Publisher;

/// Counts as a unit test does: each publisher begins at 0.
fn count_privately(path: &str) {
    let publisher = Publisher::open(path);
    let mail = publisher.add("QUEUES", "mail", None);
    let (jobs, time, bytes) = (mail.counter("QUEUES_JOBS"), mail.average("QUEUES_JOB_TIME"), mail.distribution(10));
    let uptime = publisher.single().counter("UPTIME_OPEN");
    jobs.add(5);
    time.add(3);
    bytes.record(1000);
    bytes.record(500);
    assert_eq!((jobs.value(), time.value(), time.base()), (5, 3, 1));
    assert_eq!((bytes.count(), bytes.sum(), bytes.mean()), (2, 1500, 750));
    assert!(bytes.maximum() > 900 && bytes.maximum() <= 1100 && bytes.percentile(u32::MAX) == bytes.maximum());
    assert_eq!((uptime.error, uptime.value()), (0, 0));
    uptime.start();
    assert!(uptime.value() > 0);
    uptime.stop();
    assert_eq!(uptime.value(), 0);
}

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let publisher = Publisher::open(&path);
    let mail = publisher.add("QUEUES", "mail", None);
    let (jobs, depth) = (mail.counter("QUEUES_JOBS"), mail.counter("QUEUES_DEPTH"));
    let (time, bytes) = (mail.average("QUEUES_JOB_TIME"), mail.distribution(10));
    assert_eq!(mail.error + jobs.error + depth.error + time.error + bytes.error, 0, "{}", publisher.status());
    for &value in &[0, 5, -3, i64::MAX, i64::MIN] {
        depth.set(value);
        assert_eq!(depth.value(), value);
        depth.raise(value);
        let before = jobs.value();
        jobs.add(value);
        assert_eq!(jobs.value(), before.wrapping_add(value));
        time.add(value);
        bytes.record(value as u64);
    }
    let long = "x".repeat(100_000);
    for &name in &["", "a\0b", long.as_str()] {
        assert_ne!(publisher.add(name, "mail", None).error, 0);
        assert_ne!(publisher.find(name, "mail", None).error, 0);
        assert_ne!(publisher.add("QUEUES", name, None).error, 0);
        assert_ne!(mail.counter(name).error, 0);
        assert_ne!(mail.average(name).error, 0);
        mail.counter(name).increment(); // counts where no reader sees it
        assert_ne!(Publisher::open(name).status(), "");
    }
    assert_ne!(mail.distribution(u32::MAX).error, 0);
    assert_eq!(publisher.add("QUEUES", "x", Some(&publisher.single())).error, 0);
    assert_eq!(time.time(|| mail.together(|| 7)), 7);
    publisher.single().remove();
    mail.remove();
    assert_ne!(publisher.retry(), Ok(()));
    drop(publisher);
    prfdata::set_private(true).unwrap();
    count_privately(&path);
    count_privately(&path);
    prfdata::set_private(false).unwrap();
    println!("swept");
}
