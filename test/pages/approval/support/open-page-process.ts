/** A process of its own: serves a page, has it looked at over a connection that stays, and has nothing more to do. */
import { request } from 'node:http';
import { openPage } from './desk-of.ts';

const page = await openPage();
request(`${page.origin}/approve/none`, { headers: { connection: 'keep-alive' } }, (response) => {
  process.stdout.write(String(response.statusCode));
  response.resume();
  response.socket.unref();
}).end();
