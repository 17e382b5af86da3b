/* SPDX-License-Identifier: MIT */
/*
 * The counters of the remote-access sample: what a simulation has made, shown to readers.
 */
#ifndef RAS_COUNTERS_H
#define RAS_COUNTERS_H

#include <stdint.h>

#include "ras_map.h"
#include "simulation.h"

/* Instead of a port's number: all of them. */
#define RAS_ALL_PORTS UINT32_MAX

/*
 * What a counter must show when nothing else ever counted for it.
 *
 * port      A port's number, from 0, or RAS_ALL_PORTS.
 * position  0 up to RAS_PORT_COUNTERS - 1 or RAS_TOTAL_COUNTERS - 1: its place in the map.
 */
uint64_t ras_counters_known(const simulation *made, uint32_t port, uint32_t position);

/*
 * Publish ports COM1, COM2 and so on. Returns prfdata_open's code; whatever it says, the other
 * functions may be called. Threads: these three, one at a time.
 */
uint32_t ras_counters_open(uint32_t port_count);

/* Count what the simulation has made since the last time, so that readers see all of it at once. */
void ras_counters_publish(const simulation *made);

/* Nothing of it stays mapped; publishing goes on being harmless. */
void ras_counters_close(void);

#endif
