/* SPDX-License-Identifier: MIT */
/* Publishes the totals of a simulation as the counters of the remote-access sample. */
#ifndef RAS_COUNTERS_H
#define RAS_COUNTERS_H

#include <stdint.h>

#include "ras_map.h"
#include "simulation.h"

/* Stands for all ports in place of a port number. */
#define RAS_ALL_PORTS UINT32_MAX

/*
 * Return the value that a counter must show if only this simulation was ever published.
 *
 * port      The number of a port, from 0, or RAS_ALL_PORTS.
 * position  The counter's place in its object, from 0: below RAS_PORT_COUNTERS for a port, below
 *           RAS_TOTAL_COUNTERS for RAS_ALL_PORTS.
 */
uint64_t ras_counters_known(const simulation *made, uint32_t port, uint32_t position);

/*
 * Publish ports COM1, COM2 and so on. Returns prfdata_open's code; the other functions may be
 * called even if it failed. Threads: one at a time may call this function and those below.
 */
uint32_t ras_counters_open(uint32_t port_count);

/* Publish, in one bracket, what the simulation has made since the last call. */
void ras_counters_publish(const simulation *made);

/*
 * Record the time of a frame now, without waiting for ras_counters_publish(). This function may be
 * the simulation's frame_done.
 */
void ras_counters_record_frame(uint32_t port, uint32_t bytes);

/* Close the publisher and unmap its memory. Publishing stays harmless afterwards. */
void ras_counters_close(void);

#endif
