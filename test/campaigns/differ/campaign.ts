/** All lies of all acts, and what becomes of each. */
import { Chance } from '../support/chance.ts';
import { type Act, bookingAct, type ToldLie, toldAtOnce } from './acts.ts';
import { type Desk, type Dialect, openDesk } from './desk.ts';
import { isFirstHeard } from './first-heard.ts';
import { IRRELEVANT, shortPath, type TableRow } from './irrelevant.ts';
import { journeyActs } from './journeys.ts';
import { type Judged, judge } from './judge.ts';
import { type Lie, partsOfLie, reached } from './lies.ts';
import type { Played } from './play.ts';
import { publishedTrips } from './published.ts';
import { type Json, operatedAsOther, sandboxTrip } from './trips.ts';

/** The same desk for so many trips: its store remembers all of them. */
const TRIPS_AT_ONE_DESK = 200;
/** A plan asks the same as the payment alone, so that the plan hears few lies. */
const PLANNED_EVERY = 5;

export interface Case {
  readonly dialect: Dialect;
  readonly act: Act;
  readonly told: ToldLie;
  readonly isPlanned: boolean;
}

export interface Outcome extends Case {
  /** Of the place that says least. */
  readonly verdict: Judged['verdict'];
  readonly place: string;
  readonly fresh: readonly string[];
}

async function actsOf(dialect: Dialect, only: string): Promise<readonly Act[]> {
  const published = publishedTrips()[dialect];
  const names = [await sandboxTrip('names', dialect), ...published.names];
  const counts = [await sandboxTrip('counts', dialect), ...published.counts];
  // The airline dialect shows no birth dates, without which nobody can be booked anew.
  const moved = dialect === 'rail' ? [await sandboxTrip('moved', dialect)] : [];
  const added = await sandboxTrip('added', dialect);
  const ofOperator = bookingAct({
    name: 'hold',
    trip: operatedAsOther(await sandboxTrip('names', dialect)),
    step: 'hold',
  });
  const isOfOperator = ({ lie }: ToldLie) => /operatingAirline\./.test(lie.path);
  const recorded = dialect === 'rail' ? [await sandboxTrip('availability', dialect)] : [];
  return [
    ...names.map((trip) => bookingAct({ name: 'search', trip, step: 'search' })),
    ...recorded.map((trip) => bookingAct({ name: 'availability', trip, step: 'search' })),
    ...names.map((trip) => bookingAct({ name: 'hold', trip, step: 'hold' })),
    { ...ofOperator, lies: ofOperator.lies.filter(isOfOperator) },
    ...counts.map((trip) => bookingAct({ name: 'counts', trip, step: 'hold' })),
    ...moved.map((trip) => bookingAct({ name: 'moved', trip, step: 'hold' })),
    ...[...names, ...counts, added].map((trip) => bookingAct({ name: 'reading', trip, step: 'reading' })),
    ...(await journeyActs(dialect, only)),
  ];
}

/** @param only names of the acts that are wanted, with commas; default: all */
export async function allCases(only = ''): Promise<readonly Case[]> {
  const cases: Case[] = [];
  for (const dialect of ['rail', 'airline'] as const) {
    for (const act of await actsOf(dialect, only)) {
      if (only !== '' && !only.split(',').includes(act.name)) continue;
      cases.push(...act.lies.map((lie, i): Case => ({ dialect, act, told: lie, isPlanned: i % PLANNED_EVERY === 0 })));
    }
  }
  return cases;
}

/** What is told, and how: `order.status another, once`. */
export function wayOf({ lie, when, also }: ToldLie): string {
  const parts = [`${shortPath(lie.path)} ${lie.kind}`, when, also && `and ${wayOf(also)}`];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** In the order of a seed: one of each act first, then one of each kind, then a second one of each. */
export function drawn(cases: readonly Case[], seed: number): readonly Case[] {
  const kinds = Map.groupBy(
    new Chance(seed).shuffled(cases),
    ({ dialect, act, told }) => `${dialect} ${act.name} ${wayOf(told)}`,
  );
  const numbered = [...kinds.values()].flatMap((alike) => alike.map((one, i) => [i, one] as const));
  const inOrder = numbered.toSorted(([a], [b]) => a - b).map(([, one]) => one);
  const firsts = new Set(
    Map.groupBy(inOrder, ({ dialect, act }) => `${dialect} ${act.name}`)
      .values()
      .map(([one]) => one),
  );
  return inOrder.toSorted((a, b) => Number(firsts.has(b)) - Number(firsts.has(a)));
}

const VERDICTS: readonly Judged['verdict'][] = ['nothing', 'only the new value', 'told', 'refused'];
const rank = ({ verdict }: Pick<Judged, 'verdict'>): number => VERDICTS.indexOf(verdict);

/**
 * Plays cases.
 * @param failures takes the mistakes inside
 * @param isResult only what the results of the search and of the hold say counts
 */
export async function* outcomes(
  cases: readonly Case[],
  failures: unknown[],
  isResult = false,
): AsyncGenerator<Outcome> {
  for (const [act, ofAct] of Map.groupBy(cases, (one) => one.act)) {
    let desk: Desk | undefined;
    let honest: Played | undefined;
    const closed = async () => {
      failures.push(...(desk?.failures ?? []));
      await desk?.close();
    };
    try {
      let trips = 0;
      let isOpen = false;
      for (const one of ofAct) {
        // What is not known at the end of a trip would stop the next one, because it is the same booking.
        if (trips++ % TRIPS_AT_ONE_DESK === 0 || isOpen) {
          await closed();
          desk = await openDesk(act.desk);
          honest = await act.play(desk);
        }
        if (desk === undefined || honest === undefined) throw new Error('no desk is open');
        const played = await act.play(desk, one.told, one.isPlanned);
        isOpen = played.result?.refused === true;
        yield { ...one, ...leastTold(one, honest, played, isResult) };
      }
    } finally {
      await closed();
    }
  }
}

/**
 * Rules, limits and sums, which follow from flights, people and payments. Of two lies at once, one about them may be silent if the other
 * is told.
 */
const DEPENDS = /^(voluntary(Refunds|Changes)|flightSegment\.tpaextensions\.fareRule|total|fare)\b|TimeLimit$/;
/** A line that only counts the other differences, and says what they are about. */
const COUNTED = /\band \d+ more \(/i;

/** What becomes of one lie, or of two at once: of two, the first that is silent and must not be counts; without one, both are told. */
function leastTold(one: Case, honest: Played, played: Played, isResult: boolean) {
  const judged = leastToldOf(one, honest, played, isResult);
  if (one.told.also === undefined) return judged;
  const both = toldAtOnce(one.told).map((told) => {
    const single = { ...one, told };
    return { ...single, ...leastToldOf(single, honest, played, isResult) };
  });
  const isTold = both.some((single) => !isSilent(single));
  const isCounted = both.some((single) => single.fresh.some((line) => COUNTED.test(line)));
  const mayBeSilent = ({ told: { lie } }: Case) => isTold && (isCounted || DEPENDS.test(shortPath(lie.path)));
  const harmful = both.find((single) => isHarmful(single) && !mayBeSilent(single));
  const { verdict, place, fresh } = harmful ?? { ...judged, verdict: 'told' as const };
  return { verdict, place, fresh };
}

/** Of the places that must tell it, the one that says least. */
function leastToldOf({ act, told: lie, isPlanned }: Case, honest: Played, played: Played, isResult: boolean) {
  const reply = act.replyOf(lie);
  const wanted = act.placesOf(lie).filter(([first]) => !isResult || first === 'hold' || first === 'search');
  const all = wanted.flatMap((places) => {
    const judged = places.flatMap((place) => {
      const before = honest[place];
      if (before === undefined || (place === 'plan' && !isPlanned)) return [];
      // A hold that cannot be paid is no trap.
      const isOver = place === 'hold' && played.question?.refused === true;
      const { verdict, fresh } = judge(lie.lie, reply, before, isOver ? undefined : played[place]);
      return [{ place, verdict, fresh }];
    });
    return judged.toSorted((a, b) => rank(b) - rank(a)).slice(0, 1);
  });
  return all.toSorted((a, b) => rank(a) - rank(b))[0] ?? { place: '', verdict: 'refused' as const, fresh: [] };
}

const fits = ({ path, kinds, acts, only }: TableRow, { act, told: { lie, inReading } }: Case): boolean =>
  path === shortPath(lie.path) &&
  kinds.includes(lie.kind) &&
  acts.some((some) => some.includes(act.name)) &&
  !(only === 'unruled' && act.offersRules) &&
  !(only === 'begun' && Date.parse(String(lie.now)) > act.desk.at) &&
  !(only === 'reply' && inReading !== undefined);

const LOST = /^(16|UN|XX)$/;
/** Of coupons: refunded, exchanged. */
const CLOSED = /^[RE]$/;

/**
 * Whether a lie is about something that is over: in what way a cancelled flight would have run, and who would have been on it, or what
 * an exchanged or refunded ticket was for. A lie about whether it is over counts. The same
 * goes for what moves no money: the amount in a rule without a refund, and an order or a refund of zero.
 */
function isOver({ act, told }: Case): boolean {
  const { lie } = told;
  const reply = act.replyOf(told);
  const inside = (list: string): unknown => {
    const place = lie.at.lastIndexOf(list) + 1;
    return place > 0 && lie.at.length > place + 1 ? reached(reply, lie.at.slice(0, place + 1)) : undefined;
  };
  const holder = reached(reply, lie.at.slice(0, -1)) as Readonly<Record<string, unknown>>;
  if (/voluntaryRefunds\..*\.(base|tax|total)$/.test(lie.path)) return String(holder.refundable) === 'false';
  if (/orderInfo\.(status|currencyCode|direction)$/.test(lie.path)) return Number(holder.totalAmount) === 0;
  if (/\.totalFare\.currencyCode$/.test(lie.path) && isRefundRow(reply, lie)) return Number(holder.amount) === 0;
  const flight = inside('flightSegment') as Json | undefined;
  const isStatus = /\.status$/.test(lie.path);
  if (flight !== undefined) return LOST.test(String(flight.status)) && !isStatus;
  if (/flightSegmentRPHs\.flightSegmentRPH$/.test(lie.path)) {
    // The same flight may stand there twice.
    const lost = lostFlights(reply);
    const isOn = (holder as unknown as readonly unknown[]).includes(lie.now) || lost.includes(lie.now);
    return lost.includes(lie.was) && (lie.now === undefined || isOn);
  }
  if (isStatus) return false;
  const ticket = inside('ticketing') as { readonly tpaextensions?: Tickets } | undefined;
  const { couponInfos = [], couponProviderDetails = [] } = ticket?.tpaextensions ?? {};
  const isClosed = ({ status }: Json) => CLOSED.test(String(status));
  if (couponInfos.length > 0 && couponInfos.every(isClosed)) return true;
  const coupon = lie.at.lastIndexOf('couponInfos') + 1;
  if (coupon > 0) return isClosed(reached(reply, lie.at.slice(0, coupon + 1)) as Json);
  const details = lie.at.lastIndexOf('couponProviderDetails') + 1;
  // One that names no flight is of the coupon in its place.
  const { flightRefRPH } = couponProviderDetails[Number(lie.at[details])] ?? {};
  const isOf = (one: Json, place: number) =>
    flightRefRPH === undefined ? place === lie.at[details] : one.flightRefRPH === flightRefRPH;
  return details > 0 && couponInfos.some((one, place) => isOf(one, place) && isClosed(one));
}

interface Tickets {
  readonly couponInfos?: readonly Json[];
  readonly couponProviderDetails?: readonly Json[];
}

/** Whether a sum is that of a refund, which stands beside that of what is paid. */
function isRefundRow(reply: unknown, { at }: ToldLie['lie']): boolean {
  const { usage } = reached(reply, at.slice(0, at.lastIndexOf('totalFare'))) as Json;
  return usage === 'refund';
}

/** Places of cancelled flights, as passengers point at them. */
function lostFlights(reply: unknown): readonly unknown[] {
  const flights: Json[] = [];
  JSON.stringify(reply, (key, value) => {
    if (key === 'flightSegment' && Array.isArray(value)) flights.push(...value);
    return value;
  });
  return flights.filter(({ status }) => LOST.test(String(status))).map(({ rph }) => rph);
}

export const isSilent = ({ verdict }: Outcome): boolean => verdict === 'nothing' || verdict === 'only the new value';

/** Whether the table has each part of a wide lie. */
function isOfIrrelevant(one: Case): boolean {
  const parts = partsOfLie(one.act.replyOf(one.told), one.told.lie);
  const isOne = (lie: Lie) => IRRELEVANT.some((row) => fits(row, { ...one, told: { ...one.told, lie } }));
  return parts.length > 0 && parts.every(isOne);
}

/** The airline took the lie back before anybody saw it, so it harms nobody. */
const isUnseen = ({ told: { when }, verdict }: Outcome): boolean => when === 'once' && verdict === 'nothing';
/** Two lies at once are never irrelevant here: {@link leastTold} asks about each of them. */
export const isIrrelevant = (one: Outcome): boolean =>
  one.told.also === undefined &&
  (isUnseen(one) ||
    isOver(one) ||
    isFirstHeard(one) ||
    IRRELEVANT.some((row) => fits(row, one)) ||
    isOfIrrelevant(one));
/** Nobody hears of it, and the table does not say why that does not matter. */
export const isHarmful = (one: Outcome): boolean => isSilent(one) && !isIrrelevant(one);
