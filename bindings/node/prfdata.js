// SPDX-License-Identifier: MIT
'use strict';
/* Publishes the performance counters of a map file from a Node.js or Electron program, by
 * prfdata.dll. Needs the package koffi.
 *
 *     const prfdata = require('./prfdata');
 *
 *     const publisher = prfdata.open('queues.prfmap');
 *     const jobs = publisher.add('QUEUES', 'mail').counter('QUEUES_JOBS');
 *     jobs.increment();
 *
 * No call throws. If something could not be opened, added or found, its counters count in memory
 * that no reader sees. publisher.status says why, and the property error of an instance, a counter
 * and so on is a Windows error code, or 0. An argument that cannot be used changes nothing, and a
 * process warning says once what was expected. Only require() throws, if the library cannot be
 * loaded or has another version. */
const koffi = require('koffi');
const path = require('path');
const fs = require('fs');
const url = require('url');

const VERSION = 1;
const STATUS_BYTES = 1536;
const NO_ID = 0xffffffff;
const INVALID_PARAMETER = 87; // Windows' ERROR_INVALID_PARAMETER
const NAME = process.platform === 'win32' ? 'prfdata.dll' : 'libprfdata.so';
// The most that prfdata_call_get_sizes() may return.
const MEMORY_BYTES = 128;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/* Returns the library's full path: PRFDATA_LIBRARY, or a file next to this module, the main script
 * or the program. The system's search is not used, because it may include folders of other
 * users. */
function libraryPath() {
    if (process.env.PRFDATA_LIBRARY)
        return path.resolve(process.env.PRFDATA_LIBRARY);
    const folders = [__dirname, path.dirname(process.execPath)];
    if (require.main && require.main.filename)
        folders.push(path.dirname(require.main.filename));
    const found = folders.map((folder) => path.join(folder, NAME)).find((file) => fs.existsSync(file));
    if (!found)
        throw new Error(`prfdata: ${NAME} is in none of ${folders.join(', ')}. Put it, for the ` +
            `processor of this Node.js (${process.arch}), next to prfdata.js.`);
    return found;
}

function load(file) {
    try {
        return koffi.load(file);
    } catch (error) {
        throw new Error(`prfdata: ${file} cannot be loaded (${error.message}). It must be for the ` +
            `processor of this Node.js (${process.arch}).`);
    }
}

const library = load(libraryPath());
// Paths and names are wide text, which is char16_t on Windows only.
const wide = process.platform === 'win32' ? 'str16' : 'str32';
const call = {
    version: library.func('uint32_t prfdata_call_version()'),
    findId: library.func('uint32_t prfdata_call_find_id(void *, const char *, _Out_ uint32_t *id)'),
    cell: library.func('void *prfdata_call_cell(void *handle)'),
    add: library.func('void prfdata_call_add(void *handle, int64_t amount)'),
    set: library.func('void prfdata_call_set(void *handle, int64_t value)'),
    raise: library.func('void prfdata_call_raise(void *handle, int64_t value)'),
    get: library.func('int64_t prfdata_call_get(void *handle)'),
    getValue: library.func('int64_t prfdata_call_get_value(void *pair)'),
    getBase: library.func('int64_t prfdata_call_get_base(void *pair)'),
    averageAdd: library.func('void prfdata_call_average_add(void *pair, int64_t amount)'),
    timerStart: library.func('uint64_t prfdata_call_timer_start(void *pair)'),
    timerStop: library.func('void prfdata_call_timer_stop(void *pair, uint64_t started)'),
    elapsedStart: library.func('void prfdata_call_elapsed_start(void *handle)'),
    elapsedStop: library.func('void prfdata_call_elapsed_stop(void *handle)'),
    setPrivate: library.func('void prfdata_set_private(int is_private)'),
    open: library.func(`uint32_t prfdata_open_file(${wide} path, _Out_ void **publisher)`),
    close: library.func('void prfdata_close(void *publisher)'),
    status: library.func('uint32_t prfdata_status(void *publisher, void *text, size_t capacity)'),
    retry: library.func('uint32_t prfdata_retry(void *publisher)'),
    instanceAdd: library.func(
        `uint32_t prfdata_instance_add(void *, uint32_t, ${wide}, void *parent, void *instance)`),
    instanceFind: library.func(
        `uint32_t prfdata_instance_find(void *, uint32_t, ${wide}, void *parent, void *instance)`),
    instanceRemove: library.func('uint32_t prfdata_instance_remove(void *instance)'),
    resolve: library.func('uint32_t prfdata_resolve(void *, uint32_t, void *, void *handle)'),
    resolvePair: library.func('uint32_t prfdata_resolve_pair(void *, uint32_t, void *, void *pair)'),
    resolveDistribution: library.func(
        'uint32_t prfdata_resolve_distribution(void *, uint32_t, void *, void *distribution)'),
    record: library.func('void prfdata_call_record(void *distribution, uint64_t value)'),
    recordStart: library.func('uint64_t prfdata_call_record_start()'),
    recordSince: library.func(
        'void prfdata_call_record_since(void *distribution, uint64_t started)'),
    recordedCount: library.func('uint64_t prfdata_call_recorded_count(void *distribution)'),
    recordedSum: library.func('uint64_t prfdata_call_recorded_sum(void *distribution)'),
    recordedMean: library.func('uint64_t prfdata_call_recorded_mean(void *distribution)'),
    recordedPercentile: library.func(
        'uint64_t prfdata_call_recorded_percentile(void *distribution, uint32_t share)'),
    begin: library.func('void prfdata_begin(void *instance)'),
    end: library.func('void prfdata_end(void *instance)'),
};
if (call.version() !== VERSION) {
    throw new Error(`${NAME} has version ${call.version()} of its calls, and prfdata.js is written ` +
        `for ${VERSION}; use both from the same release of PrfData.`);
}

const warned = new Set();
const instances = new WeakSet(); // every Instance; unlike instanceof, has() runs no code of a proxy

/* Warns once for each kind of mistake. Returns INVALID_PARAMETER. */
function refuse(method, expected, value) {
    const kind = value === null ? 'null' : Number.isNaN(value) ? 'NaN' : typeof value;
    const key = `${method} ${expected} ${kind}`;
    if (!warned.has(key)) {
        warned.add(key);
        let shown = kind;
        if (kind === 'string' || kind === 'number' || kind === 'bigint')
            shown = `${kind} ${JSON.stringify(String(value).slice(0, 40))}`;
        process.emitWarning(`${method} expects ${expected}, not ${shown}; nothing was done`,
            'PrfDataWarning');
    }
    return INVALID_PARAMETER;
}

/* Returns a value as a BigInt without its fraction, or undefined if the value is not a number from
 * `least` to 2^63 - 1. */
function whole(method, value, least = INT64_MIN) {
    const number = typeof value === 'bigint' ? value :
        typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
    if (number !== undefined && number >= least && number <= INT64_MAX)
        return number;
    refuse(method, least === 0n ? 'a number from 0 to 2^63 - 1' : 'a number that fits into 64 bits', value);
    return undefined;
}

/* Returns whether C can represent the text. */
function isText(method, what, value) {
    if (typeof value === 'string' && !value.includes('\0'))
        return true;
    refuse(method, `${what} as a string without NUL`, value);
    return false;
}

/* Returns whether a value is like a promise; false if its own code throws. */
function isPromise(value) {
    try {
        return Boolean(value) && typeof value.then === 'function';
    } catch (error) {
        return false;
    }
}

/* Calls `operation`, and calls `stop` when the operation has ended, even if it is asynchronous. */
function measure(method, operation, start, stop) {
    if (typeof operation !== 'function') {
        refuse(method, 'a function', operation);
        return undefined;
    }
    const started = start();
    let result;
    try {
        result = operation();
    } catch (error) {
        stop(started);
        throw error;
    }
    if (isPromise(result))
        return Promise.resolve(result).finally(() => stop(started));
    stop(started);
    return result;
}

/* A counter of one instance. */
class Counter {
    constructor(publisher, name, instance) {
        this.handle = Buffer.alloc(MEMORY_BYTES);
        this.error = call.resolve(publisher.pointer, publisher.idOf('counter()', name), instance, this.handle);
        try {
            const cell = call.cell(this.handle);
            this.cell = cell && new BigInt64Array(koffi.view(cell, 8));
        } catch (error) {
            this.cell = null; // Electron forbids buffers of foreign memory, so count by calls
        }
    }

    /* Counts in place, without a call, unless the map marks the counter as hot, or the program is
     * Electron. */
    add(amount) {
        const number = whole('Counter.add()', amount);
        if (number === undefined)
            return;
        if (this.cell)
            Atomics.add(this.cell, 0, number);
        else
            call.add(this.handle, number);
    }

    increment() {
        this.add(1);
    }

    /* Subtracts one. Only for gauges, whose values go up and down. */
    decrement() {
        this.add(-1);
    }

    /* Sets the value. Only for gauges. */
    set(value) {
        const number = whole('Counter.set()', value);
        if (number !== undefined)
            call.set(this.handle, number);
    }

    /* Raises the counter to `value` if its own value is smaller. */
    raise(value) {
        const number = whole('Counter.raise()', value);
        if (number !== undefined)
            call.raise(this.handle, number);
    }

    /* Lets a counter of the type PERF_ELAPSED_TIME show the time since this call. */
    start() {
        call.elapsedStart(this.handle);
    }

    /* Lets a counter of the type PERF_ELAPSED_TIME show no time. */
    stop() {
        call.elapsedStop(this.handle);
    }

    /* The value that this publisher shows: a number, or a BigInt if it is above 2^53 or below
     * -2^53. */
    get value() {
        return call.get(this.handle);
    }
}

/* A counter with its base: an average, a fraction, a timer. */
class Average {
    constructor(publisher, name, instance) {
        this.pair = Buffer.alloc(MEMORY_BYTES);
        this.error =
            call.resolvePair(publisher.pointer, publisher.idOf('average()', name), instance, this.pair);
    }

    /* Count one operation, and add `amount` to the sum. */
    add(amount) {
        const number = whole('Average.add()', amount);
        if (number !== undefined)
            call.averageAdd(this.pair, number);
    }

    /* The sum of the amounts, or of the ticks of a timer. */
    get value() {
        return call.getValue(this.pair);
    }

    /* The number of operations, or the whole of a fraction. */
    get base() {
        return call.getBase(this.pair);
    }

    /* Call `operation`, and count it and its duration, even if it is asynchronous. */
    time(operation) {
        return measure('Average.time()', operation, () => call.timerStart(this.pair),
            (started) => call.timerStop(this.pair, started));
    }
}

/* A distribution of recorded values. Counters of the map show its percentiles, means and counts. */
class Distribution {
    constructor(publisher, number, instance) {
        const id = whole('distribution()', number, 0n);
        this.memory = Buffer.alloc(MEMORY_BYTES);
        this.error = call.resolveDistribution(publisher.pointer, id === undefined || id > NO_ID ? NO_ID : Number(id),
            instance, this.memory);
    }

    /* Record one value, 0 or more, in the distribution's unit. */
    record(value) {
        const number = whole('Distribution.record()', value, 0n);
        if (number !== undefined)
            call.record(this.memory, number);
    }

    /* The number of values recorded by this publisher. This and the next four members are for
     * tests. */
    get count() {
        return call.recordedCount(this.memory);
    }

    get sum() {
        return call.recordedSum(this.memory);
    }

    /* The rounded mean of the values. */
    get mean() {
        return call.recordedMean(this.memory);
    }

    /* The greatest of the values, within the precision of the map. */
    get maximum() {
        return call.recordedPercentile(this.memory, 10000);
    }

    /*
     * A percentile, within the precision of the map: `share` / 10,000 of the values are not larger
     * (5000: the median).
     */
    percentile(share) {
        const number = whole('Distribution.percentile()', share, 0n);
        return call.recordedPercentile(this.memory, number === undefined ? 0 : number > 10000n ? 10000 : Number(number));
    }

    /* Record how long `operation` lasts, even if it is asynchronous. The distribution's unit must be
     * 100ns. */
    time(operation) {
        return measure('Distribution.time()', operation, () => call.recordStart(),
            (started) => call.recordSince(this.memory, started));
    }
}

/* An instance of an object, or an object without instances. */
class Instance {
    constructor(publisher, memory, error) {
        this.publisher = publisher;
        this.memory = memory;
        this.error = error;
        instances.add(this);
    }

    counter(name) {
        return new Counter(this.publisher, name, this.memory);
    }

    average(name) {
        return new Average(this.publisher, name, this.memory);
    }

    /* Finds a distribution by its number, because it has no symbol in a map file. */
    distribution(number) {
        return new Distribution(this.publisher, number, this.memory);
    }

    /*
     * Calls `update`, which must be short. If `update` makes several updates of this instance
     * before it returns, readers see them together.
     */
    together(update) {
        if (typeof update !== 'function') {
            refuse('together()', 'a function', update);
            return undefined;
        }
        call.begin(this.memory);
        try {
            return update();
        } finally {
            call.end(this.memory);
        }
    }

    remove() {
        call.instanceRemove(this.memory);
    }
}

/* Returns the path that a URL stands for. Returns all other values unchanged. */
function pathOf(file) {
    try {
        return file instanceof URL && file.protocol === 'file:' ? url.fileURLToPath(file) : file;
    } catch (error) { // the URL has a host or an encoded slash, or `file` is a proxy
        return file;
    }
}

/* Publishes the counters of one map file. Keep the Publisher for as long as the program runs. */
class Publisher {
    constructor(file) {
        const pointer = [null];
        this.pointer = null;
        this.ended = null; // the text of `status` if there is no publisher; null: `status` asks the library
        this.ids = new Map();
        const name = pathOf(file);
        if (isText('open()', 'the path of a map file', name)) {
            this.error = call.open(name, pointer);
            this.pointer = pointer[0];
        } else {
            this.error = INVALID_PARAMETER;
            this.ended = 'The path of the map file is not a string without NUL.';
        }
    }

    /* Returns the id of a symbol of the map file, or the highest number if the map does not have
     * it. */
    idOf(method, name) {
        if (this.ids.has(name))
            return this.ids.get(name);
        if (!isText(method, 'a symbol of the map file', name))
            return NO_ID;
        const id = [NO_ID];
        const found = call.findId(this.pointer, name, id) === 0 ? id[0] : NO_ID;
        this.ids.set(name, found);
        return found;
    }

    /* Says in a sentence whether readers see the counters, and if not, why. */
    get status() {
        if (this.ended)
            return this.ended;
        const text = Buffer.alloc(STATUS_BYTES);
        call.status(this.pointer, text, STATUS_BYTES);
        return text.toString('utf8', 0, text.indexOf(0));
    }

    /* Try again to publish. Returns a Windows error code, or 0. */
    retry() {
        return call.retry(this.pointer);
    }

    /* Add an instance by name. `parent` is an instance of the parent object, or null if the object
     * has none. */
    add(object, name, parent = null) {
        return this.lookUp(call.instanceAdd, 'add()', object, name, parent);
    }

    /* Find an instance that was added before. */
    find(object, name, parent = null) {
        return this.lookUp(call.instanceFind, 'find()', object, name, parent);
    }

    lookUp(look, method, object, name, parent) {
        const memory = Buffer.alloc(MEMORY_BYTES);
        let error = INVALID_PARAMETER;
        if (parent !== null && parent !== undefined && !instances.has(parent))
            refuse(method, 'an instance as the parent', parent);
        else if (isText(method, 'the name of an instance', name))
            error = look(this.pointer, this.idOf(method, object), name, parent ? parent.memory : null, memory);
        return new Instance(this, memory, error);
    }

    /* The instance for the counters of objects without instances. */
    get single() {
        return new Instance(this, null, 0);
    }

    /* Hide the instances. Their counts stay in the totals. A second call does nothing. */
    close() {
        const pointer = this.pointer;
        this.pointer = null;
        this.ended = this.ended || 'The publisher is closed.';
        call.close(pointer);
    }
}

/* For unit tests: sets whether publishers that are opened from now on count only for this process. */
exports.setPrivate = (isPrivate) => {
    if (typeof isPrivate === 'boolean')
        call.setPrivate(isPrivate ? 1 : 0);
    else
        refuse('setPrivate()', 'true or false', isPrivate);
};

/* Publish the counters of a map file. See publisher.error and publisher.status. */
exports.open = (file) => new Publisher(file);
