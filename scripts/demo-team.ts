/**
 * `npm run demo:team`: a whole team server on this machine, with people who sign in, PostgreSQL and two instances, until Ctrl-C. With
 * `-- --public` other machines of the network can open its pages, too; `--public=ADDRESS` chooses which address of this machine they open.
 * It plays in a process of its own, which ends with this one, however this one ends; what that process leaves is removed here.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networkAddress } from './demo-team/doors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a failure prints of what the servers said. */
const LAST_CHARACTERS = 4_000;

/** `--public`, or with the address that other machines open. */
const PUBLIC = /^--public(?:=([\d.]+))?$/;

const [option, ...more] = process.argv.slice(2);
const [isPublic, chosen] = PUBLIC.exec(option ?? '') ?? [];
const networkHost = isPublic === undefined ? undefined : (chosen ?? networkAddress());
const settings = Object.keys(process.env).filter((name) => /^FARECLERK_/i.test(name));
if (settings.length > 0) {
  console.error(`Settings are in the environment: ${settings.join(', ')}. This demo uses the sandbox airline alone. Nothing was started.
Unset them and try again.`);
  process.exitCode = 1;
} else if (more.length > 0 || (option !== undefined && isPublic === undefined)) {
  console.error(
    'Expected nothing, --public, or --public=ADDRESS with an address of this machine. Nothing was started.',
  );
  process.exitCode = 2;
} else if (isPublic !== undefined && networkHost === undefined) {
  console.error(
    'This machine is in no network (IPv4), so no phone can reach it. Leave --public out. Nothing was started.',
  );
  process.exitCode = 1;
} else {
  await play();
}

async function play(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-team-'));
  // PostgreSQL does not run as root: then it runs as nobody, who must get to its folder in here.
  chmodSync(folder, 0o711);
  const team = fork(new URL('demo-team/team.ts', import.meta.url), networkHost === undefined ? [] : [networkHost], {
    // A group of its own: Ctrl-C reaches this process alone, which ends the others in order.
    detached: true,
    env: { PATH: process.env.PATH, TMPDIR: folder },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let said = '';
  team.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-LAST_CHARACTERS);
  });
  let isAsked = false;
  const end = () => {
    isAsked = true;
    if (team.connected) team.disconnect();
  };
  for (const signal of SIGNALS) process.on(signal, end);
  // A killed npm or shell tells nobody.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && end(), 500);
  await once(team, 'exit');
  clearInterval(watch);
  endGroup(team.pid);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (isAsked) return console.log('Ended. Nothing is left of it.');
  console.error(`It ended by itself; nothing is left of it. The last that it said:\n${said}`);
  process.exitCode = 1;
}

/** Ends what is left of a process group. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
}
