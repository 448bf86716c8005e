/** What an airline lies about, and where a person must hear of it. */
import { type Asking, type Desk, type DeskOptions, messageOf } from './desk.ts';
import { type ActName, shortPath } from './irrelevant.ts';
import { type Kind, type Lie, liesAbout, wideLiesAbout, withLies } from './lies.ts';
import { type Place, type Played, play } from './play.ts';
import { CHANGE, type Json, messageAbout, offersRules, READING_BEFORE, type Step, stepOf, type Trip } from './trips.ts';

/** An act of an honest trip, about which an airline tells one lie: in its reply to it, and in every reading after it that has the same value. */
export interface Act {
  readonly name: ActName;
  /** Of what trip. */
  readonly trip: string;
  readonly desk: DeskOptions;
  readonly lies: readonly ToldLie[];
  /** Whether an offer of the trip states what comes back. */
  readonly offersRules: boolean;
  /** The honest reply that the lie is about. */
  replyOf(told: ToldLie): Json;
  /** Whether a lie is about a flight that the act brings, and nothing of it was said before. Absent: it brings none. */
  isOfNew?(told: ToldLie): boolean;
  /** Plays the trip with a person who knows nothing of earlier ones. Without a lie all is honest. */
  play(desk: Desk, told?: ToldLie, inPlan?: boolean): Promise<Played>;
  /** Where a person must hear of the lie: at each of these places, at one of each list at least. */
  placesOf(told: ToldLie): readonly (readonly Place[])[];
}

/** The lies that are told at once: one, or two. */
export const toldAtOnce = ({ also, ...told }: ToldLie): readonly ToldLie[] =>
  also === undefined ? [told] : [told, also];

/** One lie of an act, and the same lie about the readings of the trip. */
export interface ToldLie {
  readonly lie: Lie;
  readonly inReading: Lie | undefined;
  /** Only the readings have the value. */
  readonly isOfReading?: true;
  /** `once`: the next reading takes it back. `after the yes`: it is about the reading before the send, and those after it. */
  readonly when?: 'once' | 'after the yes';
  /** What else is told at the same time. */
  readonly also?: ToldLie;
}

/** The part of a trip up to the question about its payment. */
interface BookingAct {
  readonly name: ActName;
  readonly trip: Trip;
  readonly step: Step;
}

export function bookingAct(act: BookingAct): Act {
  const { name, trip, step } = act;
  return {
    ...{ name, trip: trip.name, desk: trip.desk, lies: liesOf(act), offersRules: offersRules(trip) },
    replyOf: () => trip.replies[step],
    play: (desk, told, inPlan) => play(desk.person(airlineOf(act, told)), trip, inPlan),
    placesOf: (told) => placesOf(act, told),
  };
}

function liesOf({ name, trip: { replies }, step }: BookingAct): readonly ToldLie[] {
  const all = liesAbout(replies[step]);
  // An offer of the availability record cannot be booked, so that only what was asked for must be true.
  const lies = name === 'availability' ? all.filter((lie) => isAsked(lie, replies[step])) : all;
  if (step === 'search') return lies.map((lie) => ({ lie, inReading: undefined }));
  const wide = wideLiesAbout(replies[step]);
  if (step === 'reading') return [...lies, ...wide].map((lie) => ({ lie, inReading: lie }));
  return [...alsoIn(replies.reading, lies), ...wideIn(replies.reading, wide)];
}

/** As {@link alsoIn}, for wide lies. One that is told everywhere is the same in both messages, wherever its value comes first. */
export function wideIn(reading: Json, lies: readonly Lie[]): readonly ToldLie[] {
  return alsoIn(reading, lies, wideLiesAbout).map((told): ToldLie => {
    return told.lie.kind === 'everywhere' ? { ...told, inReading: told.lie } : told;
  });
}

/** The same value at the same place among those alike: a reading has some branches elsewhere. */
export function alsoIn(reading: Json, lies: readonly Lie[], about = liesAbout): readonly ToldLie[] {
  const inReadings = Map.groupBy(about(reading), likeness);
  const counts = new Map<string, number>();
  return lies.map((lie) => {
    const like = likeness(lie);
    const count = counts.get(like) ?? 0;
    counts.set(like, count + 1);
    return { lie, inReading: inReadings.get(like)?.[count] };
  });
}

/** An element may have more fields in a reading, so that only its place counts. */
function likeness({ path, kind, was }: Lie): string {
  return JSON.stringify([shortPath(path), kind, typeof was === 'object' ? '' : was]);
}

/** The airline of a trip, honest but for one lie. */
export function airlineOf(
  { trip: { replies, others, moves, adds }, step }: Pick<BookingAct, 'trip' | 'step'>,
  told?: ToldLie,
): Asking {
  const lieAt = (at: Step): Lie | undefined =>
    at === step ? told?.lie : at === 'reading' ? told?.inReading : undefined;
  const lied: Json = Object.fromEntries(
    (Object.keys(replies) as Step[]).map((at) => [at, withLies(replies[at], [lieAt(at)])]),
  );
  let isChanged = adds === undefined;
  return (request) => {
    const message = messageOf(request);
    isChanged ||= message === CHANGE;
    if (moves !== undefined && request.body?.includes(`"${moves}"`)) return others[messageAbout(message, moves)];
    const at = stepOf(message);
    if (at === 'reading' && !isChanged) return others[READING_BEFORE];
    return at === undefined ? others[message] : lied[at];
  };
}

/**
 * Offers that are none of what was asked for must be refused, or told, where they are offered. `first` and `last` are flights of an
 * option: nobody asked for what lies between them.
 */
const ASKED: readonly (readonly [path: RegExp, kinds: readonly Kind[]])[] = [
  [/^option$/, ['gone', 'twice']],
  [/^flightSegment$/, ['gone']],
  [/^first\.departureAirport\.locationCode$/, ['another']],
  [/^last\.arrivalAirport\.locationCode$/, ['another']],
  [/^first\.departureDateTime$/, ['a day later']],
  [/^availability\.segments(\.offers)?$/, ['gone', 'twice']],
  [/transport\.(departureStation|arrivalStation)$/, ['another']],
  [/transport\.(departureTime|journeyDate)$/, ['a day later']],
];

function isAsked({ path, kind, at }: Lie, reply: Json): boolean {
  const short = shortPath(path);
  const place = at.indexOf('flightSegment');
  const flights: readonly unknown[] = at.slice(0, place + 1).reduce<Json>((node, key) => node[key], reply) ?? [];
  const index = at[place + 1];
  const edges = [index === 0 ? 'first' : 'flightSegment', index === flights.length - 1 ? 'last' : 'flightSegment'];
  const names = [short, ...edges.map((edge) => short.replace(/^flightSegment/, edge))];
  return ASKED.some(([field, kinds]) => names.some((name) => field.test(name)) && kinds.includes(kind));
}

function placesOf(
  { step, trip: { moves, replies } }: Pick<BookingAct, 'step' | 'trip'>,
  { lie, inReading }: ToldLie,
): readonly (readonly Place[])[] {
  switch (step) {
    case 'search':
      return [isAsked(lie, replies.search) ? ['search'] : ['search', 'hold']];
    case 'hold':
      if (moves !== undefined) return [['move']];
      return inReading === undefined ? [['hold']] : [['hold'], ['question'], ['plan']];
    case 'reading':
      return [['question'], ['plan']];
  }
}
