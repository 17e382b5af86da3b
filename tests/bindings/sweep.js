// SPDX-License-Identifier: MIT
'use strict';
/* Calls every function of bindings/node with values of every type: sweep.js MODULE MAP. No call may
 * throw or end node, a refused value must change nothing, and each refusal must say what was
 * expected. With PRFDATA_SWEEP=electron koffi.view() throws, as in Electron. */
const assert = require('assert');
const koffi = require('koffi');

if (process.env.PRFDATA_SWEEP === 'electron')
    koffi.view = () => { throw new Error('External buffers are not allowed'); };

const prfdata = require(process.argv[2]);
const warnings = [];
process.on('warning', (warning) => warnings.push(warning.message));

const publisher = prfdata.open(process.argv[3]);
const mail = publisher.add('QUEUES', 'mail');
const jobs = mail.counter('QUEUES_JOBS');
const depth = mail.counter('QUEUES_DEPTH');
const time = mail.average('QUEUES_JOB_TIME');
const bytes = mail.distribution(10);
assert.strictEqual(mail.error + jobs.error + depth.error + time.error + bytes.error, 0);
assert.strictEqual(jobs.cell === null, process.env.PRFDATA_SWEEP === 'electron');

const shown = (value) => typeof value === 'object' ? 'an object' : String(value);

// Objects whose own code throws.
const boom = () => { throw new Error('boom'); };
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const hostile = [new Proxy({}, { get: boom, has: boom, getPrototypeOf: boom }), revoked.proxy,
    { toString: boom, valueOf: boom, [Symbol.toPrimitive]: boom }, Object.create(null), new URL('file://host/a%2Fb')];

// Each row: an amount, and the value that add() adds and set() sets. Without this value,
// the amount is refused.
const amounts = [
    [5, 5], [1.5, 1], [2.5e3, 2500], [-0.5, 0], [7n, 7], [2 ** 53, 9007199254740992n],
    [2 ** 62, 4611686018427387904n], [-3, -3], [true], [2 ** 63], [-(2 ** 64)], [2n ** 63n], [NaN],
    [Infinity], ['7'], [''], [undefined], [null], [{}], [[3]], [() => 1], [Symbol('x')], [new Date(5)],
    [Buffer.alloc(200)], ...hostile.map((value) => [value]),
];
for (const [value, expected] of amounts) {
    const before = BigInt(jobs.value);
    jobs.add(value);
    assert.strictEqual(BigInt(jobs.value) - before, BigInt(expected || 0), `add ${shown(value)}`);
    depth.set(1000);
    depth.set(value);
    assert.strictEqual(BigInt(depth.value), expected === undefined ? 1000n : BigInt(expected), `set ${shown(value)}`);
    depth.raise(value);
    time.add(value);
    bytes.record(value);
}

const names = [5, process.pid, 3.5, 7n, NaN, undefined, null, true, {}, [], ['mail'], () => 1, Symbol('x'),
    Buffer.from('mail'), new Date(5), ...hostile, 'a\0b', '\ud800', '', 'x'.repeat(100000)];
for (const name of names) {
    assert.notStrictEqual(publisher.add(name, 'mail').error, 0);
    assert.notStrictEqual(publisher.find(name, 'mail').error, 0);
    assert.notStrictEqual(mail.counter(name).error, 0);
    assert.notStrictEqual(mail.average(name).error, 0);
    assert.notStrictEqual(prfdata.open(name).error, 0);
    mail.counter(name).increment(); // counts where no reader sees it
    if (name !== '\ud800')
        assert.notStrictEqual(publisher.add('QUEUES', name).error, 0, `add ${shown(name)}`);
    if (name !== undefined && name !== null)
        assert.notStrictEqual(publisher.add('QUEUES', 'x', name).error, 0, `parent ${shown(name)}`);
    if (typeof name !== 'number')
        assert.notStrictEqual(mail.distribution(name).error, 0);
    if (typeof name !== 'function') {
        time.time(name);
        bytes.time(name);
        mail.together(name);
    }
}
assert.notStrictEqual(mail.distribution(-1).error + mail.distribution(2 ** 40).error, 0);
// The application gets an error of its own function.
assert.throws(() => time.time(() => { throw new Error('mine'); }), /mine/);
// The operation also ends if its result is an object whose code throws.
assert.strictEqual(mail.together(() => hostile[0]), hostile[0]);
assert.strictEqual(publisher.single.counter('QUEUES_JOBS').error, 87);
publisher.single.remove();

publisher.close();
publisher.close();
jobs.increment();
bytes.record(1);
time.time(() => 1);
mail.remove();
assert.notStrictEqual(publisher.add('QUEUES', 'late').error, 0);
assert.notStrictEqual(mail.counter('QUEUES_JOBS').error, 0);
assert.notStrictEqual(publisher.retry(), 0);
assert.strictEqual(publisher.status, 'The publisher is closed.');
assert.match(prfdata.open('a\0b').status, /NUL/);

// Count as a unit test does: each publisher begins at 0.
for (const value of [1, 'true', null, ...hostile])
    prfdata.setPrivate(value); // refused
prfdata.setPrivate(true);
for (let run = 0; run < 2; run++) {
    const tested = prfdata.open(process.argv[3]);
    assert.strictEqual(tested.error, 0);
    const fax = tested.add('QUEUES', 'fax');
    const faxes = fax.counter('QUEUES_JOBS'), sums = fax.average('QUEUES_JOB_TIME'), sizes = fax.distribution(10);
    faxes.add(5);
    sums.add(3);
    sizes.record(1000);
    sizes.record(500);
    assert.deepStrictEqual([faxes.value, sums.value, sums.base, sizes.count, sizes.sum, sizes.mean], [5, 3, 1, 2, 1500, 750]);
    assert(sizes.maximum > 900 && sizes.maximum <= 1100 && sizes.percentile(2 ** 40) === sizes.maximum);
    for (const share of [-1, NaN, 'x', null, ...hostile])
        assert(sizes.percentile(share) <= sizes.maximum);
    const uptime = tested.single.counter('UPTIME_OPEN');
    assert.strictEqual(uptime.error + uptime.value, 0);
    uptime.start();
    assert(uptime.value > 0);
    uptime.stop();
    assert.strictEqual(uptime.value, 0);
    tested.close();
}
prfdata.setPrivate(false);

process.on('exit', () => {
    assert(warnings.some((text) => text.includes('Counter.add() expects a number that fits into 64 bits, not string "7"')));
    assert(warnings.some((text) => text.includes('add() expects the name of an instance as a string without NUL, not number "5"')));
    assert(warnings.some((text) => text.includes('together() expects a function')));
    assert(warnings.some((text) => text.includes('setPrivate() expects true or false')));
    console.log('swept');
});
