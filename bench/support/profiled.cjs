// Required before a program that is profiled: SIGUSR2 begins a profile, the next one writes it to PROFILE_FILE.
// PROFILE_KIND: `cpu`, or `heap` for what is allocated, with what has been collected since.
const { renameSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');

const { PROFILE_FILE: file, PROFILE_KIND: kind } = process.env;
const COLLECTED = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
const session = new Session();
session.connect();
let begun = false;

process.on('SIGUSR2', () => {
  if (begun) {
    session.post(kind === 'cpu' ? 'Profiler.stop' : 'HeapProfiler.stopSampling', (_, { profile }) => {
      writeFileSync(`${file}.part`, JSON.stringify(profile));
      renameSync(`${file}.part`, file);
    });
  } else if (kind === 'cpu') {
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: 200 });
    session.post('Profiler.start');
  } else session.post('HeapProfiler.startSampling', { samplingInterval: 8192, ...COLLECTED });
  begun = true;
});
