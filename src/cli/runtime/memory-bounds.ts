/**
 * Keeps V8 from giving a process that lives for long more memory than calls need (docs/reference/performance.md): by default
 * the room for new objects grows to 48 MB, and old garbage is collected only when the heap has grown several times over.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Calls between two looks. */
const EVERY = 8;
/** Room for new objects that is enough, bytes. */
const ENOUGH = 32 << 20;

/** Returns a function to call with every call. */
export function memoryBounds(): () => void {
  let calls = 0;
  let isYoungBound = false;
  return () => {
    calls += 1;
    if (isYoungBound || calls % EVERY !== 0) return;
    if (calls === EVERY) setFlagsFromString('--heap-growing-percent=100');
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    if (young === undefined || young.space_size < ENOUGH) return;
    isYoungBound = true;
    setFlagsFromString('--semi-space-growth-factor=1');
  };
}
