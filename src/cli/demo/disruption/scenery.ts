/** What the scenes of the story share: the servers, the roles of the parties, and how a scene waits. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../../sandbox/start.ts';
import { must } from '../scenes.ts';
import type { Stage } from '../stage.ts';
import type { DemoDesk } from './desk.ts';
import type { Receiver } from './receiver.ts';
import type { DemoParty, DemoRoute, Sale } from './selling.ts';

export interface Scenery {
  readonly stage: Stage;
  readonly desk: DemoDesk;
  readonly sandbox: Sandbox;
  readonly receiver: Receiver;
  readonly route: DemoRoute;
}

/** How many parties move to another train, from the first; the others want their money back. */
export const MOVING = 7;
/** Number of the party whose booking changes between the question and the yes: one of its two people drops out. */
export const DRIFTED = 9;

/** Time between two looks, milliseconds. */
export const LOOK_MS = 250;
/** Longest wait for one thing: it takes a few seconds at most, unless other programs take the machine. */
const PATIENCE_SECONDS = 40;

/**
 * Looks again and again until there is a value that is neither undefined nor false.
 * @throws StoryFailure after {@link PATIENCE_SECONDS}
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    must(Date.now() < end, `${what} took more than ${PATIENCE_SECONDS} seconds`);
    await sleep(LOOK_MS);
  }
}

/** Returns the party of a line. @param n the line's number in the plan, from 1 */
export function partyAt({ parties }: Sale, n: number): DemoParty {
  const party = parties[n - 1];
  must(party !== undefined, `there is no party ${n}`);
  return party;
}
