/* SPDX-License-Identifier: MIT */
/*
 * Ports that connect, exchange frames, have errors and disconnect: the same course of events for
 * the same seed, on every system. It keeps its own exact totals and knows nothing of counters.
 */
#ifndef RAS_SIMULATION_H
#define RAS_SIMULATION_H

#include <stdbool.h>
#include <stdint.h>

enum { SIMULATION_MAX_PORTS = 64 };

typedef enum simulation_count {
    SIMULATION_BYTES_OUT, /* as compressed */
    SIMULATION_BYTES_IN,
    SIMULATION_FRAMES_OUT,
    SIMULATION_FRAMES_IN, /* without those that have errors */
    SIMULATION_CRC_ERRORS,
    SIMULATION_TIMEOUT_ERRORS,
    SIMULATION_SERIAL_OVERRUN_ERRORS,
    SIMULATION_ALIGNMENT_ERRORS,
    SIMULATION_BUFFER_OVERRUN_ERRORS,
    SIMULATION_ERRORS,    /* all of them */
    SIMULATION_PLAIN_OUT, /* bytes before compression; never fewer than behind it */
    SIMULATION_PLAIN_IN,
    SIMULATION_COUNTS
} simulation_count;

typedef struct simulation_totals {
    uint64_t counts[SIMULATION_COUNTS];
} simulation_totals;

typedef struct simulation {
    uint64_t random; /* the generator's state */
    uint32_t port_count;
    uint32_t connections;                 /* how many of `connected` */
    bool connected[SIMULATION_MAX_PORTS]; /* now */
    simulation_totals ports[SIMULATION_MAX_PORTS];
    simulation_totals all;
} simulation;

/* Start with nothing connected. `port_count`: 1 to SIMULATION_MAX_PORTS. Any seed will do. */
void simulation_init(simulation *made, uint32_t port_count, uint64_t seed);

/* A moment passes on every port. */
void simulation_step(simulation *made);

/* Percent of `plain_bytes` that compression to `bytes` saved, rounded down; 0 of nothing. */
uint32_t simulation_percent_saved(uint64_t plain_bytes, uint64_t bytes);

#endif
