/* SPDX-License-Identifier: MIT */
/*
 * Declares the subjects of measurements, one file each. bench/report.py searches for these names of
 * races and contestants.
 */
#ifndef PRFDATA_BENCH_SUBJECTS_H
#define PRFDATA_BENCH_SUBJECTS_H

void bench_bumps(void);
void bench_records(void);
void bench_pairs(void);
void bench_instances(void);
void bench_collects(void);
void bench_regions(void);
void bench_readers(void);

#endif
