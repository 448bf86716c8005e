/** Keeps a program and all that it starts within one bound of memory, where this machine lets us: Linux, as root, cgroups of version 1 or 2. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

/** The files of one version. */
interface Files {
  readonly root: string;
  readonly limit: string;
  /** The line of memory.stat that counts all but the cache of files. */
  readonly kept: string;
  /** Counts in a line `oom_kill N` the processes that the bound ended. */
  readonly ends: string;
}

const VERSIONS: readonly Files[] = [
  {
    ...{ root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
    ...{ kept: 'total_rss', ends: 'memory.oom_control' },
  },
  { root: '/sys/fs/cgroup', limit: 'memory.max', kept: 'anon', ends: 'memory.events' },
];

export interface MemoryGroup {
  readonly folder: string;
  /** The line of `memory.stat` there. */
  readonly kept: string;
  /** How many processes the bound ended. */
  ended(): number;
  close(): void;
}

/** Undefined where no group can be made. */
export function memoryGroup(name: string, mostMb: number): MemoryGroup | undefined {
  for (const { root, limit, kept, ends } of VERSIONS) {
    const folder = `${root}/${name}`;
    try {
      mkdirSync(folder);
      writeFileSync(`${folder}/${limit}`, String(mostMb * 1024 * 1024));
      const ended = () => countIn(`${folder}/${ends}`, 'oom_kill');
      return { folder, kept, ended, close: () => rmdirSync(folder) };
    } catch {
      // Another version, or no right to.
    }
  }
  return undefined;
}

/** Puts this process, and what it starts from now on, into the group. */
export function enterGroup(folder: string): void {
  writeFileSync(`${folder}/cgroup.procs`, String(process.pid));
}

/** Memory of the group without the cache of files, MB. */
export function keptMb({ folder, kept }: Pick<MemoryGroup, 'folder' | 'kept'>): number {
  return countIn(`${folder}/memory.stat`, kept) / 1024 / 1024;
}

function countIn(file: string, name: string): number {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name} `));
  return Number(line?.split(' ')[1]);
}
