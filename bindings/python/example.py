# SPDX-License-Identifier: MIT
"""Counts ten jobs of a queue: example.py [map file]"""
import os
import sys
import time

import prfdata

beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "queues.prfmap")
publisher = prfdata.open(sys.argv[1] if len(sys.argv) > 1 else beside)
print(publisher.status)
mail = publisher.add("QUEUES", "mail")
depth = mail.counter("QUEUES_DEPTH")
jobs = mail.counter("QUEUES_JOBS")
job_time = mail.average("QUEUES_JOB_TIME")
job_bytes = mail.distribution(10)

depth.set(13)
for _ in range(10):
    with job_time.timer():
        time.sleep(0.001)
    with mail.together():
        jobs.increment()
        depth.decrement()
    job_bytes.record(1000)
print(f"jobs {jobs.value}, depth {depth.value}")
print("They are shown until standard input ends.", flush=True)
sys.stdin.read()
publisher.close()
