// SPDX-License-Identifier: MIT
//
// Wraps the client library in types, for C++11 and later: a counter that accumulates has no set(),
// and publishers and instances end when they go out of scope. <prfdata/prfdata.h> documents every
// call.
//
//     prfdata::publisher publisher(prfdata_default_map);
//     prfdata::instance mail(publisher, QUEUES, L"mail"); // since C++17 also UTF-8: "mail"
//     auto jobs = mail.resolve<prfdata::counter>(QUEUES_JOBS);
//     auto job_time = mail.resolve<prfdata::timer>(QUEUES_JOB_TIME);
//
//     ++jobs;
//     {
//         prfdata::scoped_timer running(job_time);
//         ...
//     }
//     job_time.record(std::chrono::milliseconds(3));
//
//     auto latency = mail.resolve<prfdata::distribution>(QUEUES_LATENCY);
//     prfdata::scoped_record running(latency);
//
// No function throws, and the program need not check any result: after a failed opening, addition
// or look-up, it counts where no reader sees it. error() returns the error code, and status() names
// the last look-up that failed. -Emit Cpp of the installer writes a struct with the handles of all
// counters of an object, so that a wrong operation does not compile (docs/configurations.md). Maps
// are written with the macros of <prfdata/map.h>. PRFDATA_DISABLED turns all calls into nothing, as
// in C.
//
// Handles are small values, so copy them. They may outlive their instance and publisher, as in C.
// An exclusive_counter owns its lane. Therefore it can be moved but not copied, and must not
// outlive its publisher. Threads: as in C. While a thread moves an object of a class that cannot be
// copied, no other thread may use that object.
#ifndef PRFDATA_PRFDATA_HPP
#define PRFDATA_PRFDATA_HPP

#include <prfdata/prfdata.h>

#include <chrono>
#include <cstdint>
#include <ratio>
#include <type_traits>

#if __cplusplus >= 201703L || (defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#define PRFDATA_HAS_STRING_VIEW_
#include <string_view>
#endif

namespace prfdata
{
namespace detail
{
// Converts a time to a count of Unit, a std::ratio of seconds. A negative time becomes 0, and a
// count above the greatest std::int64_t becomes that number.
template <class Unit, class Rep, class Period>
std::uint64_t count_of(std::chrono::duration<Rep, Period> time, std::true_type) noexcept
{
    typedef std::ratio_divide<Period, Unit> factor;
    constexpr std::uint64_t most = INT64_MAX, num = factor::num, den = factor::den;
    const std::uint64_t count = time.count() > 0 ? static_cast<std::uint64_t>(time.count()) : 0;

    static_assert(den <= UINT64_MAX / num, "the period is no usual fraction of a second");
    // count * num could overflow.
    return count / den < most / num ? count / den * num + count % den * num / den : most;
}

// Converts a time in floating-point numbers, like the function above. NaN becomes 0.
template <class Unit, class Rep, class Period>
std::uint64_t count_of(std::chrono::duration<Rep, Period> time, std::false_type) noexcept
{
    const double count =
        std::chrono::duration_cast<std::chrono::duration<double, Unit>>(time).count();

    if (!(count > 0))
        return 0;
    return count < 9223372036854775808.0
               ? static_cast<std::uint64_t>(static_cast<std::int64_t>(count))
               : static_cast<std::uint64_t>(INT64_MAX);
}

template <class Unit, class Rep, class Period>
std::uint64_t count_of(std::chrono::duration<Rep, Period> time) noexcept
{
    return count_of<Unit>(time, std::is_integral<Rep>());
}
} // namespace detail

// ---- Handles. Without a counter, a handle counts where no reader sees it ----

// The common part of all handles with one cell.
class cell_handle
{
  public:
    cell_handle() noexcept : handle_(PRFDATA_HANDLE_INIT)
    {
    }

    // The value that this publisher shows: prfdata_get().
    std::int64_t value() const noexcept
    {
        return prfdata_get(handle_);
    }

    // The handle for the functions of <prfdata/prfdata.h>.
    prfdata_handle handle() const noexcept
    {
        return handle_;
    }

    // For publisher::resolve() and instance::resolve(). Returns the codes of prfdata_resolve().
    std::uint32_t resolve(prfdata_publisher *publisher, std::uint32_t counter_id,
                          const prfdata_instance *instance) noexcept
    {
        return prfdata_resolve(publisher, counter_id, instance, &handle_);
    }

  protected:
    prfdata_handle handle_;
};

// A counter that only grows: rates, deltas, and PRFDATA_MAP_ACCUMULATING.
class counter : public cell_handle
{
  public:
    void increment() const noexcept
    {
        prfdata_increment(handle_);
    }

    // amount: 0 or more.
    void add(std::int64_t amount) const noexcept
    {
        prfdata_add(handle_, amount);
    }

    const counter &operator++() const noexcept
    {
        increment();
        return *this;
    }

    const counter &operator+=(std::int64_t amount) const noexcept
    {
        add(amount);
        return *this;
    }
};

// A hot counter (PRFDATA_MAP_HOT), which keeps a lane of its own, if one is free, until it goes out
// of scope. With a lane, it counts without `lock`. The program promises that only one thread at a
// time uses it; see prfdata_resolve_exclusive(). It must not outlive its publisher.
class exclusive_counter
{
  public:
    exclusive_counter() noexcept : handle_(PRFDATA_EXCLUSIVE_INIT)
    {
    }

    exclusive_counter(exclusive_counter &&other) noexcept : handle_(other.handle_)
    {
        other.handle_ = prfdata_exclusive(PRFDATA_EXCLUSIVE_INIT);
    }

    exclusive_counter &operator=(exclusive_counter &&other) noexcept
    {
        if (this != &other) {
            prfdata_release_exclusive(&handle_);
            handle_ = other.handle_;
            other.handle_ = prfdata_exclusive(PRFDATA_EXCLUSIVE_INIT);
        }
        return *this;
    }

    exclusive_counter(const exclusive_counter &) = delete;
    exclusive_counter &operator=(const exclusive_counter &) = delete;

    ~exclusive_counter()
    {
        prfdata_release_exclusive(&handle_);
    }

    void increment() noexcept
    {
        prfdata_exclusive_increment(&handle_);
    }

    // amount: 0 or more.
    void add(std::int64_t amount) noexcept
    {
        prfdata_exclusive_add(&handle_, amount);
    }

    exclusive_counter &operator++() noexcept
    {
        increment();
        return *this;
    }

    exclusive_counter &operator+=(std::int64_t amount) noexcept
    {
        add(amount);
        return *this;
    }

    // Whether it has a lane; otherwise it counts as `counter` does.
    bool is_exclusive() const noexcept
    {
        return prfdata_is_exclusive(&handle_) != 0;
    }

    // For publisher::resolve() and instance::resolve(). Releases the lane that this handle has, and
    // returns the codes of prfdata_resolve_exclusive().
    std::uint32_t resolve(prfdata_publisher *publisher, std::uint32_t counter_id,
                          const prfdata_instance *instance) noexcept
    {
        prfdata_release_exclusive(&handle_);
        return prfdata_resolve_exclusive(publisher, counter_id, instance, &handle_);
    }

  private:
    prfdata_exclusive handle_;
};

// A value that goes up and down: RAWCOUNT, HEX and RAW_FRACTION types.
class gauge : public counter
{
  public:
    void decrement() const noexcept
    {
        prfdata_decrement(handle_);
    }

    void subtract(std::int64_t amount) const noexcept
    {
        prfdata_subtract(handle_, amount);
    }

    void set(std::int64_t value) const noexcept
    {
        prfdata_set(handle_, value);
    }

    // Raise the gauge to `value` if its value is smaller.
    void raise(std::int64_t value) const noexcept
    {
        prfdata_raise(handle_, value);
    }

    const gauge &operator++() const noexcept
    {
        increment();
        return *this;
    }

    const gauge &operator--() const noexcept
    {
        decrement();
        return *this;
    }

    const gauge &operator+=(std::int64_t amount) const noexcept
    {
        add(amount);
        return *this;
    }

    const gauge &operator-=(std::int64_t amount) const noexcept
    {
        subtract(amount);
        return *this;
    }
};

// The time since something started: PERF_ELAPSED_TIME.
class elapsed : public cell_handle
{
  public:
    void start() const noexcept
    {
        prfdata_elapsed_start(handle_);
    }

    void stop() const noexcept
    {
        prfdata_elapsed_stop(handle_);
    }
};

// The common part of all handles of a counter with its base or clock.
class pair_handle
{
  public:
    pair_handle() noexcept : pair_(PRFDATA_PAIR_INIT)
    {
    }

    // The numerator and the denominator: prfdata_get().
    std::int64_t value() const noexcept
    {
        return prfdata_get(pair_.value);
    }

    std::int64_t base() const noexcept
    {
        return prfdata_get(pair_.base);
    }

    prfdata_pair handle() const noexcept
    {
        return pair_;
    }

    // For publisher::resolve() and instance::resolve(). Returns the codes of
    // prfdata_resolve_pair().
    std::uint32_t resolve(prfdata_publisher *publisher, std::uint32_t counter_id,
                          const prfdata_instance *instance) noexcept
    {
        return prfdata_resolve_pair(publisher, counter_id, instance, &pair_);
    }

  protected:
    prfdata_pair pair_;
};

// An amount per operation: PERF_AVERAGE_BULK with its base.
class average : public pair_handle
{
  public:
    // Count one operation with its amount.
    void record(std::int64_t amount) const noexcept
    {
        prfdata_average_add(pair_, amount);
    }
};

// Counts how many of all attempts were hits; both numbers only grow: SAMPLE_FRACTION, and
// RAW_FRACTION types with PRFDATA_MAP_ACCUMULATING, with their bases.
class counted_fraction : public pair_handle
{
  public:
    void add(std::int64_t part, std::int64_t whole) const noexcept
    {
        prfdata_pair_add(pair_, part, whole);
    }

    // Count one attempt, and whether it was a hit.
    void record(bool hit) const noexcept
    {
        prfdata_pair_add(pair_, hit ? 1 : 0, 1);
    }
};

// A part of a whole at present: RAW_FRACTION types with their bases.
class fraction : public counted_fraction
{
  public:
    void set(std::int64_t part, std::int64_t whole) const noexcept
    {
        prfdata_set(pair_.value, part);
        prfdata_set(pair_.base, whole);
    }
};

// Time: PERF_AVERAGE_TIMER with its base, the other timers, and queue lengths.
class timer : public pair_handle
{
  public:
    // Read the clock of the type, in its own ticks, for stop(), which any thread may call.
    std::uint64_t start() const noexcept
    {
        return prfdata_timer_start(pair_);
    }

    void stop(std::uint64_t started) const noexcept
    {
        prfdata_timer_stop(pair_, started);
    }

    // Count a time that was measured elsewhere; for PERF_AVERAGE_TIMER, also one operation. A
    // negative time counts as 0, and a time of more than 292 years as the greatest
    // std::chrono::nanoseconds.
    template <class Rep, class Period>
    void record(std::chrono::duration<Rep, Period> time) const noexcept
    {
        prfdata_timer_add_ns(pair_, detail::count_of<std::nano>(time));
    }
};

// Count the time from here to the end of the scope, unless cancel() is called.
class scoped_timer
{
  public:
    explicit scoped_timer(const timer &counter) noexcept
        : timer_(counter), started_(counter.start()), runs_(true)
    {
    }

    scoped_timer(scoped_timer &&other) noexcept
        : timer_(other.timer_), started_(other.started_), runs_(other.runs_)
    {
        other.runs_ = false;
    }

    scoped_timer(const scoped_timer &) = delete;
    scoped_timer &operator=(const scoped_timer &) = delete;
    scoped_timer &operator=(scoped_timer &&) = delete;

    ~scoped_timer()
    {
        stop();
    }

    // Count now. The end of the scope then counts nothing.
    void stop() noexcept
    {
        if (runs_)
            timer_.stop(started_);
        runs_ = false;
    }

    // Count nothing, for instance because the operation failed.
    void cancel() noexcept
    {
        runs_ = false;
    }

  private:
    timer timer_;
    std::uint64_t started_;
    bool runs_;
};

// Values whose percentiles counters show: PRFDATA_MAP_DISTRIBUTION.
class distribution
{
  public:
    distribution() noexcept : distribution_(PRFDATA_DISTRIBUTION_INIT)
    {
    }

    // Record a value in the distribution's unit: 100 ns, bytes or a number.
    void record(std::uint64_t value) const noexcept
    {
        prfdata_record(distribution_, value);
    }

    // Record a time that was measured elsewhere; only in distributions of PRFDATA_UNIT_100NS. A
    // negative time counts as 0.
    template <class Rep, class Period>
    void record(std::chrono::duration<Rep, Period> time) const noexcept
    {
        if (distribution_.unit == PRFDATA_UNIT_100NS)
            record(detail::count_of<std::ratio<1, 10000000>>(time));
    }

    // Read the time, for record_since(), which any thread may call.
    std::uint64_t start() const noexcept
    {
        return prfdata_record_start();
    }

    // Record the time since `started`; only in distributions of PRFDATA_UNIT_100NS.
    void record_since(std::uint64_t started) const noexcept
    {
        prfdata_record_since(distribution_, started);
    }

    // For tests: prfdata_recorded_count() and similar functions, in the distribution's unit.
    std::uint64_t count() const noexcept
    {
        return prfdata_recorded_count(distribution_);
    }

    std::uint64_t sum() const noexcept
    {
        return prfdata_recorded_sum(distribution_);
    }

    std::uint64_t mean() const noexcept
    {
        return prfdata_recorded_mean(distribution_);
    }

    std::uint64_t percentile(std::uint32_t share) const noexcept /* out of 10,000 */
    {
        return prfdata_recorded_percentile(distribution_, share);
    }

    std::uint64_t maximum() const noexcept
    {
        return prfdata_recorded_maximum(distribution_);
    }

    // The distribution for the functions of <prfdata/prfdata.h>.
    prfdata_distribution handle() const noexcept
    {
        return distribution_;
    }

    // For publisher::resolve() and instance::resolve(). Returns the codes of
    // prfdata_resolve_distribution().
    std::uint32_t resolve(prfdata_publisher *publisher, std::uint32_t distribution_id,
                          const prfdata_instance *instance) noexcept
    {
        return prfdata_resolve_distribution(publisher, distribution_id, instance, &distribution_);
    }

  private:
    prfdata_distribution distribution_;
};

// Record the time from here to the end of the scope, unless cancel() is called. The `distribution`
// object must outlive the scope.
class scoped_record
{
  public:
    explicit scoped_record(const distribution &times) noexcept
        : times_(&times), started_(times.start()), runs_(true)
    {
    }

    explicit scoped_record(const distribution &&) = delete; /* it would end before the scope */

    scoped_record(scoped_record &&other) noexcept
        : times_(other.times_), started_(other.started_), runs_(other.runs_)
    {
        other.runs_ = false;
    }

    scoped_record(const scoped_record &) = delete;
    scoped_record &operator=(const scoped_record &) = delete;
    scoped_record &operator=(scoped_record &&) = delete;

    ~scoped_record()
    {
        stop();
    }

    // Record now. The end of the scope then records nothing.
    void stop() noexcept
    {
        if (runs_)
            times_->record_since(started_);
        runs_ = false;
    }

    // Record nothing, for instance because the operation failed.
    void cancel() noexcept
    {
        runs_ = false;
    }

  private:
    const distribution *times_;
    std::uint64_t started_;
    bool runs_;
};

// ---- Publishers and instances ----

// Publishes the counters of one map. Its destructor calls prfdata_close(); readers keep the totals.
class publisher
{
  public:
    // A publisher that counts where no reader sees it.
    publisher() noexcept : publisher_(nullptr), error_(ERROR_INVALID_HANDLE)
    {
    }

    // map: must stay valid until the process ends. The codes are those of prfdata_open().
    explicit publisher(const prfdata_map &map) noexcept
        : publisher_(nullptr), error_(prfdata_open(&map, &publisher_))
    {
    }

    // Open with fewer instances than the map allows: prfdata_open_with().
    publisher(const prfdata_map &map, const prfdata_capacity *capacities,
              std::size_t count) noexcept
        : publisher_(nullptr), error_(prfdata_open_with(&map, capacities, count, &publisher_))
    {
    }

    publisher(publisher &&other) noexcept : publisher_(other.publisher_), error_(other.error_)
    {
        other.publisher_ = nullptr;
        other.error_ = ERROR_INVALID_HANDLE;
    }

    publisher &operator=(publisher &&other) noexcept
    {
        if (this != &other) {
            prfdata_close(publisher_);
            publisher_ = other.publisher_;
            error_ = other.error_;
            other.publisher_ = nullptr;
            other.error_ = ERROR_INVALID_HANDLE;
        }
        return *this;
    }

    publisher(const publisher &) = delete;
    publisher &operator=(const publisher &) = delete;

    ~publisher()
    {
        prfdata_close(publisher_);
    }

    // For a library that will be unloaded; prfdata_close_and_unmap() says when to call it.
    void close_and_unmap() noexcept
    {
        prfdata_close_and_unmap(publisher_);
        publisher_ = nullptr;
        error_ = ERROR_INVALID_HANDLE;
    }

    // The code of opening. ERROR_INVALID_HANDLE: nothing was opened, or it was unmapped or moved.
    std::uint32_t error() const noexcept
    {
        return error_;
    }

    // Whether readers see the counts now, and if not, why, in words: prfdata_status().
    template <std::size_t Size> std::uint32_t status(char (&text)[Size]) const noexcept
    {
        return prfdata_status(publisher_, text, Size);
    }

    std::uint32_t status() const noexcept
    {
        return prfdata_status(publisher_, nullptr, 0);
    }

    std::uint32_t retry() noexcept
    {
        return prfdata_retry(publisher_);
    }

    std::uint64_t dropped() const noexcept
    {
        return prfdata_dropped(publisher_);
    }

    // A counter of an object without instances: Handle is counter, gauge, exclusive_counter,
    // elapsed, average, counted_fraction, fraction, timer or distribution. `error`, if not null,
    // gets the code.
    template <class Handle>
    Handle resolve(std::uint32_t counter_id, std::uint32_t *error = nullptr) const noexcept
    {
        Handle handle;
        const std::uint32_t code = handle.resolve(publisher_, counter_id, nullptr);

        if (error)
            *error = code;
        return handle;
    }

    // The publisher for the functions of <prfdata/prfdata.h>.
    prfdata_publisher *get() const noexcept
    {
        return publisher_;
    }

  private:
    prfdata_publisher *publisher_;
    std::uint32_t error_;
};

#ifdef PRFDATA_HAS_STRING_VIEW_
namespace detail
{
// Converts the name of an instance from UTF-8 to wide text. A name that is not UTF-8, or has a NUL
// inside, becomes one that prfdata_instance_add() refuses with ERROR_INVALID_NAME. A name that is
// too long stays too long.
class wide_name
{
  public:
    template <class Char> explicit wide_name(std::basic_string_view<Char> name) noexcept
    {
#ifdef PRFDATA_DISABLED
        (void)name;
#else
        std::size_t position = 0;

        while (position < name.size() && used_ <= PRFDATA_MAX_INSTANCE_NAME_CHARS) {
            const std::uint32_t c = next(name, position);

            if (c == invalid) {
                used_ = 0;
                append(0xD800);
                break;
            }
            append(c);
        }
#endif
        chars_[used_] = 0;
    }

    const wchar_t *get() const noexcept
    {
        return chars_;
    }

  private:
    static constexpr std::uint32_t invalid = 0xFFFFFFFF;

    // Returns the character at `position`, or `invalid`, and moves `position` past it.
    template <class Char>
    static std::uint32_t next(std::basic_string_view<Char> name, std::size_t &position) noexcept
    {
        const std::uint32_t first = static_cast<unsigned char>(name[position++]);
        const unsigned more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        const std::uint32_t lowest = more == 0 ? 1 : more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
        std::uint32_t c = more == 0 ? first : first & (0x3Fu >> more);

        if ((first >= 0x80 && first < 0xC2) || first > 0xF4 || name.size() - position < more)
            return invalid;
        for (unsigned i = 0; i < more; i++) {
            const std::uint32_t byte = static_cast<unsigned char>(name[position++]);

            if ((byte & 0xC0) != 0x80)
                return invalid;
            c = c << 6 | (byte & 0x3F);
        }
        return c < lowest || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF) ? invalid : c;
    }

    void append(std::uint32_t c) noexcept
    {
        if (sizeof(wchar_t) == 2 && c > 0xFFFF) {
            chars_[used_++] = static_cast<wchar_t>(0xD7C0 + (c >> 10));
            c = 0xDC00 | (c & 0x3FF);
        }
        chars_[used_++] = static_cast<wchar_t>(c);
    }

    // Room for the longest name, NUL, and one more character, so that a name that is too long stays
    // too long. That character may be a surrogate pair.
    wchar_t chars_[PRFDATA_MAX_INSTANCE_NAME_CHARS + 3];
    std::size_t used_ = 0;
};
} // namespace detail
#endif

// An instance, from here to the end of the scope: prfdata_instance_add() and _remove(). It must not
// outlive its publisher.
class instance
{
  public:
    // An empty object, without an instance.
    instance() noexcept : instance_(PRFDATA_INSTANCE_INIT), error_(ERROR_NOT_FOUND)
    {
    }

    instance(publisher &owner, std::uint32_t object_id, const wchar_t *name) noexcept
        : instance_(PRFDATA_INSTANCE_INIT),
          error_(prfdata_instance_add(owner.get(), object_id, name, nullptr, &instance_))
    {
    }

    instance(publisher &owner, std::uint32_t object_id, const wchar_t *name,
             const instance &parent) noexcept
        : instance_(PRFDATA_INSTANCE_INIT),
          error_(prfdata_instance_add(owner.get(), object_id, name, &parent.instance_, &instance_))
    {
    }

#ifdef PRFDATA_HAS_STRING_VIEW_
    // Add an instance by a name in UTF-8. If the name is not valid UTF-8, error() is
    // ERROR_INVALID_NAME.
    instance(publisher &owner, std::uint32_t object_id, std::string_view name) noexcept
        : instance(owner, object_id, detail::wide_name(name).get())
    {
    }

    instance(publisher &owner, std::uint32_t object_id, std::string_view name,
             const instance &parent) noexcept
        : instance(owner, object_id, detail::wide_name(name).get(), parent)
    {
    }

#ifdef __cpp_lib_char8_t
    instance(publisher &owner, std::uint32_t object_id, std::u8string_view name) noexcept
        : instance(owner, object_id, detail::wide_name(name).get())
    {
    }

    instance(publisher &owner, std::uint32_t object_id, std::u8string_view name,
             const instance &parent) noexcept
        : instance(owner, object_id, detail::wide_name(name).get(), parent)
    {
    }
#endif
#endif

    // Add an instance with a number instead of a name.
    instance(publisher &owner, std::uint32_t object_id, std::int32_t unique_id) noexcept
        : instance_(PRFDATA_INSTANCE_INIT),
          error_(prfdata_instance_add_id(owner.get(), object_id, unique_id, nullptr, &instance_))
    {
    }

    instance(publisher &owner, std::uint32_t object_id, std::int32_t unique_id,
             const instance &parent) noexcept
        : instance_(PRFDATA_INSTANCE_INIT),
          error_(prfdata_instance_add_id(owner.get(), object_id, unique_id, &parent.instance_,
                                         &instance_))
    {
    }

    instance(instance &&other) noexcept : instance_(other.instance_), error_(other.error_)
    {
        other.forget();
    }

    instance &operator=(instance &&other) noexcept
    {
        if (this != &other) {
            remove();
            instance_ = other.instance_;
            error_ = other.error_;
            other.forget();
        }
        return *this;
    }

    instance(const instance &) = delete;
    instance &operator=(const instance &) = delete;

    ~instance()
    {
        remove();
    }

    // Remove it now. ERROR_DEPENDENT_RESOURCE_EXISTS means that it is the parent of other instances
    // and stays; the end of the scope then tries again.
    std::uint32_t remove() noexcept
    {
        const std::uint32_t code = prfdata_instance_remove(&instance_);

        if (code != ERROR_DEPENDENT_RESOURCE_EXISTS)
            forget();
        return code;
    }

    // Return the instance, and do not remove it later. It stays until the publisher is closed.
    prfdata_instance release() noexcept
    {
        const prfdata_instance left = instance_;

        forget();
        return left;
    }

    // The error code of adding the instance, or 0. ERROR_NOT_FOUND if there is no instance, for
    // example after remove() or release().
    std::uint32_t error() const noexcept
    {
        return error_;
    }

    // Find a counter as publisher::resolve() does.
    template <class Handle>
    Handle resolve(std::uint32_t counter_id, std::uint32_t *error = nullptr) const noexcept
    {
        Handle handle;
        const std::uint32_t code = handle.resolve(instance_.publisher, counter_id, &instance_);

        if (error)
            *error = code;
        return handle;
    }

    // The instance for the functions of <prfdata/prfdata.h>.
    const prfdata_instance &get() const noexcept
    {
        return instance_;
    }

  private:
    void forget() noexcept
    {
        instance_ = prfdata_instance(PRFDATA_INSTANCE_INIT);
        error_ = ERROR_NOT_FOUND;
    }

    prfdata_instance instance_;
    std::uint32_t error_;
};

// Updates that readers see together, from here to the end of the scope; keep it short.
class bracket
{
  public:
    explicit bracket(const instance &of) noexcept : instance_(of.get()), publisher_(nullptr)
    {
        prfdata_begin(&instance_);
    }

    // Brackets updates of everything that the publisher has.
    explicit bracket(const publisher &of) noexcept
        : instance_(PRFDATA_INSTANCE_INIT), publisher_(of.get())
    {
        prfdata_begin_all(publisher_);
    }

    bracket(const bracket &) = delete;
    bracket &operator=(const bracket &) = delete;

    ~bracket()
    {
        if (publisher_)
            prfdata_end_all(publisher_);
        else
            prfdata_end(&instance_);
    }

  private:
    prfdata_instance instance_;
    prfdata_publisher *publisher_;
};

} // namespace prfdata

#endif
