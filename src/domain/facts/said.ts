/**
 * What a question says of its booking, part by part, and when two parts say the same. A line that is written from facts of a booking has
 * its facts beside it: they are compared, and not its letters. In this order: the parts, the table of their equalities, how parts are made,
 * their comparison.
 */
import { type Money, sameMoney } from '../../core/money.ts';
import { pairRows, sameJson } from '../../core/own.ts';
import { instantOf, MINUTE_MS } from '../../core/times.ts';
import type { Booking, Segment } from '../booking/booking.ts';
import type { Matter } from '../booking/finding.ts';
import { flightName, operatedBy } from '../booking/flight-name.ts';
import { foldName, isMasked } from '../people/identity-text.ts';
import { fullName, type PersonName, type Traveler } from '../people/traveler.ts';
import { diffFlight } from './differ.ts';
import { type FlightField, readFlight, type StatedFlight } from './flight-rows.ts';
import { wholeNames } from './person-rows.ts';
import { sameCode } from './values.ts';

/** A part of a line. `as`: what the line says that it is, such as `stays`; parts that are different things are not compared. */
export type SaidPart =
  | { readonly row: 'flight'; readonly as: string; readonly value: SaidFlight }
  | { readonly row: 'person'; readonly as: string; readonly value: SaidPerson }
  | { readonly row: 'sum'; readonly as: string; readonly value: SaidSum }
  | { readonly row: 'loss'; readonly as: string; readonly value: Money }
  | { readonly row: 'limit'; readonly as: string; readonly value: string }
  | { readonly row: 'share'; readonly as: string; readonly value: SaidShare }
  | { readonly row: 'step'; readonly as: string; readonly value: SaidStep }
  | { readonly row: 'condition'; readonly as: string; readonly value: SaidCondition }
  | { readonly row: 'words'; readonly as: string; readonly value: string };

/** A flight as its line shows it. */
interface SaidFlight extends StatedFlight {
  /** The flight that it is operated as: the one that is sold, or another one. */
  readonly operatedAs?: string | undefined;
  /** What the line says beside it: its status, another airport. */
  readonly more?: string | undefined;
}

interface SaidPerson {
  readonly name?: PersonName | undefined;
  readonly type: string;
  /** The end of the ticket number, which distinguishes people of one name. */
  readonly ticket?: string | undefined;
}

/** A sum, or the bounds between which it is. Without any of them it is not known. */
export interface SaidSum {
  readonly amount?: Money | undefined;
  readonly atLeast?: Money | undefined;
  readonly atMost?: Money | undefined;
}

/** What comes back, or is paid, of some flights for some people. */
interface SaidShare {
  readonly people: readonly SaidPerson[];
  readonly flights: readonly SaidFlight[];
  /** In words, where the people have no names: `2 adults`. */
  readonly party?: string | undefined;
  readonly figures: string;
}

/** Words of the airline. */
export interface SaidCondition {
  readonly says: string;
  /** Whose fare, if it is not that of all. */
  readonly of?: string | undefined;
}

/** What comes back from a time on. */
interface SaidStep {
  /** With offset. */
  readonly from: string;
  readonly sums: string;
  readonly conditions: readonly SaidCondition[];
  /** It is no more than comes back before. */
  readonly isLess: boolean;
}

type RowName = SaidPart['row'];
type ValueOf<Name extends RowName> = Extract<SaidPart, { readonly row: Name }>['value'];

interface SaidRow<Name extends RowName> {
  /** What changes by the airline matter to somebody who was told this. */
  readonly matters: readonly Matter[];
  /** Whether the question of before still says what is so now. What it said and a reading leaves out now is not the same. */
  readonly same: (was: ValueOf<Name>, is: ValueOf<Name>) => boolean;
  /** What the question said of it, and does not say now, is only better. */
  readonly isBetterWithout?: true;
  /** A question that could not say it counts where it is said now: other parts have the same sums. */
  readonly mayAppear?: true;
}

const MONEY: readonly Matter[] = ['price', 'money', 'term'];

/** The equality of each part. */
const SAID_ROWS: { readonly [Name in RowName]: SaidRow<Name> } = {
  flight: { matters: ['journey', 'ticket'], same: sameFlightSaid },
  person: { matters: ['person', 'document'], same: samePersonSaid },
  // Of a sum that was said by its bounds, one between them needs no new yes. Less than was shown may come back of one that is not.
  sum: { matters: MONEY, same: sameSum },
  // To give up less than was said is only better.
  loss: { matters: MONEY, same: (was, is) => isAtMost(is, was), isBetterWithout: true },
  // Until later is only better.
  limit: { matters: ['term'], same: isNotSooner },
  // Who gets how much of the sums that other parts have.
  share: { matters: MONEY, same: sameShare, mayAppear: true },
  step: { matters: MONEY, same: sameStep },
  condition: { matters: MONEY, same: sameCondition },
  // It stands as it is. An airline may write a flight number with zeros, and an address in capitals.
  words: { matters: [], same: (was, is) => withoutZeros(was).toLowerCase() === withoutZeros(is).toLowerCase() },
};

/** `HHR0108` is `HHR108`. */
export const withoutZeros = (line: string): string => line.replace(/([A-Z])0+(?=\d)/g, '$1');

/** The fields of a flight that lines show. */
const SHOWN: readonly FlightField[] = [
  'from',
  'to',
  'departs',
  'arrives',
  'number',
  'bookingClass',
  'fare',
  'fareName',
  'stops',
];

/** What a reading shows more than the question said is no other flight. */
function sameFlightSaid(was: SaidFlight, is: SaidFlight): boolean {
  return isSameRide(was, is) && missingOf(was, is).length === 0;
}

function isSameRide(was: SaidFlight, is: SaidFlight): boolean {
  return diffFlight({ ref: '', ...was }, { ref: '', ...is }).length === 0 && sameBeside(was, is);
}

const missingOf = (was: SaidFlight, is: SaidFlight): readonly FlightField[] =>
  SHOWN.filter((field) => isMissing(field, was, is));

/** The fields of a flight that its line had and has no more. Empty for another flight. */
export function fieldsMissing(was: SaidPart, is: SaidPart): readonly FlightField[] {
  if (was.row !== 'flight' || is.row !== 'flight' || was.as !== is.as || !isSameRide(was.value, is.value)) return [];
  return missingOf(was.value, is.value);
}

/** The code of a fare says which it is, with its name and without. */
function isMissing(field: FlightField, was: SaidFlight, is: SaidFlight): boolean {
  const isSaidByCode = field === 'fareName' && is.fare !== undefined;
  return was[field] !== undefined && is[field] === undefined && !isSaidByCode;
}

function sameBeside(was: SaidFlight, is: SaidFlight): boolean {
  return was.more === is.more && (!nameSameCarriers(was, is) || sameOperated(was, is));
}

/** An airline may leave out a carrier: then the flight goes by the other one, and its number says which it is. */
const nameSameCarriers = (was: SaidFlight, is: SaidFlight): boolean =>
  (['marketingCarrier', 'operatingCarrier'] as const).every(
    (carrier) => (was[carrier] === undefined) === (is[carrier] === undefined),
  );

const sameOperated = ({ operatedAs: was = '' }: SaidFlight, { operatedAs: is = '' }: SaidFlight): boolean =>
  withoutZeros(was) === withoutZeros(is);

/** Number and pointer of a person are no sign of who that is. */
function samePersonSaid(was: SaidPerson, is: SaidPerson): boolean {
  // Whom a question could not name may be named now.
  const isNamedAlike = was.name === undefined || (is.name !== undefined && sameNameSaid(was.name, is.name));
  return isNamedAlike && sameCode(was.type, is.type) && was.ticket === is.ticket;
}

/** In either order, with or without a title. A name that was masked is the same where its letters are; any other as it stands. */
function sameNameSaid(was: PersonName, is: PersonName): boolean {
  const [before, now] = [fullName(was), fullName(is)];
  if (before === now) return true;

  const forms = wholeNames(is);
  if (wholeNames(was).some((form) => forms.includes(form))) return true;
  return isMasked(before) && !isMasked(now) && fitsMask(before, now);
}

const MASKED = /[^\p{L}\p{N}]+/u;

/** Whether each letter that a masked name shows is in the name, in their order; one letter at least. */
function fitsMask(masked: string, name: string): boolean {
  const parts = masked.split(MASKED).map(foldName).filter(Boolean);
  const whole = foldName(name);
  let at = 0;
  for (const part of parts) {
    const found = whole.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const [first] = parts;
  return first !== undefined && whole.startsWith(first);
}

const isSameSum = (was: Money | undefined, is: Money | undefined): boolean =>
  was === undefined || is === undefined ? was === is : sameMoney(was, is);

const isAtMost = (sum: Money, limit: Money): boolean => sum.currency === limit.currency && sum.minor <= limit.minor;

function sameSum(was: SaidSum, is: SaidSum): boolean {
  const isSame = (['amount', 'atLeast', 'atMost'] as const).every((field) => isSameSum(was[field], is[field]));
  if (isSame) return true;

  const { atLeast, atMost } = was;
  if (atLeast === undefined || atMost === undefined || is.amount === undefined) return false;
  return isAtMost(atLeast, is.amount) && isAtMost(is.amount, atMost);
}

/** Questions show minutes, so that a few seconds can be another minute. */
function sameMinute(was: string, is: string): boolean {
  const [before, now] = [instantOf(was), instantOf(is)];
  return before === undefined || now === undefined ? was === is : Math.abs(now - before) <= MINUTE_MS;
}

function isNotSooner(was: string, is: string): boolean {
  const [before, now] = [instantOf(was), instantOf(is)];
  return sameMinute(was, is) || (before !== undefined && now !== undefined && now > before);
}

function sameStep(was: SaidStep, is: SaidStep): boolean {
  if (was.sums !== is.sums || was.isLess !== is.isLess) return false;
  if (!isEachSame(was.conditions, is.conditions, sameCondition)) return false;
  return was.isLess ? isNotSooner(was.from, is.from) : sameMinute(was.from, is.from);
}

/** An airline may send its words in one language or another each time: its figures are parts of their own. */
function sameCondition(was: SaidCondition, is: SaidCondition): boolean {
  const [before, now] = [was, is].map(({ of = '' }) => withoutZeros(of));
  const isOfSame = before === now;
  const isSaid = withoutZeros(was.says) === withoutZeros(is.says);
  return isOfSame && (isSaid || isInLatin(was.says) !== isInLatin(is.says));
}

const isInLatin = (text: string): boolean => /^\P{L}*\p{Script=Latin}/u.test(text);

function sameShare(was: SaidShare, is: SaidShare): boolean {
  return (
    was.figures === is.figures &&
    was.party === is.party &&
    isEachSame(was.people, is.people, samePersonSaid) &&
    isEachSame(was.flights, is.flights, sameFlightSaid)
  );
}

function isEachSame<T extends object>(was: readonly T[], is: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return was.length === is.length && pairsOf(was, is, same).size === was.length;
}

function pairsOf<T extends object>(was: readonly T[], is: readonly T[], same: (a: T, b: T) => boolean) {
  return pairRows(was, is, { mayBeSame: same, likenesses: [sameJson, () => true], distance: () => 0 });
}

// How parts are made.

export function saidFlight(segment: Segment, as = '', more = ''): SaidPart {
  return { row: 'flight', as, value: { ...flightOf(segment), more: more === '' ? undefined : more } };
}

/** A departure without its flight. */
export const saidDeparture = (as: string, departs: string): SaidPart => ({ row: 'flight', as, value: { departs } });

/** No stop on the way is not shown. */
function flightOf(segment: Segment): SaidFlight {
  const { ref: _, stops, ...flight } = readFlight(segment);
  return {
    ...flight,
    stops: stops === '0' ? undefined : stops,
    operatedAs: operatedBy(segment) ?? flightName(segment),
  };
}

export function saidPerson(traveler: Traveler, as = '', ticket?: string): SaidPart {
  return { row: 'person', as, value: { ...personOf(traveler), ...(ticket !== undefined && { ticket }) } };
}

/** The title is not shown. */
function personOf({ name, type }: Traveler): SaidPerson {
  return name === undefined ? { type } : { name: { ...name, title: [] }, type };
}

/** @param as `what comes back`, as a sentence about it begins */
export const saidSum = (as: string, value: SaidSum): SaidPart => ({ row: 'sum', as, value });
export const saidLoss = (as: string, value: Money): SaidPart => ({ row: 'loss', as, value });
export const saidLimit = (as: string, value: string): SaidPart => ({ row: 'limit', as, value });
export const saidStep = (as: string, value: SaidStep): SaidPart => ({ row: 'step', as, value });
export const saidCondition = (as: string, value: SaidCondition): SaidPart => ({ row: 'condition', as, value });
export const saidWords = (as: string, value: string): SaidPart => ({ row: 'words', as, value });

/** @param refs of the people and the flights of this booking */
export function saidShare(
  as: string,
  { options, travelers }: Pick<Booking, 'options' | 'travelers'>,
  refs: { readonly segments: readonly string[]; readonly people: readonly string[]; readonly party: string },
  figures: string,
): SaidPart {
  const segments = options.flatMap((option) => option.segments).filter(({ ref }) => refs.segments.includes(ref));
  const people = travelers.filter(({ ref }) => refs.people.includes(ref)).map(personOf);
  const party = people.length > 0 ? {} : { party: refs.party };
  return { row: 'share', as, value: { people, flights: segments.map(flightOf), ...party, figures } };
}

// Their comparison.

/** A line of a question, and what it says of its booking. */
export interface SaidLine {
  readonly line: string;
  /** Absent: the line stands as it is. Empty: it is only shown. */
  readonly said?: readonly SaidPart[] | undefined;
}

/** A part that one side says and the other does not, and its line. */
export interface UnlikePart<Line extends SaidLine = SaidLine> {
  readonly part: SaidPart;
  readonly of: Line;
}

function partsIn<Line extends SaidLine>(lines: readonly Line[]): readonly UnlikePart<Line>[] {
  return lines.flatMap((of) => (of.said ?? [saidWords('', of.line)]).map((part) => ({ part, of })));
}

export const isSamePart = (was: SaidPart, is: SaidPart): boolean =>
  was.row === is.row && was.as === is.as && sameValue(was.row, was.value, is.value);

function sameValue<Name extends RowName>(row: Name, was: unknown, is: unknown): boolean {
  return SAID_ROWS[row].same(was as ValueOf<Name>, is as ValueOf<Name>);
}

/** What a question said that is not so now, and what is said now that it did not say. The order of its lines does not matter. */
export function unlikeParts<Line extends SaidLine>(
  asked: readonly Line[],
  now: readonly Line[],
): { readonly gone: readonly UnlikePart<Line>[]; readonly fresh: readonly UnlikePart<Line>[] } {
  const [before, after] = [partsIn(asked), partsIn(now)];
  const pairs = pairsOf(before, after, ({ part: was }, { part: is }) => isSamePart(was, is));
  const paired = new Set(pairs.values());
  const gone = before.filter((each) => !pairs.has(each) && SAID_ROWS[each.part.row].isBetterWithout !== true);

  const saidRows = new Set(before.map(({ part }) => part.row));
  const isOnlySaidNow = ({ row }: SaidPart) => SAID_ROWS[row].mayAppear === true && !saidRows.has(row);
  const fresh = after.filter((each) => !paired.has(each) && !isOnlySaidNow(each.part));
  return { gone, fresh };
}

/** What matters to somebody who was told these lines. */
export function mattersIn(lines: readonly SaidLine[]): readonly Matter[] {
  return lines.flatMap(({ said = [] }) => said.flatMap(({ row }) => SAID_ROWS[row].matters));
}
