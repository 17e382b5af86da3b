/* SPDX-License-Identifier: MIT */
/*
 * Publishes the totals of a simulation. Counters accumulate, so this file publishes the difference
 * between the simulation's current totals and those of the last call.
 */
#include "ras_counters.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/prfdata.h>

static_assert((int)RAS_MAX_PORTS == (int)SIMULATION_MAX_PORTS, "a port is an instance");

/* Values that are computed, not counted by the simulation. */
enum { PERCENT_OUT = SIMULATION_COUNTS, PERCENT_IN, CONNECTIONS };

/* The value of each counter, in the order of the map. RAS Port does not have the last counter. */
static const int shown[RAS_TOTAL_COUNTERS] = {SIMULATION_BYTES_OUT,
                                              SIMULATION_BYTES_IN,
                                              SIMULATION_FRAMES_OUT,
                                              SIMULATION_FRAMES_IN,
                                              PERCENT_OUT,
                                              PERCENT_IN,
                                              SIMULATION_CRC_ERRORS,
                                              SIMULATION_TIMEOUT_ERRORS,
                                              SIMULATION_SERIAL_OVERRUN_ERRORS,
                                              SIMULATION_ALIGNMENT_ERRORS,
                                              SIMULATION_BUFFER_OVERRUN_ERRORS,
                                              SIMULATION_ERRORS,
                                              SIMULATION_BYTES_OUT,
                                              SIMULATION_BYTES_IN,
                                              SIMULATION_FRAMES_OUT,
                                              SIMULATION_FRAMES_IN,
                                              SIMULATION_ERRORS,
                                              CONNECTIONS};

static prfdata_publisher *publisher;
static prfdata_instance instances[RAS_MAX_PORTS];
static prfdata_instance frame_instances[RAS_MAX_PORTS];
static prfdata_distribution frame_times[RAS_MAX_PORTS];
static prfdata_handle port_counters[RAS_MAX_PORTS][RAS_PORT_COUNTERS];
static prfdata_handle total_counters[RAS_TOTAL_COUNTERS];
static simulation published; /* as of the last ras_counters_publish() */

static bool is_gauge_at(uint32_t position)
{
    return shown[position] >= SIMULATION_COUNTS;
}

uint64_t ras_counters_known(const simulation *made, uint32_t port, uint32_t position)
{
    const simulation_totals *totals = port == RAS_ALL_PORTS ? &made->all : &made->ports[port];
    const uint64_t *counts = totals->counts;

    switch (shown[position]) {
    case PERCENT_OUT:
        return simulation_percent_saved(counts[SIMULATION_PLAIN_OUT], counts[SIMULATION_BYTES_OUT]);
    case PERCENT_IN:
        return simulation_percent_saved(counts[SIMULATION_PLAIN_IN], counts[SIMULATION_BYTES_IN]);
    case CONNECTIONS:
        return made->connections;
    }
    return counts[shown[position]];
}

static void add_port(uint32_t port)
{
    wchar_t name[16];

    swprintf(name, sizeof name / sizeof name[0], L"COM%u", (unsigned)port + 1);
    prfdata_instance_add(publisher, RAS_PORT, name, NULL, &instances[port]);
    for (uint32_t i = 0; i < RAS_PORT_COUNTERS; i++)
        prfdata_resolve(publisher, RAS_PORT_BYTES_TRANSMITTED + i, &instances[port],
                        &port_counters[port][i]);
    prfdata_instance_add(publisher, RAS_FRAMES, name, NULL, &frame_instances[port]);
    prfdata_resolve_distribution(publisher, RAS_FRAME_TIME, &frame_instances[port],
                                 &frame_times[port]);
}

uint32_t ras_counters_open(uint32_t port_count)
{
    uint32_t status = prfdata_open(&ras_map, &publisher);

    /*
     * The codes of these calls do not matter, because a handle that could not be resolved counts
     * into a scratch cell.
     */
    for (uint32_t port = 0; port < port_count; port++)
        add_port(port);
    for (uint32_t i = 0; i < RAS_TOTAL_COUNTERS; i++)
        prfdata_resolve(publisher, RAS_TOTAL_BYTES_TRANSMITTED + i, NULL, &total_counters[i]);
    simulation_init(&published, port_count, 0);
    return status;
}

static void publish_counter(prfdata_handle counter, const simulation *made, uint32_t port,
                            uint32_t position)
{
    uint64_t value = ras_counters_known(made, port, position);

    if (is_gauge_at(position))
        prfdata_set(counter, (int64_t)value);
    else
        prfdata_add(counter, (int64_t)(value - ras_counters_known(&published, port, position)));
}

void ras_counters_publish(const simulation *made)
{
    /*
     * Readers wait while a program is in a bracket, so the bytes that they see match the frames,
     * and the ports match their total. They wait at most 50 us for one program, and 1 ms for all
     * programs together, so keep such brackets short.
     */
    prfdata_begin_all(publisher);
    for (uint32_t port = 0; port < made->port_count; port++)
        for (uint32_t i = 0; i < RAS_PORT_COUNTERS; i++)
            publish_counter(port_counters[port][i], made, port, i);
    for (uint32_t i = 0; i < RAS_TOTAL_COUNTERS; i++)
        publish_counter(total_counters[i], made, RAS_ALL_PORTS, i);
    prfdata_end_all(publisher);
    published = *made;
}

void ras_counters_record_frame(uint32_t port, uint32_t bytes)
{
    prfdata_record(frame_times[port], simulation_frame_100ns(port, bytes));
}

void ras_counters_close(void)
{
    for (uint32_t port = 0; port < published.port_count; port++) {
        prfdata_instance_remove(&instances[port]);
        prfdata_instance_remove(&frame_instances[port]);
    }
    prfdata_close_and_unmap(publisher);
    publisher = NULL;
    memset(instances, 0, sizeof instances);
    memset(frame_instances, 0, sizeof frame_instances);
    memset(frame_times, 0, sizeof frame_times);
    memset(port_counters, 0, sizeof port_counters);
    memset(total_counters, 0, sizeof total_counters);
}
