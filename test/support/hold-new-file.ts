/** Another connection that writes a new SQLite file, as a process does that starts at the same moment. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Resolves while the lock is held; it is released after `ms`. */
export async function holdNewFile(file: string, ms: number): Promise<Worker> {
  const source = `
    const { parentPort } = require('node:worker_threads');
    const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(file)});
    db.exec('begin immediate');
    parentPort.postMessage('held');
    setTimeout(() => { db.exec('commit'); db.close(); }, ${ms});`;
  const worker = new Worker(source, { eval: true });
  await once(worker, 'message');
  return worker;
}
