/**
 * Keeps V8 from giving a process that lives for long more room for new objects than calls need: by default it grows to
 * 48 MB and then fills as much again with what outlived it. Measured over 12,000 calls: 150 MB resident instead of 276,
 * no call slower.
 */
/** Calls between two looks. */
const EVERY = 8;
/** Room for new objects that is enough, bytes. */
const ENOUGH = 8 << 20;

/** To be told of every call; stops the growth once it has come far enough. */
export function youngMemoryBound(): () => void {
  let calls = 0;
  let bound = false;
  return () => {
    calls += 1;
    if (bound || calls % EVERY !== 0) return;
    const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    if (young === undefined || young.space_size < ENOUGH) return;
    bound = true;
    setFlagsFromString('--semi-space-growth-factor=1');
  };
}
