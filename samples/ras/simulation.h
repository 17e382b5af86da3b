/* SPDX-License-Identifier: MIT */
/*
 * Simulates ports that connect, exchange frames, have errors and disconnect. The same seed gives
 * the same sequence of events on every system.
 */
#ifndef RAS_SIMULATION_H
#define RAS_SIMULATION_H

#include <stdbool.h>
#include <stdint.h>

enum { SIMULATION_MAX_PORTS = 64, SIMULATION_MAX_FRAME_BYTES = 1500 };

typedef enum simulation_count {
    SIMULATION_BYTES_OUT, /* as compressed */
    SIMULATION_BYTES_IN,
    SIMULATION_FRAMES_OUT,
    SIMULATION_FRAMES_IN, /* without damaged ones */
    SIMULATION_CRC_ERRORS,
    SIMULATION_TIMEOUT_ERRORS,
    SIMULATION_SERIAL_OVERRUN_ERRORS,
    SIMULATION_ALIGNMENT_ERRORS,
    SIMULATION_BUFFER_OVERRUN_ERRORS,
    SIMULATION_ERRORS,    /* the sum of the five kinds above */
    SIMULATION_PLAIN_OUT, /* bytes before compression, never fewer than after it */
    SIMULATION_PLAIN_IN,
    SIMULATION_COUNTS
} simulation_count;

typedef struct simulation_totals {
    uint64_t counts[SIMULATION_COUNTS];
} simulation_totals;

/* Called for each frame that is sent, or received undamaged. `bytes` is its compressed size. */
typedef void simulation_frame_done(uint32_t port, uint32_t bytes);

typedef struct simulation {
    uint64_t random;
    simulation_frame_done *frame_done; /* NULL: none; set after simulation_init() */
    uint32_t port_count;
    uint32_t connections; /* the number of connected ports */
    bool connected[SIMULATION_MAX_PORTS];
    simulation_totals ports[SIMULATION_MAX_PORTS];
    simulation_totals all;
} simulation;

/* Start with no port connected. `port_count` is 1 to SIMULATION_MAX_PORTS; any seed will do. */
void simulation_init(simulation *made, uint32_t port_count, uint64_t seed);

/* Advance every port by one step. */
void simulation_step(simulation *made);

/*
 * Return the time of a frame, in units of 100 ns. Ports have four modem speeds in turn: from 56,000
 * bits per second on the first port to 14,400 on the fourth.
 */
uint64_t simulation_frame_100ns(uint32_t port, uint32_t bytes);

/*
 * Return the percentage that compression from `plain_bytes` to `bytes` saved, rounded down; 0 if
 * `plain_bytes` is 0.
 */
uint32_t simulation_percent_saved(uint64_t plain_bytes, uint64_t bytes);

#endif
