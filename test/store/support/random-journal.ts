/** A journal of a busy desk, by chance but the same for the same seed: several callers of two tenants, two currencies. */
import type { Finding } from '../../../src/domain/booking/finding.ts';
import type { NewOperation, OperationState, Outcome } from '../../../src/journal/operation.ts';
import type { State } from '../../../src/store/state.ts';
import { type Random, randomOf } from '../../campaigns/fuzz/random.ts';
import { newOperation } from '../new-operation.ts';

const DAY = 86_400_000;
export const END = Date.parse('2026-11-01T00:00:00Z');
export const DAYS = 120;
export const START = END - DAYS * DAY;

/** Callers by tenant. */
export const CALLERS = { t: ['ann', 'ben', 'cid'], u: ['dora'] } as const;
const ROUTES = ['MED-JED', 'JED-MED', 'RUH-DMM', undefined];
const FLIGHT = { from: 'MED', to: 'JED', departs: '2026-12-01T05:00:00Z', number: '101' };
const REBOOKED: NewOperation['subject'] = {
  ...{ kind: 'rebook_segment', replaced: FLIGHT, wanted: FLIGHT },
  ...{ kept: [], paymentsBefore: 1, refundsBefore: 0 },
};

interface Act {
  readonly fields: Partial<NewOperation>;
  readonly outcome?: Outcome;
}

/** About 3 operations and a sixth of a finding for each booking. */
export async function fillJournal(state: State, bookings: number, seed: number): Promise<void> {
  const random = randomOf(seed);
  const entries: Entering[] = [];
  for (let i = 0; i < bookings; i += 1) {
    const tenant = random(6) === 0 ? 'u' : 't';
    const callers = CALLERS[tenant];
    const of = { tenant, caller: callers[random(callers.length)] ?? 'ann' };
    const locator = `B${String(i).padStart(4, '0')}`;
    const at = START + random(DAYS * 24 * 60) * 60_000;
    const acts = actsOf(locator, random);
    for (const [j, act] of acts.entries()) {
      const to = endOf(j === acts.length - 1, random);
      entries.push({ id: `${locator}-${j}`, at: at + j * 5_000, of, act, to });
    }
    if (random(5) > 0) await noteReading(state, of, locator, at, random);
    if (random(6) === 0) await state.findings.add([findingOf(of.tenant, locator, at, random)]);
  }
  // An archive takes the beginning of the journal.
  for (const entry of entries.sort((a, b) => a.at - b.at)) await enter(state, entry);
  // Else the state cleans away old findings by itself, in the middle of a test.
  await state.clean();
}

function actsOf(locator: string, random: Random): Act[] {
  const currency = random(4) === 0 ? 'EUR' : 'SAR';
  const money = () => ({ minor: 1 + random(90_000), currency });
  const price = money();
  const acts: Act[] = [
    { fields: { tool: 'create_booking', subject: { kind: 'create' }, fingerprint: locator }, outcome: { locator } },
  ];
  const paid = random(4) > 0;
  if (!paid) return random(3) === 0 ? [...acts, { fields: { tool: 'cancel_booking', locator } }] : acts;
  acts.push({ fields: { tool: 'pay_booking', locator, amount: price, direction: 'payment' } });
  if (random(2) === 0) acts.push(changeOf(locator, price, random));
  if (random(2) === 0) acts.push(refundOf(locator, price, random));
  return acts;
}

function changeOf(locator: string, amount: { minor: number; currency: string }, random: Random): Act {
  const tools = ['change_names', 'update_passenger', 'update_contact', 'assign_seats', 'split_booking'] as const;
  const tool = tools[random(8)];
  if (tool !== undefined) return { fields: { tool, locator } };
  const of = (minor: number) => ({ amount: { minor, currency: random(5) === 0 ? 'EUR' : amount.currency } });
  const outcome: Outcome[] = [{ charge: of(random(900)) }, { refund: of(random(900)) }, {}];
  const told = outcome[random(outcome.length)] ?? {};
  return {
    fields: { tool: 'rebook_segment', locator, amount, direction: 'payment', subject: REBOOKED },
    outcome: told,
  };
}

function refundOf(locator: string, amount: { minor: number; currency: string }, random: Random): Act {
  const part = { minor: random(amount.minor), currency: random(9) === 0 ? 'EUR' : amount.currency };
  const penalty = random(2) === 0 ? {} : { penalty: { minor: random(5_000), currency: part.currency } };
  return {
    fields: { tool: random(2) === 0 ? 'cancel_segment' : 'cancel_passenger', locator, amount, direction: 'refund' },
    outcome: random(4) === 0 ? {} : { refund: { amount: part, ...penalty } },
  };
}

/** Only the last operation of a booking may stay open. */
function endOf(isLast: boolean, random: Random): OperationState {
  const luck = random(40);
  if (luck < 2) return luck === 0 ? 'refused' : 'not_executed';
  if (luck === 2) return 'resolved';
  const open = (['intent', 'dispatched', 'in_doubt', 'needs_person'] as const)[luck - 3];
  return isLast && open !== undefined ? open : 'succeeded';
}

interface Entering {
  readonly id: string;
  readonly at: number;
  readonly of: Pick<NewOperation, 'tenant' | 'caller'>;
  readonly act: Act;
  readonly to: OperationState;
}

async function enter({ operations }: State, { id, at, of, act, to }: Entering): Promise<void> {
  const { amount: _, direction: __, locator: ___, ...bare } = newOperation(id);
  const { kind } = await operations.insert({ ...bare, ...of, ...act.fields }, { now: at, owner: 'p1', leaseUntil: at });
  if (kind !== 'inserted') throw new Error(`operation ${id}: ${kind}`);
  if (to === 'intent') return;
  const { outcome } = act;
  const made = to === 'succeeded' ? outcome?.locator : undefined;
  const patch = { ...(outcome && { outcome }), ...(made !== undefined && { locator: made }) };
  await operations.transition(id, ['intent'], to, patch, { now: at + 1_000, actor: 'p1' });
}

async function noteReading({ ledger }: State, of: Entering['of'], locator: string, at: number, random: Random) {
  const states = ['held', 'held', 'ticketed', 'expired', 'cancelled'];
  const route = ROUTES[random(ROUTES.length)];
  const due = new Date(at + (random(200) - 20) * DAY).toISOString();
  await ledger.record(
    { tenant: of.tenant, id: of.caller },
    {
      ...{ locator, madeHere: true, seenAt: at, state: states[random(states.length)] ?? 'held' },
      ...{ departs: '2027-02-01T05:00:00Z', payBy: due },
      ...(route !== undefined && { route }),
    },
  );
}

function findingOf(tenant: string, locator: string, at: number, random: Random): Finding {
  const kinds = ['retimed', 'segment_cancelled', 'number_changed'] as const;
  const seenAt = Math.min(at + random(20) * DAY, END - 1);
  const route = ROUTES[random(ROUTES.length)];
  return {
    ...{ id: `f-${locator}`, tenant, locator, kind: kinds[random(kinds.length)] ?? 'retimed', seenAt, since: at },
    ...(random(3) > 0 && { departsAt: at + random(200) * DAY }),
    ...(random(3) === 0 && { closedAt: seenAt + 1, closedBy: 'ann' }),
    ...(route !== undefined && { route }),
  };
}
