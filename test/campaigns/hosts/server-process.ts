/**
 * The server as a host starts it, with a shorter silence: `node server-process.ts [http]`. Its parent may answer at its
 * terminal: a message with an operation's id decides it as `fareclerk approve` does. Its first message is that it serves.
 */

import { createClerk } from '../../../src/clerk/clerk.ts';
import { composeClerk } from '../../../src/cli/runtime/compose.ts';
import { readConfig } from '../../../src/config/load.ts';
import { startHttp } from '../../../src/http/server.ts';
import { serveOnStdio } from '../../../src/mcp/stdio.ts';
import { withWaits } from '../support/waits.ts';

const composed = composeClerk(withWaits(readConfig({ ...process.env })), { localPages: 'all' });
const { caller } = composed;
const { HOSTS_SILENCE_MS: silence, HOSTS_WAIT_MS: waits } = process.env;
const shorter = { silenceMs: Number(silence), ...(waits !== undefined && { waitMs: Number(waits) }) };
const clerk = createClerk({ ...composed.clerk.options, ...shorter });
const options = { version: '0', caller, close: () => composed.close() };

process.on('message', async ({ decide, yes }: { decide: string; yes: boolean }) => {
  const { kind } = await composed.clerk.decide(decide, yes, { caller, assurance: 'page' });
  process.send?.({ decided: decide, kind });
});
process.once('disconnect', () => process.exit());

if (process.argv[2] === 'http') {
  const token = crypto.randomUUID();
  // A busy host sends its headers late.
  const limits = { headersMs: 60_000, requestMs: 60_000 };
  const serving = await startHttp(clerk, { ...options, host: '127.0.0.1', port: 0, token, limits });
  process.send?.({ url: serving.url, token });
} else {
  const serving = serveOnStdio(clerk, options);
  process.send?.({});
  await serving;
  process.disconnect?.();
}
