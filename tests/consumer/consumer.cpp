// Does what consumer.c does, in C++. It prints only what it has counted itself, although readers
// also see what others counted before.
#include <cstdio>

#include <prfdata/prfdata.hpp>

#include "shop_map.h"

int main()
{
    prfdata::publisher publisher(prfdata_default_map);

    if (publisher.error() != ERROR_SUCCESS && publisher.error() != ERROR_FILE_NOT_FOUND) {
        std::printf("the publisher says %u\n", static_cast<unsigned>(publisher.error()));
        return 1;
    }
    const prfdata::counter orders = publisher.resolve<prfdata::counter>(SHOP_ORDERS);
    const long long before = orders.value();

    ++orders;
    orders += 41;
    std::printf("counted %lld orders %s\n", static_cast<long long>(orders.value()) - before,
                publisher.error() == ERROR_SUCCESS ? "for everybody" : "in private");
    return 0;
}
