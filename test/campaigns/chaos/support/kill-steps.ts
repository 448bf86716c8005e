/**
 * Where a process is killed: at a step of its own (crash-at.ts), when something was said to or by its client, or when a
 * message to the airline has come so far on the wire.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { reply } from '../../../ota/support/wire-server.ts';
import { READ } from '../../support/acts.ts';
import type { Interference } from '../../support/relay.ts';
import type { StdioClient } from '../../support/stdio-client.ts';
import type { Step } from './crasher.ts';

const [NEVER, LATE, SILENT, HALF, WHOLE] = [
  'on the wire, never arrives',
  'on the wire, carried out after the death',
  'carried out, not answered',
  'half answered',
  'answered',
] as const;

export type Kill =
  | { readonly kind: 'inside'; readonly step: Step }
  | { readonly kind: 'asked' | 'answered' }
  | { readonly kind: 'wire'; readonly message: string; readonly nth: number; readonly moment: string };

/** After the death, before the airline gets the message: well within the settle time. */
const LATE_MS = 400;

export function killText(kill: Kill): string {
  if (kill.kind === 'inside') return `${kill.step.name} #${kill.step.nth}`;
  if (kill.kind === 'wire') return `${kill.message} #${kill.nth} ${kill.moment}`;
  return kill.kind === 'asked' ? 'the question is with the client' : 'the yes is on its way';
}

/** Kills from outside. `reads`: how many readings stand before the act. */
export function outsideKills(message: string, asks: boolean, reads: number): Kill[] {
  const at = (name: string, nth: number, moment: string): Kill => ({ kind: 'wire', message: name, nth, moment });
  return [
    ...(asks ? [{ kind: 'asked' } as const, { kind: 'answered' } as const] : []),
    ...Array.from({ length: reads }, (_, i) => [at(READ, i + 1, NEVER), at(READ, i + 1, WHOLE)]).flat(),
    ...[NEVER, LATE, SILENT, HALF, WHOLE].map((moment) => at(message, 1, moment)),
  ];
}

/** Lets everything pass until the moment has come. */
export function killOnTheWire(kill: Extract<Kill, { kind: 'wire' }>, program: StdioClient): Interference {
  let seen = 0;
  return async ({ name, forward, socket }) => {
    if (name !== kill.message || ++seen !== kill.nth) return false;
    const isArrived = kill.moment !== NEVER && kill.moment !== LATE;
    if (isArrived) {
      const { status, body } = await forward();
      const bytes = reply(status, body);
      const part = { [HALF]: Math.floor(bytes.length / 2), [WHOLE]: bytes.length }[kill.moment] ?? 0;
      if (part > 0) await new Promise((sent) => socket.write(bytes.subarray(0, part), sent));
    }
    program.kill();
    await program.exited;
    if (kill.moment === LATE) {
      await wait(LATE_MS);
      await forward();
    }
    return true;
  };
}
