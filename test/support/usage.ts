/**
 * What a process has used, from Linux's /proc. Measures of processor time and memory run nowhere else.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of all its threads so far, milliseconds. */
export function cpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + threadMs(`/proc/${pid}/task/${task}`), 0);
}

/** A thread may end between being listed and being read. */
function threadMs(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** Resident memory, MB. */
export function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kb === undefined) throw new Error(`no resident size of process ${pid}`);
  return Number(kb) / 1024;
}
