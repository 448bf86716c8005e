/**
 * A host in a process of its own: it starts the program, passes its client's lines on, and reads the log. It is killed, or told to
 * close one of its ends.
 *
 *   node host-process.ts PROGRAM …
 */
import { spawn } from 'node:child_process';

export type End = 'stdin' | 'stdout' | 'stderr';

const server = spawn(process.execPath, process.argv.slice(2), { stdio: 'pipe' });
process.stdin.pipe(server.stdin);
server.stdout.pipe(process.stdout, { end: false });
server.stderr.resume();
for (const stream of [server.stdin, process.stdout]) stream.on('error', () => undefined);
process.on('message', (end: End) => void server[end].destroy());
process.on('disconnect', () => process.exit());
process.send?.({ pid: server.pid });
