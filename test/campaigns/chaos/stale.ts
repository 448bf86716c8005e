/**
 * The booking changes in one field between the question and the approval. Where the act depends on the field, the old approval must not
 * count, and nothing may be sent. Changes every field of the booking in turn, for every act; of the fields on which it does not depend,
 * nothing is expected but that the call ends in order.
 *
 *   node test/campaigns/chaos/stale.ts [--runs 10000] [--seed S]
 */
import { shownBooking } from '../../../src/domain/booking/blanked-booking.ts';
import { ACTS } from '../support/acts.ts';
import { type OtaAirline, openAirline } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { codeOf, openOffice } from '../support/office.ts';
import { command, counted, type ProofOptions, type Proved } from '../support/report.ts';
import { fieldChanges } from './support/field-changes.ts';

/** A rule of the booking as it is now may forbid the act: that is said instead of new terms. */
const FINE = [
  ...['E_APPROVAL_STALE', 'E_ALREADY_DONE', 'E_NOT_PERMITTED', 'E_TOO_LATE', 'E_NOT_PAID', 'E_INPUT'],
  'E_AIRLINE_REPLY',
];

/** Acts in which somebody pays, gives up or moves something. */
const MOVES_MONEY = /^(pay|cancel|rebook)_/;
/** The acts that no fare or ticket concerns. */
const CONTACT_ONLY = /^update_contact$/;

type Field = readonly (string | number)[];

/** What acts depend on, by its path with `N` for a place in a list, and of which acts. */
const DEPENDS: readonly (readonly [path: RegExp, acts: (act: string) => boolean])[] = [
  [/^options\.N\.segments\.N\.(from|to|departs|arrives|flightNumber|bookingClass)$/, () => true],
  [/^options\.N\.segments\.N\.statusCode$/, (act) => MOVES_MONEY.test(act)],
  [/^options\.N\.segments\.N\.operating\.carrier$/, () => true],
  [/^options\.N\.segments\.N\.fareBasis$/, (act) => !CONTACT_ONLY.test(act)],
  [/^travelers$/, () => true],
  [/^travelers\.N\.(name\.(given\.N|surname)|type)$/, () => true],
  [/^tickets\.N\.coupons\.N\.statusCode$/, (act) => !CONTACT_ONLY.test(act)],
  [/^pricing\.total\.total\.(minor|currency)$/, (act) => MOVES_MONEY.test(act)],
  [/^pricing\.fares\.N\.(refundRules|changeRules)\.N\.(total\.minor|refundable)$/, (act) => MOVES_MONEY.test(act)],
  [/^pricing\.fares\.N\.payBy$/, (act) => act === 'pay_booking'],
  [/^pricing\.fares\.N\.cancelUntil$/, (act) => MOVES_MONEY.test(act)],
  [/^orders\.N\.(amount\.(minor|currency)|status)$/, (act) => MOVES_MONEY.test(act)],
];

/**
 * A letter behind a number, one more or less of a long name, the blank between its words, and the seconds of a time are the same to
 * anybody.
 */
const isSmall = (value: unknown, path: Field, how: string): boolean =>
  typeof value === 'string' &&
  ((path.at(-1) === 'flightNumber' && how === 'one character more') ||
    (/^\d{4}-\d\d-\d\dT/.test(value) && /one character|character at (1[6-9]|2\d)/.test(how)) ||
    (path.includes('name') && (value.length > 15 || how === `another character at ${value.indexOf(' ')}`)));

function dependsOn(act: string, path: Field, how: string, value: unknown): boolean {
  const named = path.map((part) => (typeof part === 'number' ? 'N' : part)).join('.');
  // What is left out, and another order, is no change; of what must not be left out, there are tests of their own.
  const isNone = how === 'in reverse' || how === 'left out';
  return !isNone && !isSmall(value, path, how) && DEPENDS.some(([field, acts]) => field.test(named) && acts(act));
}

const valueAt = (root: unknown, path: Field): unknown =>
  path.reduce((value, part) => (value as Readonly<Record<string | number, unknown>> | undefined)?.[part], root);

/** One answer for good: what is asked of a changed booking must not change the answer. */
function always<T>(ask: (query: T) => Promise<unknown>) {
  let answer: Promise<unknown> | undefined;
  return (query: T) => {
    answer ??= ask(query);
    return answer as Promise<never>;
  };
}

/** Bookings as the adapter reads them, and an airline that shows the booking it is given. */
async function ground(dialect: 'rail' | 'airline') {
  const { airline, stock, close } = await openAirline({ dialect });
  const { reading: held } = await airline.read((await stock.held()).locator);
  const { reading: ticketed } = await airline.read(await stock.ticketed());
  /** What the airline shows of it, and how often something was sent. */
  const shown = { reading: held, sends: 0 };
  const sent = async (): Promise<never> => {
    shown.sends += 1;
    throw new Error('sent');
  };
  const showing: OtaAirline = {
    ...airline,
    ...{ create: sent, createFromCounts: sent, pay: sent, modify: sent, cancel: sent },
    ...{ seatMap: always(airline.seatMap), searchFares: always(airline.searchFares) },
    read: async () => shownBooking(shown.reading),
  };
  return { office: await openOffice({ airline: showing, dialect, close }), shown, held, ticketed };
}

async function casesOn(on: Awaited<ReturnType<typeof ground>>) {
  const cases = [];
  for (const act of ACTS) {
    const base = on[act.on];
    on.shown.reading = base;
    const args = await act.args(base.locator, on.office.look);
    // Not bound: what goes back to the airline as it came, which is read again just before the sending, where ticket documents
    // lie, and whom a rule is for, which no adapter leaves out.
    const changes = fieldChanges(
      base,
      ([first, , third, , , last]) =>
        first === 'source' || (first === 'tickets' && third === 'links') || last === 'passengerType',
    );
    cases.push(...changes.map((change) => ({ on, act, args, base, change })));
  }
  return cases;
}

type Case = Awaited<ReturnType<typeof casesOn>>[number];

/** Of several limits the earliest counts. */
function movesNoLimit({ base, change }: Case): boolean {
  const limit = change.path.at(-1);
  if (limit !== 'payBy' && limit !== 'cancelUntil') return false;
  const earliest = ({ pricing }: Case['base']) =>
    Math.min(...(pricing?.fares ?? []).map((fare) => Date.parse(fare[limit] ?? '')).filter(Number.isFinite));
  return earliest(base) === earliest(change.apply(base));
}

const isBound = (one: Case): boolean =>
  dependsOn(one.act.tool, one.change.path, one.change.how, valueAt(one.base, one.change.path)) && !movesNoLimit(one);

/** Half of them are changes on which the act depends: of all fields these are few. */
function drawn(cases: readonly Case[], { runs, seed }: ProofOptions): readonly Case[] {
  const chance = new Chance(seed);
  const bound = chance.shuffled(cases.filter(isBound)).slice(0, Math.ceil(runs / 2));
  const others = chance.shuffled(cases.filter((one) => !isBound(one)));
  return [...bound, ...others].slice(0, runs);
}

async function proveStale(options: ProofOptions): Promise<Proved> {
  const grounds = [await ground('rail'), await ground('airline')];
  const cases = (await Promise.all(grounds.map(casesOn))).flat();
  const chosen = drawn(cases, options);
  const problems: string[] = [];
  const codes: string[] = [];
  for (const one of chosen) {
    const { on, act, args, base, change } = one;
    const { office, shown } = on;
    const before = shown.sends;
    shown.reading = base;
    const question = await office.question(act.tool, args);
    shown.reading = change.apply(base);
    const result = await office.yes(act.tool, args, question);
    const code = codeOf(result);
    codes.push(code);
    const { effect } = (result.structured.error ?? {}) as { effect?: string };
    const sends = shown.sends - before;
    // The airline of this campaign fails at each send.
    const isInOrder = sends === 0 ? FINE.includes(code) && effect === 'none' : !isBound(one);
    if (!isInOrder) problems.push(`${act.name}: ${change.path.join('.')} ${change.how}: ${code}, ${sends} sent`);
  }
  const sends = grounds.reduce((sum, { shown }) => sum + shown.sends, 0);
  for (const { office } of grounds) {
    problems.push(...office.failures.map((error) => `failed inside: ${String(error)}`));
    await office.close();
  }
  const seen = `${chosen.length} of ${cases.length} single-field changes under ${ACTS.length} acts: ${sends} sent; ${counted(codes)}`;
  return { seen, problems };
}

await command('stale', 10_000, proveStale);
