/* SPDX-License-Identifier: MIT */
/*
 * Simulates ports. Every event adds to the totals of its port and to the totals of all ports, so
 * the totals of the ports always add up to the totals of all ports.
 */
#include "simulation.h"

#include <assert.h>
#include <string.h>

enum { LEAST_FRAME_BYTES = 40, MOST_FRAMES = 12, MOST_SAVED_PERCENT = 70 };

/* The average number of steps during which a port stays connected, or disconnected. */
enum { AVERAGE_STEPS = 20 };

/* Return a random number by SplitMix64 (Sebastiano Vigna, public domain). */
static uint64_t draw_random(simulation *made)
{
    uint64_t word = made->random += 0x9E3779B97F4A7C15u;

    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static uint32_t draw_random_below(simulation *made, uint32_t limit)
{
    return (uint32_t)(draw_random(made) % limit);
}

static void count_amount(simulation *made, uint32_t port, simulation_count what, uint64_t amount)
{
    made->ports[port].counts[what] += amount;
    made->all.counts[what] += amount;
}

static void count_frame(simulation *made, uint32_t port, simulation_count frames,
                        simulation_count bytes, simulation_count plain_bytes)
{
    uint32_t plain = LEAST_FRAME_BYTES +
                     draw_random_below(made, SIMULATION_MAX_FRAME_BYTES - LEAST_FRAME_BYTES + 1);
    uint32_t saved = plain * draw_random_below(made, MOST_SAVED_PERCENT + 1) / 100;

    count_amount(made, port, frames, 1);
    count_amount(made, port, bytes, plain - saved);
    count_amount(made, port, plain_bytes, plain);
    if (made->frame_done)
        made->frame_done(port, plain - saved);
}

static void receive_frame(simulation *made, uint32_t port)
{
    static const struct {
        uint32_t chance; /* of 1,024 */
        simulation_count error;
    } errors[] = {{8, SIMULATION_CRC_ERRORS},
                  {5, SIMULATION_TIMEOUT_ERRORS},
                  {3, SIMULATION_SERIAL_OVERRUN_ERRORS},
                  {2, SIMULATION_ALIGNMENT_ERRORS},
                  {1, SIMULATION_BUFFER_OVERRUN_ERRORS}};
    uint32_t drawn = draw_random_below(made, 1024);

    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (drawn < errors[i].chance) {
            count_amount(made, port, errors[i].error, 1);
            count_amount(made, port, SIMULATION_ERRORS, 1);
            return;
        }
        drawn -= errors[i].chance;
    }
    count_frame(made, port, SIMULATION_FRAMES_IN, SIMULATION_BYTES_IN, SIMULATION_PLAIN_IN);
}

static void connect_or_disconnect(simulation *made, uint32_t port)
{
    bool *connected = &made->connected[port];

    if (draw_random_below(made, AVERAGE_STEPS) != 0)
        return;
    *connected = !*connected;
    if (*connected)
        made->connections++;
    else
        made->connections--;
}

void simulation_init(simulation *made, uint32_t port_count, uint64_t seed)
{
    assert(port_count >= 1 && port_count <= SIMULATION_MAX_PORTS);
    memset(made, 0, sizeof *made);
    made->random = seed;
    made->port_count = port_count;
}

void simulation_step(simulation *made)
{
    for (uint32_t port = 0; port < made->port_count; port++) {
        connect_or_disconnect(made, port);
        if (!made->connected[port])
            continue;
        for (uint32_t frames = draw_random_below(made, MOST_FRAMES + 1); frames > 0; frames--)
            count_frame(made, port, SIMULATION_FRAMES_OUT, SIMULATION_BYTES_OUT,
                        SIMULATION_PLAIN_OUT);
        for (uint32_t frames = draw_random_below(made, MOST_FRAMES + 1); frames > 0; frames--)
            receive_frame(made, port);
    }
}

uint32_t simulation_percent_saved(uint64_t plain_bytes, uint64_t bytes)
{
    return plain_bytes > 0 ? (uint32_t)((plain_bytes - bytes) * 100 / plain_bytes) : 0;
}

uint64_t simulation_frame_100ns(uint32_t port, uint32_t bytes)
{
    static const uint32_t bits_per_second[] = {56000, 33600, 28800, 14400};

    return bytes * UINT64_C(80000000) / bits_per_second[port % 4];
}
