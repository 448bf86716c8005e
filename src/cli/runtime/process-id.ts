/** A unique name for this process, which owns the operations that it runs. */
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

let owners = 0;

/** The process's number and the microsecond of its start: no system reuses a number that soon. */
export function newOwner(): string {
  owners += 1;
  return `${processNamespace()}/${process.pid}/${Math.round(performance.timeOrigin * 1_000)}-${owners}`;
}

/** True only if the process is certainly dead: it ran in this PID namespace, and no process has its number now. */
export function isGone(owner: string): boolean {
  const [room, number, ...rest] = owner.split('/');
  const pid = Number(number);
  if (room !== processNamespace() || rest.length !== 1 || !Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
