// SPDX-License-Identifier: MIT
'use strict';
/*
 * Performance counters for Node.js programs: what a map file declares, published by prfdata.dll.
 * Needs the package koffi.
 *
 *     const prfdata = require('./prfdata');
 *
 *     const publisher = prfdata.open('queues.prfmap');
 *     const jobs = publisher.add('QUEUES', 'mail').counter('QUEUES_JOBS');
 *     jobs.increment();
 *
 * Nothing here throws because counting does not work: a counter of what could not be opened, added
 * or found counts where no reader sees it. publisher.status says why; the property error of an
 * instance, a counter and so on is a Windows error code, 0 if the map has it.
 */
const koffi = require('koffi');
const path = require('path');
const fs = require('fs');

const VERSION = 1;
const STATUS_BYTES = 1536;
const NO_ID = 0xffffffff;
const NAME = process.platform === 'win32' ? 'prfdata.dll' : 'libprfdata.so';

const beside = path.join(__dirname, NAME);
const library = koffi.load(process.env.PRFDATA_LIBRARY || (fs.existsSync(beside) ? beside : NAME));
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
    averageAdd: library.func('void prfdata_call_average_add(void *pair, int64_t amount)'),
    timerStart: library.func('uint64_t prfdata_call_timer_start(void *pair)'),
    timerStop: library.func('void prfdata_call_timer_stop(void *pair, uint64_t started)'),
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
    begin: library.func('void prfdata_begin(void *instance)'),
    end: library.func('void prfdata_end(void *instance)'),
};
if (call.version() !== VERSION) {
    throw new Error(`${NAME} has version ${call.version()} of its calls, and prfdata.js is written ` +
        `for ${VERSION}; use the two of one PrfData.`);
}
// The most that prfdata_call_get_sizes() may say.
const MEMORY_BYTES = 128;

/* Call `stop` when the operation has ended, also if that is asynchronous. */
function finish(operation, stop) {
    let result;
    try {
        result = operation();
    } catch (error) {
        stop();
        throw error;
    }
    if (result && typeof result.then === 'function')
        return Promise.resolve(result).finally(stop);
    stop();
    return result;
}

/* A counter of one instance. */
class Counter {
    constructor(publisher, name, instance) {
        this.handle = Buffer.alloc(MEMORY_BYTES);
        this.error = call.resolve(publisher.pointer, publisher.idOf(name), instance, this.handle);
        const cell = call.cell(this.handle);
        this.cell = cell && new BigInt64Array(koffi.view(cell, 8));
    }

    /* In place, without a call, unless the counter is hot. */
    add(amount) {
        if (this.cell)
            Atomics.add(this.cell, 0, BigInt(amount));
        else
            call.add(this.handle, amount);
    }

    increment() {
        this.add(1);
    }

    /* Gauges only. */
    decrement() {
        this.add(-1);
    }

    /* Gauges only. */
    set(value) {
        call.set(this.handle, value);
    }

    raise(value) {
        call.raise(this.handle, value);
    }

    /* What this publisher shows: a number, above 2^53 a BigInt. */
    get value() {
        return call.get(this.handle);
    }
}

/* A counter with its base: an average, a fraction, a timer. */
class Average {
    constructor(publisher, name, instance) {
        this.pair = Buffer.alloc(MEMORY_BYTES);
        this.error =
            call.resolvePair(publisher.pointer, publisher.idOf(name), instance, this.pair);
    }

    /* One operation of `amount`. */
    add(amount) {
        call.averageAdd(this.pair, amount);
    }

    /* One operation that lasts as long as `operation`, also if that is asynchronous. */
    time(operation) {
        const started = call.timerStart(this.pair);
        return finish(operation, () => call.timerStop(this.pair, started));
    }
}

/* How often values of which size occurred: the percentiles, mean and counts of a map. */
class Distribution {
    constructor(publisher, number, instance) {
        this.memory = Buffer.alloc(MEMORY_BYTES);
        this.error =
            call.resolveDistribution(publisher.pointer, number, instance, this.memory);
    }

    /* One value, from 0, in the distribution's unit. */
    record(value) {
        call.record(this.memory, value);
    }

    /* Record how long `operation` lasts, also if it is asynchronous. The unit is 100ns. */
    time(operation) {
        const started = call.recordStart();
        return finish(operation, () => call.recordSince(this.memory, started));
    }
}

/* An instance of an object, or an object without instances. */
class Instance {
    constructor(publisher, memory, error) {
        this.publisher = publisher;
        this.memory = memory;
        this.error = error;
    }

    counter(name) {
        return new Counter(this.publisher, name, this.memory);
    }

    average(name) {
        return new Average(this.publisher, name, this.memory);
    }

    /* By its number, for in a map file distributions have no symbols. */
    distribution(number) {
        return new Distribution(this.publisher, number, this.memory);
    }

    /* Updates that `update` makes before it returns are seen together. Keep it short. */
    together(update) {
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

/* The counters of one map file. Open it once, for as long as the program runs. */
class Publisher {
    constructor(file) {
        const pointer = [null];
        this.error = call.open(file, pointer);
        this.pointer = pointer[0];
        this.ids = new Map();
    }

    /* The id of a symbol of the map file. Of an unknown one, the highest number there is. */
    idOf(name) {
        if (!this.ids.has(name)) {
            const id = [NO_ID];
            this.ids.set(name, call.findId(this.pointer, name, id) === 0 ? id[0] : NO_ID);
        }
        return this.ids.get(name);
    }

    /* Whether readers see the counters, and if not, why: a sentence. */
    get status() {
        const text = Buffer.alloc(STATUS_BYTES);
        call.status(this.pointer, text, STATUS_BYTES);
        return text.toString('utf8', 0, text.indexOf(0));
    }

    /* Try to publish now, where that failed before. Returns a Windows error code, 0 if done. */
    retry() {
        return call.retry(this.pointer);
    }

    /* Add an instance by name, below an instance of the parent object if the map has one. */
    add(object, name, parent = null) {
        return this.lookUp(call.instanceAdd, object, name, parent);
    }

    /* An instance that was added before. */
    find(object, name, parent = null) {
        return this.lookUp(call.instanceFind, object, name, parent);
    }

    lookUp(look, object, name, parent) {
        const memory = Buffer.alloc(MEMORY_BYTES);
        const error =
            look(this.pointer, this.idOf(object), name, parent && parent.memory, memory);
        return new Instance(this, memory, error);
    }

    /* For the counters of objects without instances. */
    get single() {
        return new Instance(this, null, 0);
    }

    /* Hide the instances; what was counted stays in the totals. Again, it does nothing. */
    close() {
        const pointer = this.pointer;
        this.pointer = null;
        call.close(pointer);
    }
}

/* Publish the counters of a map file. Never throws: see publisher.error and publisher.status. */
exports.open = (file) => new Publisher(file);
