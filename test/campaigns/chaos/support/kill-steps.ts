/**
 * Where a process is killed: at a step of its own (crash-at.ts), when something was said to or by its client, or when a
 * message to the airline has come so far on the wire.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { reply } from '../../../ota/support/wire-server.ts';
import { READ } from '../../support/acts.ts';
import type { Chance } from '../../support/chance.ts';
import type { Interference, Passing } from '../../support/relay.ts';
import type { StdioClient } from '../../support/stdio-client.ts';
import type { Step } from './crasher.ts';
import { FAULTS, type Fault } from './faults.ts';

const [NEVER, LATE, SILENT, HALF, WHOLE, REFUSED_AFTER, REFUSED] = [
  'on the wire, never arrives',
  'on the wire, carried out after the death',
  'carried out, not answered',
  'half answered',
  'answered',
  'carried out, and refused',
  'not carried out, and refused',
] as const;

/** Refusals that do not prove that nothing was done, but for those that ask for a pause. */
const UNPROVEN = FAULTS.filter(({ kind, refused }) => kind === 'unproven' && refused !== 'E_AIRLINE_BUSY');
/** Within it a process notes a refusal and reads the booking again. */
const NOTED_MS = 60;

export type Kill =
  | { readonly kind: 'inside'; readonly step: Step }
  | { readonly kind: 'asked' | 'answered' }
  | {
      readonly kind: 'wire';
      readonly message: string;
      readonly nth: number;
      readonly moment: string;
      readonly refusal?: Refusal;
    };

/** A refusal that the process gets, and how long it lives on. */
interface Refusal {
  readonly fault: Fault;
  readonly livesMs: number;
}

/** After the death, before the airline gets the message: well within the settle time. */
const LATE_MS = 400;

export function killText(kill: Kill): string {
  if (kill.kind === 'inside') return `${kill.step.name} #${kill.step.nth}`;
  if (kill.kind === 'wire')
    return [`${kill.message} #${kill.nth} ${kill.moment}`, ...(kill.refusal ? [kill.refusal.fault.name] : [])].join(
      ': ',
    );
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

/** Kills after a refusal that proves nothing. */
export function refusedKills(message: string, chance: Chance): Kill[] {
  return [REFUSED_AFTER, REFUSED].map((moment) => {
    const refusal = { fault: chance.pick(UNPROVEN), livesMs: chance.between(0, NOTED_MS) };
    return { kind: 'wire', message, nth: 1, moment, refusal };
  });
}

async function refuse({ forward, socket }: Passing, moment: string, { fault, livesMs }: Refusal): Promise<void> {
  if (moment === REFUSED_AFTER) await forward();
  fault.play(socket, '');
  await wait(livesMs);
}

/** Lets everything pass until the moment has come. */
export function killOnTheWire(kill: Extract<Kill, { kind: 'wire' }>, program: StdioClient): Interference {
  let seen = 0;
  return async (passing) => {
    const { name, forward, socket } = passing;
    if (name !== kill.message || ++seen !== kill.nth) return false;
    const isArrived = kill.moment !== NEVER && kill.moment !== LATE;
    if (kill.refusal !== undefined) await refuse(passing, kill.moment, kill.refusal);
    else if (isArrived) {
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
