/** Makes unique names for this process, which owns the operations that it runs, and tells whether such a process is dead. */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Process numbers are unique only within one machine and, on Linux, one PID namespace. */
function processNamespace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** How many names this process has made. */
let owners = 0;

/**
 * Returns a new name: namespace, process number, and the microsecond of the start with a counter. No system reuses a process
 * number that soon.
 */
export function newOwner(): string {
  owners += 1;
  return `${processNamespace()}/${process.pid}/${Math.round(performance.timeOrigin * 1_000)}-${owners}`;
}

/** True only if the process is certainly dead: it ran in this PID namespace, and no process has its number now. */
export function isGone(owner: string): boolean {
  const [namespace, number, ...rest] = owner.split('/');
  const pid = Number(number);
  if (namespace !== processNamespace() || rest.length !== 1 || !Number.isSafeInteger(pid) || pid <= 0) return false;

  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
