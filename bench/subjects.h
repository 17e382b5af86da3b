/* SPDX-License-Identifier: MIT */
/*
 * What is measured, a file each. The names of races and contestants are those that bench/report.py
 * looks for.
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
