/** A process of its own: serves a page, has it looked at over a connection that stays, and has nothing more to do. */
import { request } from 'node:http';
import { startLoopback } from '../../../../src/server/approval-page/loopback.ts';

const page = await startLoopback({
  find: async () => undefined,
  operation: async () => undefined,
  decide: () => Promise.reject(new Error('nothing to decide')),
  now: () => Date.now(),
  environment: 'sandbox',
  log: { failure: () => undefined },
});
request(`${page.origin}/approve/none`, { headers: { connection: 'keep-alive' } }, (response) => {
  process.stdout.write(String(response.statusCode));
  response.resume();
  response.socket.unref();
}).end();
