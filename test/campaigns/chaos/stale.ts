/**
 * The booking changes in one field between the question and the approval: the old approval must not count, and nothing
 * may be sent. Changes every field of the booking in turn, for every act.
 *
 *   node test/campaigns/chaos/stale.ts [--runs 10000] [--seed 1]
 */
import type { Airline } from '../../../src/domain/airline.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { ACTS, type Act } from '../support/acts.ts';
import { openAirline } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { codeOf, type Office, openOffice } from '../support/office.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';
import { type FieldChange, fieldChanges, pathText } from './support/field-changes.ts';

/** A rule of the booking as it is now may forbid the act: that is said instead of new terms. */
const RULES = ['E_ALREADY_DONE', 'E_NOT_PERMITTED', 'E_TOO_LATE', 'E_NOT_PAID', 'E_INPUT', 'E_AIRLINE_REPLY'];

/** What a booking is tried on, and what the airline shows of it. */
interface Ground {
  readonly office: Office;
  readonly shown: { booking: Booking; sends: number };
  readonly held: Booking;
  readonly ticketed: Booking;
}

/** One answer for good: what is asked of a changed booking must not change the answer. */
function always<T>(ask: (query: T) => Promise<unknown>) {
  let answer: Promise<unknown> | undefined;
  return (query: T) => {
    answer ??= ask(query);
    return answer as Promise<never>;
  };
}

/** Bookings as the adapter reads them, and an airline that shows the booking it is given. */
async function ground(dialect: 'rail' | 'airline'): Promise<Ground> {
  const { airline, stock, close } = await openAirline({ dialect });
  const { locator } = await stock.held();
  const held = await airline.read(locator);
  const ticketed = await airline.read(await stock.ticketed());
  const shown = { booking: held, sends: 0 };
  const sent = async (): Promise<never> => {
    shown.sends += 1;
    throw new Error('sent');
  };
  const showing: Airline = {
    ...airline,
    ...{ create: sent, createFromCounts: sent, pay: sent, modify: sent, cancel: sent },
    seatMap: always(airline.seatMap),
    searchFares: always(airline.searchFares),
    read: async () => shown.booking,
  };
  return { office: await openOffice({ airline: showing, dialect, close }), shown, held, ticketed };
}

interface Case {
  readonly on: Ground;
  readonly act: Act;
  readonly args: object;
  readonly base: Booking;
  readonly change: FieldChange;
}

async function casesOn(on: Ground): Promise<Case[]> {
  const cases: Case[] = [];
  for (const act of ACTS) {
    const base = on[act.on];
    on.shown.booking = base;
    const args = await act.args(base.locator, on.office.look);
    // What goes back to the airline as it came is not bound: it is read again just before the sending.
    const changes = fieldChanges(base, ([first]) => first === 'source');
    cases.push(...changes.map((change) => ({ on, act, args, base, change })));
  }
  return cases;
}

async function changedMeanwhile({ on: { office, shown }, act, args, base, change }: Case) {
  shown.booking = base;
  const question = await office.question(act.tool, args);
  shown.booking = change.apply(base);
  return office.yes(act.tool, args, question);
}

export async function proveStale({ runs, seed }: ProofOptions): Promise<Proved> {
  const grounds = [await ground('rail'), await ground('airline')];
  const cases = (await Promise.all(grounds.map(casesOn))).flat();
  const chosen = new Chance(seed).shuffled(cases).slice(0, runs);
  const problems: string[] = [];
  const codes = new Map<string, number>();
  for (const one of chosen) {
    const before = one.on.shown.sends;
    const result = await changedMeanwhile(one);
    const code = codeOf(result);
    codes.set(code, (codes.get(code) ?? 0) + 1);
    const { effect } = (result.structured.error ?? {}) as { effect?: string };
    const sends = one.on.shown.sends - before;
    const known = code === 'E_APPROVAL_STALE' || RULES.includes(code);
    if (sends === 0 && known && effect === 'none') continue;
    problems.push(`${one.act.name}: ${pathText(one.change.path)} ${one.change.how}: ${code}, ${sends} sent`);
  }
  const sends = grounds.reduce((sum, { shown }) => sum + shown.sends, 0);
  for (const { office } of grounds) {
    problems.push(...office.failures.map((error) => `failed inside: ${String(error)}`));
    await office.close();
  }
  const stale = codes.get('E_APPROVAL_STALE') ?? 0;
  const seen = `${chosen.length} of ${cases.length} single-field changes under ${ACTS.length} acts: ${sends} sent, ${stale} E_APPROVAL_STALE, ${chosen.length - stale} refused by a rule of the changed booking`;
  return { seen: `${seen} (${[...codes].map(([code, n]) => `${code} ${n}`).join(', ')})`, problems };
}

if (import.meta.main) await command('stale', { runs: 10_000, seed: 1 }, proveStale);
