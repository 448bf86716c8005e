/**
 * Keeps V8 from giving a process that lives for long more room for new objects than calls need: by default it grows to
 * 48 MB, and then keeps as much again of what outlived it (docs/reference/performance.md).
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Calls between two looks. */
const EVERY = 8;
/** Room for new objects that is enough, bytes. */
const ENOUGH = 16 << 20;

/** Returns a function to call with every call; it stops the growth once there is enough. */
export function youngMemoryBound(): () => void {
  let calls = 0;
  let isBound = false;
  return () => {
    calls += 1;
    if (isBound || calls % EVERY !== 0) return;
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    if (young === undefined || young.space_size < ENOUGH) return;
    isBound = true;
    setFlagsFromString('--semi-space-growth-factor=1');
  };
}
