// SPDX-License-Identifier: MIT
'use strict';
/* Counts ten jobs of a queue: node example.js [map file] */
const fs = require('fs');
const path = require('path');
const prfdata = require('./prfdata');

const publisher = prfdata.open(process.argv[2] || path.join(__dirname, '..', 'queues.prfmap'));
console.log(publisher.status);
const mail = publisher.add('QUEUES', 'mail');
const depth = mail.counter('QUEUES_DEPTH');
const jobs = mail.counter('QUEUES_JOBS');
const jobTime = mail.average('QUEUES_JOB_TIME');
const jobBytes = mail.distribution(10);

async function main() {
    depth.set(13);
    for (let i = 0; i < 10; i++) {
        await jobTime.time(() => new Promise((resolve) => setTimeout(resolve, 1)));
        mail.together(() => {
            jobs.increment();
            depth.decrement();
        });
        jobBytes.record(1000);
    }
    console.log(`jobs ${jobs.value}, depth ${depth.value}`);
    console.log('They are shown until standard input ends.');
    fs.readFileSync(0);
    publisher.close();
}

main();
