// SPDX-License-Identifier: MIT
// Includes the C++ header in a program that is compiled without counters. The test is that it
// compiles.
#include <prfdata/prfdata.hpp>

PRFDATA_DECLARE_MAP(no_map);

std::int64_t use_everything();

std::int64_t use_everything()
{
    prfdata::publisher publisher(no_map);
    prfdata::instance instance(publisher, 1, L"one");
    prfdata::bracket together(instance);
    prfdata::timer timer = instance.resolve<prfdata::timer>(2);
    prfdata::scoped_timer running(timer);
    prfdata::distribution latency = instance.resolve<prfdata::distribution>(9);
    prfdata::scoped_record recorded(latency);

    ++instance.resolve<prfdata::gauge>(3);
    ++instance.resolve<prfdata::exclusive_counter>(8);
    instance.resolve<prfdata::average>(4).record(1);
    instance.resolve<prfdata::fraction>(5).record(true);
    instance.resolve<prfdata::fraction>(5).set(1, 2);
    publisher.resolve<prfdata::elapsed>(6).start();
    timer.record(std::chrono::seconds(1));
    latency.record(1);
    latency.record(std::chrono::seconds(1));
    return publisher.resolve<prfdata::counter>(7).value();
}
