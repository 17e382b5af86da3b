/* SPDX-License-Identifier: MIT */
/* Keeps the times of all frames. It counts frames by port and size, which determine the time. */
#include "frame_times.h"

void frame_times_add(frame_times *times, uint32_t port, uint32_t bytes)
{
    times->counts[port][bytes]++;
}

static uint64_t count_frames_of_port(const frame_times *times, uint32_t port, uint64_t time_100ns)
{
    uint64_t count = 0;

    for (uint32_t bytes = 0; bytes <= SIMULATION_MAX_FRAME_BYTES; bytes++) {
        if (simulation_frame_100ns(port, bytes) > time_100ns)
            break;
        count += times->counts[port][bytes];
    }
    return count;
}

uint64_t frame_times_count(const frame_times *times, uint32_t port, uint64_t time_100ns)
{
    uint64_t count = 0;

    if (port != RAS_ALL_PORTS)
        return count_frames_of_port(times, port, time_100ns);
    for (uint32_t each = 0; each < SIMULATION_MAX_PORTS; each++)
        count += count_frames_of_port(times, each, time_100ns);
    return count;
}

uint64_t frame_times_percentile(const frame_times *times, uint32_t port, uint32_t share)
{
    const uint64_t count = frame_times_count(times, port, UINT64_MAX);
    const uint64_t rank = (count * share + 9999) / 10000; /* rounded up */
    uint64_t below = 0, most = UINT32_MAX;

    if (count == 0)
        return 0;
    while (below < most) { /* the answer is one of below..most */
        const uint64_t middle = (below + most) / 2;

        if (frame_times_count(times, port, middle) >= rank)
            most = middle;
        else
            below = middle + 1;
    }
    return most;
}
