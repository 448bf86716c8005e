/**
 * Where a process is killed: at a step of its own (crash-at.ts), when something was said to or by its client, or when a
 * message to the airline has come so far on the wire.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { reply } from '../../../ota/support/wire-server.ts';
import type { Interference } from '../../support/relay.ts';
import type { Step } from './crash-at.ts';
import type { Program } from './program.ts';

/** How far a message had come on the wire. */
export const MOMENTS = [
  'on the wire, never arrives',
  'on the wire, carried out after the death',
  'carried out, not answered',
  'half answered',
  'answered',
] as const;
export type Moment = (typeof MOMENTS)[number];

export type Kill =
  | { readonly kind: 'inside'; readonly step: Step }
  | { readonly kind: 'asked' | 'answered' }
  | { readonly kind: 'wire'; readonly message: string; readonly nth: number; readonly moment: Moment };

/** After the death, before the airline gets the message: well within the settle time. */
const LATE_MS = 400;

export function killText(kill: Kill): string {
  switch (kill.kind) {
    case 'inside':
      return `${kill.step.name} #${kill.step.nth}`;
    case 'asked':
      return 'the question is with the client';
    case 'answered':
      return 'the yes is on its way';
    case 'wire':
      return `${kill.message} #${kill.nth} ${kill.moment}`;
  }
}

/** Kills from outside. `reads`: how many readings stand before the act. */
export function outsideKills(message: string, asks: boolean, reads: number): Kill[] {
  const readings = Array.from({ length: reads }, (_, i) => i + 1).flatMap((nth): Kill[] => [
    { kind: 'wire', message: 'OTA_ReadRQ', nth, moment: 'on the wire, never arrives' },
    { kind: 'wire', message: 'OTA_ReadRQ', nth, moment: 'answered' },
  ]);
  const acts = MOMENTS.map((moment): Kill => ({ kind: 'wire', message, nth: 1, moment }));
  return [...(asks ? [{ kind: 'asked' } as const, { kind: 'answered' } as const] : []), ...readings, ...acts];
}

/** Lets everything pass until the moment has come. */
export function killOnTheWire(kill: Extract<Kill, { kind: 'wire' }>, program: Program): Interference {
  let seen = 0;
  const die = async () => {
    program.kill();
    await program.exited;
  };
  return async ({ name, forward, socket }) => {
    if (name !== kill.message || ++seen !== kill.nth) return false;
    if (kill.moment === 'on the wire, never arrives') {
      await die();
      return true;
    }
    if (kill.moment === 'on the wire, carried out after the death') {
      await die();
      await wait(LATE_MS);
      await forward();
      return true;
    }
    const { status, body } = await forward();
    const bytes = reply(status, body);
    const part = { 'half answered': Math.floor(bytes.length / 2), answered: bytes.length }[kill.moment as string] ?? 0;
    if (part > 0) await new Promise((sent) => socket.write(bytes.subarray(0, part), sent));
    await die();
    return true;
  };
}
