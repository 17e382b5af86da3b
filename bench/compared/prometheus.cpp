// SPDX-License-Identifier: MIT
// Measures prometheus-cpp, for comparison: bumps, an exposition as text, adding and removing
// instances.
//
//     prometheus [-quick]
#include <prometheus/counter.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bench.h"
#include "system.h"

namespace
{
struct Values {
    prometheus::Registry registry;
    std::vector<prometheus::Family<prometheus::Counter> *> families;
    prometheus::Counter *one = nullptr;

    Values(unsigned instances, unsigned counters)
    {
        for (unsigned i = 0; i < counters; i++) {
            families.push_back(&prometheus::BuildCounter()
                                    .Name("counter_" + std::to_string(i) + "_total")
                                    .Help("A counter.")
                                    .Register(registry));
            for (unsigned j = 0; j < instances; j++)
                one = &families.back()->Add({{"name", "instance " + std::to_string(j)}});
        }
    }
};

void bump(void *context, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        static_cast<Values *>(context)->one->Increment();
}

void expose(void *context, uint64_t times)
{
    const prometheus::TextSerializer serializer;

    for (uint64_t i = 0; i < times; i++)
        bench_use(serializer.Serialize(static_cast<Values *>(context)->registry.Collect()).size());
}

/* Each instance has a counter in every family. */
void add_and_remove(void *context, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        for (auto *family : static_cast<Values *>(context)->families)
            family->Remove(&family->Add({{"name", "comes and goes"}}));
}

void race_one(const std::string &race, const char *who, Values &values,
              void (*run)(void *, uint64_t), uint32_t threads)
{
    const bench_contestant contestant = {who, run, &values, nullptr, threads};

    bench_race(race.c_str(), &contestant, 1);
}

void race_shape(unsigned instances, unsigned counters)
{
    Values values(instances, counters);
    const std::string shape = std::to_string(instances) + "x" + std::to_string(counters);

    race_one("collect/" + shape, "prometheus-cpp, as text", values, expose, 0);
    if (counters == 20 && instances != 100)
        race_one("instances/" + std::to_string(instances), "prometheus-cpp", values, add_and_remove,
                 0);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1 && std::strcmp(argv[1], "-quick") == 0)
        bench_set_rounds(5, 0.5);
    bench_system_pin(0);
    {
        Values values(1, 20);

        race_one("bump", "prometheus-cpp", values, bump, 0);
        for (uint32_t threads = 1; threads <= 16; threads *= 2)
            race_one("threads/" + std::to_string(threads), "prometheus-cpp", values, bump, threads);
    }
    race_shape(1, 10);
    race_shape(10, 20);
    race_shape(100, 10);
    race_shape(100, 20);
    race_shape(1000, 20);
    race_shape(10000, 20);
    return 0;
}
