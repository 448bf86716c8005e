/**
 * What an airline may show of a booking after the question: one leaf altered, one node left out, or several values together that an
 * airline alters at once.
 */
import { inEvery } from '../../support/sandbox/forms.ts';
import { type Lie, liesAbout, type Path, wideLiesAbout, withLie } from '../differ/lies.ts';
import { capitals, inNames, masked, QUIRKS, renumbered } from '../differ/quirks.ts';
import type { Json } from '../differ/trips.ts';
import { withoutDocuments } from './grounds.ts';

export interface Alteration {
  readonly sort: 'altered' | 'left out' | 'several at once';
  /** `airReservation.travelerInfo.airTraveler.1.personName.surname`; of several at once what is done. */
  readonly place: string;
  readonly how: string;
  readonly was?: unknown;
  readonly now?: unknown;
  apply(reading: Json): Json;
}

/** All of them, in the order of the reading. */
export function alterationsOf(reading: Json): readonly Alteration[] {
  return [
    ...[...liesAbout(reading), ...wideLiesAbout(reading)].map(asAlteration),
    ...moreValues(reading, []),
    ...leftOut(reading, []),
    ...ofPeople,
    ...SEVERAL.filter(({ apply }) => JSON.stringify(apply(reading)) !== JSON.stringify(reading)),
  ];
}

/** Of those about names and pointers alone, which a booking without documents has too. */
export const isAboutPeople = ({ sort, place }: Alteration): boolean =>
  sort === 'several at once' || /airTraveler|traveler|attendant/i.test(place);

function asAlteration(lie: Lie): Alteration {
  const { at, kind, was, now } = lie;
  return {
    ...{ sort: kind === 'gone' ? 'left out' : 'altered', place: at.join('.'), how: kind },
    ...{ was, now: kind === 'gone' ? undefined : now },
    apply: (reading) => withLie(reading, lie) ?? reading,
  };
}

function replaced(reading: Json, at: Path, change: (holder: Json, key: string | number) => void): Json {
  const fresh = structuredClone(reading);
  const holder = at.slice(0, -1).reduce<Json>((node, key) => node[key], fresh);
  change(holder, at.at(-1) as string | number);
  return fresh;
}

function to(at: Path, how: string, was: unknown, now: unknown): Alteration {
  return {
    ...{ sort: 'altered', place: at.join('.'), how, was, now },
    apply: (reading) =>
      replaced(reading, at, (holder, key) => {
        holder[key] = now;
      }),
  };
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const IN_NAME = /(givenName\.\d+|surname|middleName\.\d+)$/;
const MINUTE = 60_000;

/** Other values than {@link liesAbout} has: a masked name, an earlier time, nothing at all. */
function moreValues(value: Json, at: Path): readonly Alteration[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) =>
      moreValues(one, [...at, Array.isArray(value) ? Number(key) : key]),
    );
  if (typeof value !== 'string' || value === '') return [];
  const place = at.join('.');
  const others = IN_NAME.test(place) ? namesFor(value) : DATE_TIME.test(value) ? timesFor(value) : [['emptied', '']];
  return others.map(([how = '', now]) => to(at, how, value, now));
}

const namesFor = (value: string): string[][] => [
  ['masked, of another', 'ZORRO ****'],
  ['stars', '****'],
  ['masked', masked(value)],
  ['an initial', value.slice(0, 1)],
  ['in capitals', capitals(value)],
  ['with a title', `${value} MRS`],
  ['emptied', ''],
];

function timesFor(value: string): string[][] {
  const moved = (ms: number) => {
    const [, local = '', rest = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(.*)$/.exec(value) ?? [];
    const seconds = local.length === 16 ? `${local}:00` : local;
    return new Date(Date.parse(`${seconds}Z`) + ms).toISOString().slice(0, local.length) + rest;
  };
  return [
    ['a day earlier', moved(-24 * 60 * MINUTE)],
    ['two hours earlier', moved(-120 * MINUTE)],
    ['twenty seconds later', moved(20_000)],
    ['in UTC', new Date(value).toISOString()],
    ['emptied', ''],
  ];
}

/** Each node but the root and elements of lists, which {@link liesAbout} leaves out; and each list emptied. */
function leftOut(value: Json, at: Path): readonly Alteration[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]): readonly Alteration[] => {
    const path = [...at, Array.isArray(value) ? Number(key) : key];
    const below = leftOut(one, path);
    const gone: Alteration = {
      ...{ sort: 'left out', place: path.join('.'), how: 'no field', was: one },
      apply: (reading) => replaced(reading, path, (holder, last) => delete holder[last]),
    };
    const emptied = { ...to(path, 'no element', one, []), sort: 'left out' as const };
    const isList = Array.isArray(one) && one.length > 0;
    return [...(Array.isArray(value) ? [] : [gone]), ...(isList ? [emptied] : []), ...below];
  });
}

// Several at once.

const swapped = (ref: string) => (ref === '1' ? '2' : ref === '2' ? '1' : ref);
const samePointers = (ref: string) => ref;

const anew = (reading: Json): Json => renumbered(reading, 0, swapped);

/** Other names for everybody who travels and for the contact. */
const named =
  (rewrite: (name: Json) => Json) =>
  (reading: Json): Json =>
    inNames((name) => rewrite(name))(reading, true);
const everyName = (rewrite: (text: string) => string) =>
  named((name) => ({
    ...name,
    givenName: name.givenName.map(rewrite),
    surname: rewrite(name.surname),
  }));

const NAMES: Readonly<Record<string, (reading: Json) => Json>> = {
  'names as they are': (reading) => reading,
  'names in stars': everyName(() => '****'),
  'names masked': everyName(masked),
  'initials and stars': everyName((text) => `${text.slice(0, 1)}****`),
  'names of somebody else, masked': named((name) => ({ ...name, givenName: ['****'], surname: 'ZORRO ****' })),
  'names of somebody else': named((name) => ({ ...name, givenName: ['Zora'], surname: 'Quist' })),
  'no names': inEvery(({ personName: _, ...person }: Json) => person) as (reading: Json) => Json,
};

const PAPERS: Readonly<Record<string, (reading: Json) => Json>> = {
  'documents as they are': (reading) => reading,
  'no documents': withoutDocuments,
  'documents masked': inEvery((object: Json) =>
    'docID' in object ? { ...object, docID: masked(object.docID) } : object,
  ) as (reading: Json) => Json,
};

const reversed = inEvery((object: Json) =>
  Array.isArray(object.airTraveler) ? { ...object, airTraveler: object.airTraveler.toReversed() } : object,
) as (reading: Json) => Json;

const POINTERS: Readonly<Record<string, (reading: Json) => Json>> = {
  'numbers as they are': (reading) => reading,
  'numbered anew': anew,
  'in another order': reversed,
  'numbered anew, in another order': (reading) => reversed(anew(reading)),
};

const ofPeople: readonly Alteration[] = Object.entries(POINTERS).flatMap(([order, number]) =>
  Object.entries(NAMES).flatMap(([names, name]) =>
    Object.entries(PAPERS).map(([papers, paper]): Alteration => {
      const place = [order, names, papers].join(', ');
      return { sort: 'several at once', place, how: 'people', apply: (reading) => paper(name(number(reading))) };
    }),
  ),
);

/** Exchanges a part of two elements of a list that every such reading has. */
function exchangedIn(list: (reservation: Json) => readonly Json[] | undefined, ...path: readonly string[]) {
  return (first: number, second: number) =>
    (reading: Json): Json => {
      const fresh = structuredClone(reading);
      const all = list(fresh.airReservation) ?? [];
      const [a, b] = [all.at(first), all.at(second)].map((one) =>
        path.slice(0, -1).reduce<Json>((node, key) => node?.[key], one),
      );
      const last = path.at(-1) as string;
      if (a === undefined || b === undefined || a === b) return fresh;
      [a[last], b[last]] = [b[last], a[last]];
      return fresh;
    };
}

const fareInfos = ({ priceInfo }: Json) => priceInfo?.fareInfos?.fareInfo;
const flights = ({ airItinerary }: Json) =>
  airItinerary.originDestinationOptions.originDestinationOption.flatMap(({ flightSegment }: Json) => flightSegment);
const travelers = ({ travelerInfo }: Json) =>
  travelerInfo.airTraveler.filter((one: Json) => one.passengerTypeCode !== 'CTC');
const priceRows = ({ priceInfo }: Json) => priceInfo?.ptcfareBreakdowns?.ptcfareBreakdown;

const EXCHANGED: Readonly<Record<string, ReturnType<typeof exchangedIn>>> = {
  'the rules of two flights are exchanged': exchangedIn(fareInfos, 'ruleInfo'),
  'the refund rules of two flights are exchanged': exchangedIn(
    fareInfos,
    ...['ruleInfo', 'chargesRules', 'voluntaryRefunds'],
  ),
  'the change rules of two flights are exchanged': exchangedIn(
    fareInfos,
    ...['ruleInfo', 'chargesRules', 'voluntaryChanges'],
  ),
  'the limits of two flights are exchanged': exchangedIn(fareInfos, 'ruleInfo', 'tpaextensions'),
  'the pointers of two rules are exchanged': exchangedIn(fareInfos, 'rph'),
  'the rule texts of two flights are exchanged': exchangedIn(flights, 'tpaextensions', 'fareRule'),
  'the times of two flights are exchanged': exchangedIn(flights, 'departureDateTime'),
  'the prices of two flights are exchanged': exchangedIn(priceRows, 'passengerFare'),
  'the pointers of two price rows are exchanged': exchangedIn(priceRows, 'flightRefNumberRPHList'),
  'the names of two people are exchanged': exchangedIn(travelers, 'personName'),
  'the documents of two people are exchanged': exchangedIn(travelers, 'document'),
  'the addresses of two people are exchanged': exchangedIn(travelers, 'email'),
};

/** Of the first and the last, and of the first two. */
const exchanges: readonly Alteration[] = Object.entries(EXCHANGED).flatMap(([place, exchange]) =>
  [-1, 1].map((second): Alteration => {
    return { sort: 'several at once', place, how: `0 and ${second}`, apply: exchange(0, second) };
  }),
);

/** Moves so much of a base fare from one flight to another: no total of the booking changes. */
function movedFare(from: number, into: number, minor: number, isInTotals: boolean): Alteration {
  const sums = isInTotals ? 'base fare and sum' : 'base fare alone';
  return {
    ...{ sort: 'several at once', place: `${minor} of the ${sums} moved to another flight`, how: `${from} to ${into}` },
    apply(reading) {
      const fresh = structuredClone(reading);
      const rows = priceRows(fresh.airReservation) ?? [];
      const [a, b] = [rows.at(from), rows.at(into)];
      if (a === undefined || b === undefined || a === b) return fresh;
      const fields = isInTotals ? ['baseFare', 'totalFare'] : ['baseFare'];
      for (const [row, by] of [
        [a, -minor],
        [b, minor],
      ] as const) {
        const [fare] = row.passengerFare;
        for (const field of fields) if (fare[field]) fare[field].amount += by;
      }
      return fresh;
    },
  };
}

const moves = [50, 200].flatMap((amount) =>
  [true, false].flatMap((isInTotals) => [
    movedFare(0, -1, amount, isInTotals),
    movedFare(-1, 0, amount, isInTotals),
    movedFare(0, 1, amount, isInTotals),
  ]),
);

const others: readonly Alteration[] = [
  {
    ...{ sort: 'several at once', place: 'flights are numbered anew', how: 'pointers' },
    apply: (reading) => renumbered(reading, swapped, samePointers),
  },
  {
    ...{ sort: 'several at once', place: 'all pointers are others', how: 'pointers' },
    apply: (reading) => renumbered(reading, 40, 60),
  },
];

/** What honest airlines do to the same booking. */
const quirks: readonly Alteration[] = Object.entries(QUIRKS).map(([place, quirk]) => ({
  ...{ sort: 'several at once', place, how: 'quirk' },
  apply: (reading) => quirk(reading, true),
}));

/** Each of them is about something that not every booking has. */
const SEVERAL: readonly Alteration[] = [...moves, ...exchanges, ...others, ...quirks];
