/**
 * `npm run demo:team`: a whole team server on this machine, with people who sign in, PostgreSQL and two instances, until Ctrl-C. It plays in
 * a process of its own, which ends with this one, however this one ends; what that process leaves is removed here.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** What a failure prints of what the servers said. */
const LAST_CHARACTERS = 4_000;

const settings = Object.keys(process.env).filter((name) => /^FARECLERK_/i.test(name));
if (settings.length > 0) {
  console.error(`Settings are in the environment: ${settings.join(', ')}. This demo uses the sandbox airline alone. Nothing was started.
Unset them and try again.`);
  process.exitCode = 1;
} else {
  await play();
}

async function play(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-team-'));
  // PostgreSQL does not run as root: then it runs as nobody, who must get to its folder in here.
  chmodSync(folder, 0o711);
  const team = fork(new URL('demo-team/team.ts', import.meta.url), {
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
