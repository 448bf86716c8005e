/** Mishaps from another process, through the airline's state file. */
import { Clock } from '../clock.ts';
import type { Dialect } from '../dialects.ts';
import { loadNetwork } from '../network/load.ts';
import { CarrierState } from '../state.ts';
import { disturb, readMishaps } from './disturb.ts';
import type { Happened, Mishap } from './kinds.ts';
import { timetableOf } from './run-changes.ts';

const DIALECTS: readonly Dialect[] = ['rail', 'airline'];

/** Lets a mishap happen. Throws an Error for an airline with a network of its own, or if it cannot happen. */
export async function disturbFile(stateFile: string, mishap: Mishap): Promise<Happened> {
  const state = new CarrierState(stateFile);
  try {
    const name = state.meta('network');
    for (const dialect of DIALECTS) {
      const network = await loadNetwork(dialect);
      if (network.name !== name) continue;
      const timetable = timetableOf(state, network);
      return disturb({ state, timetable, network, dialect, now: new Clock(state, Date.now).now() }, mishap);
    }
    throw new Error(`the sandbox has a network of its own (${name}): name its address with --url`);
  } finally {
    state.close();
  }
}

export function mishapsInFile(stateFile: string): readonly Happened[] {
  const state = new CarrierState(stateFile);
  try {
    return readMishaps(state);
  } finally {
    state.close();
  }
}
