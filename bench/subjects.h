/* SPDX-License-Identifier: MIT */
/*
 * Declares the subjects of measurements, one file each. bench/report.py finds races and contestants
 * by the names that these files give them.
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
