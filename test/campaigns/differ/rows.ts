/**
 * Takes parts out of the comparisons, of what is held with what was asked for and of a reading with the one before, one at a time: each
 * row of their tables, once for each of the two, and each function that finds differences. A lie that somebody tells while the part is there must become silent.
 * Else the part is needless, or nobody would miss it.
 */
import { registerHooks } from 'node:module';
import { type ActName, shortPath } from './irrelevant.ts';
import type { Kind, Lie } from './lies.ts';

/** The modules of the comparisons. */
const MODULES = /\/src\/domain\/(?:booking\/(?:asked-[\w-]+|compare-[\w-]+)|facts\/[\w-]+)\.ts$/;
/** Those that compare a reading with the one before. */
const OF_READINGS = /\/(?:compare-[\w-]+|facts\/\w+-changes)\.ts$/;
/** Those whose rows compare readings and holds. */
const OF_BOTH = /\/facts\/\w+-rows\.ts$/;
const TABLE = /^(?:export )?const (\w+_ROWS): readonly \w+\[\] = \[/gm;
/** A function that finds several differences, or one. */
const FUNCTION =
  /^(?:export )?function (\w+)\((?:(?!\n\}).)*?\): (readonly (?:HeldDifference|Difference|FlightDifference|SaidOfSegment|MovedDeadline)\[\]|(?:Difference|SaidOfSegment) \| undefined) \{/gms;

interface Part {
  readonly name: string;
  /** Whether it compares readings. */
  readonly isOfReadings: boolean;
  /** Takes it out; returns what puts it back. */
  readonly takeOut: () => () => void;
}

export interface MissedPart {
  readonly name: string;
  /** How many lies need it. */
  readonly lies: number;
  readonly isMissed: boolean;
}

interface Row {
  readonly what: string;
  same?: unknown;
}

const parts: Part[] = [];

const reached = globalThis as unknown as {
  partsOfComparison: {
    table(name: string, rows: Row[], isOfBoth: boolean): void;
    function(name: string, takeOut: Part['takeOut'], isOfReadings: boolean): void;
  };
};

function without(rows: Row[], some: readonly Row[]): () => void {
  const all = rows.splice(0);
  rows.push(...all.filter((row) => !some.includes(row)));
  return () => void rows.splice(0, rows.length, ...all);
}

/** A row that compares is still needed to read its fact. */
function sameAlways(row: Row): () => void {
  const { same } = row;
  row.same = () => true;
  return () => {
    row.same = same;
  };
}

/** Makes the parts reachable, which are so for no module of the product. Call it before the product is loaded. */
export function reachParts(): void {
  reached.partsOfComparison = {
    table(name, rows, isOfBoth) {
      // Two rows of one name are one part: what one of them misses, the other tells.
      for (const [what, [row = { what }, ...others]] of Map.groupBy([...rows], (each) => each.what)) {
        // Of a person, one value may be the same and another one stand beside it.
        const isWhole = row.same === undefined || 'sent' in row;
        const takeOut = isWhole ? () => without(rows, [row, ...others]) : () => sameAlways(row);
        const part = `${name}: ${what}`;
        if ('held' in row || 'read' in row || 'sent' in row || !isOfBoth)
          parts.push({ name: part, isOfReadings: false, takeOut });
        if (('kept' in row || 'states' in row) && isOfBoth)
          parts.push({ name: `${part}, of readings`, isOfReadings: true, takeOut });
      }
    },
    function(name, takeOut, isOfReadings) {
      parts.push({ name, isOfReadings, takeOut });
    },
  };
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!MODULES.test(url)) return loaded;
      const source = String(loaded.source);
      const isOfReadings = OF_READINGS.test(url);
      const tables = [...source.matchAll(TABLE)].map(
        ([, name]) => `partsOfComparison.table('${name}', ${name}, ${OF_BOTH.test(url)});`,
      );
      const functions = [...source.matchAll(FUNCTION)].map(
        ([, name, found]) => `partsOfComparison.function('${name}', () => {
          const whole = ${name};
          ${name} = () => ${found?.startsWith('readonly') ? '[]' : 'undefined'};
          return () => { ${name} = whole; };
        }, ${isOfReadings});`,
      );
      return { ...loaded, source: [source, ...tables, ...functions].join('\n') };
    },
  });
}

/**
 * Parts that nobody misses here. This list becomes no longer. A flight that is confirmed again and a refund that arrives or is late need two
 * readings, one after the other. That a booking is cancelled, each result says of itself: the finding is for who reads none. An
 * order unlike the total is unlike what was asked for too, and another payment once it is paid: the finding is for holds that were not made here.
 * So is another lap: of a hold that was made here, the comparison with what was asked for tells it. Another payment is told by the question
 * that is written anew before a send; flipping.test.ts holds what a later reading says of it.
 */
export const NOT_MISSED: readonly string[] = [
  ...['confirmedAgain', 'refundProgress', 'bookingCancellation', 'orderUnlikeTotal', 'lapChange', 'paymentChange'],
];

/**
 * While a part of the comparison with what was asked for is taken out, no reading is compared with the one before: what a hold was asked
 * for must show the lie alone. Of a paid booking, only the reading before is compared.
 */
export const readings = { areCompared: true };

export const allParts = (): readonly Part[] =>
  parts.map(({ name, isOfReadings, takeOut }) => ({
    name,
    isOfReadings,
    takeOut() {
      const putBack = takeOut();
      readings.areCompared = isOfReadings;
      return () => {
        readings.areCompared = true;
        putBack();
      };
    },
  }));

const RESULTS: readonly ActName[] = ['hold', 'counts'];

/** By part: lies that nobody tells without it, and in which acts; by default those of the results of search and hold. */
const LIES: Readonly<Record<string, readonly [path: RegExp, kind: Kind, acts?: readonly ActName[]]>> = {
  'FLIGHT_ROWS: start': [/^flightSegment\.departureAirport\.locationCode$/, 'another'],
  'FLIGHT_ROWS: destination': [/^flightSegment\.arrivalAirport\.locationCode$/, 'another'],
  'FLIGHT_ROWS: departure': [/^flightSegment\.departureDateTime$/, 'two hours later'],
  'FLIGHT_ROWS: arrival': [/^flightSegment\.arrivalDateTime$/, 'two hours later'],
  'FLIGHT_ROWS: number': [/^flightSegment\.flightNumber$/, 'another'],
  'FLIGHT_ROWS: operating number': [/^flightSegment\.operatingAirline\.flightNumber$/, 'another'],
  'FLIGHT_ROWS: marketing number': [/^flightSegment\.marketingAirline\.flightNumber$/, 'another'],
  'FLIGHT_ROWS: operating carrier': [/^flightSegment\.operatingAirline\.code$/, 'another'],
  'FLIGHT_ROWS: marketing carrier': [/^flightSegment\.marketingAirline\.code$/, 'another'],
  'FLIGHT_ROWS: class': [/^flightSegment\.resBookDesigCode$/, 'another'],
  'FLIGHT_ROWS: fare': [/^flightSegment\.(fareBasisCode|tpaextensions\.fareBasis)$/, 'another'],
  'FLIGHT_ROWS: name of the fare': [/^(flightSegment|fareInfo)\.tpaextensions\.priceGroup$/, 'another'],
  'FLIGHT_ROWS: stops': [/^flightSegment\.stopQuantity$/, 'more'],
  'PERSON_ROWS: name': [/^airTraveler\.personName\.surname$/, 'another'],
  'PERSON_ROWS: document number': [/^airTraveler\.document\.docID$/, 'another'],
  'PERSON_ROWS: kind of document': [/^airTraveler\.document\.docType$/, 'another'],
  'PERSON_ROWS: birth date': [/^airTraveler\.document\.birthDate$/, 'a day later'],
  'PERSON_ROWS: expiry of the document': [/^airTraveler\.document\.expireDate$/, 'a day later'],
  'PERSON_ROWS: nationality': [/^airTraveler\.document\.docHolderNationality$/, 'another'],
  'PERSON_ROWS: gender': [/^airTraveler\.gender$/, 'another'],
  'PERSON_ROWS: e-mail': [/^airTraveler\.email\.value$/, 'another'],
  'PERSON_ROWS: telephone': [/^airTraveler\.telephone\.phoneNumber$/, 'another'],
  'PERSON_ROWS: name, of readings': [/^airTraveler\.personName\.surname$/, 'another', ['asked']],
  'PERSON_ROWS: document number, of readings': [/^airTraveler\.document\.docID$/, 'another', ['asked']],
  'PERSON_ROWS: kind of document, of readings': [/^airTraveler\.document\.docType$/, 'another', ['asked']],
  'PERSON_ROWS: birth date, of readings': [/^airTraveler\.document\.birthDate$/, 'a day later', ['asked']],
  'PERSON_ROWS: expiry of the document, of readings': [/^airTraveler\.document\.expireDate$/, 'a day later', ['asked']],
  'PERSON_ROWS: nationality, of readings': [/^airTraveler\.document\.docHolderNationality$/, 'another', ['asked']],
  'PERSON_ROWS: gender, of readings': [/^airTraveler\.gender$/, 'another', ['asked']],
  'PERSON_ROWS: e-mail, of readings': [/^airTraveler\.email\.value$/, 'another', ['asked']],
  'PERSON_ROWS: telephone, of readings': [/^airTraveler\.telephone\.phoneNumber$/, 'another', ['asked']],
  'BOOKING_ROWS: total': [/^total\.totalFare\.amount$/, 'more', ['search']],
  'BOOKING_ROWS: baggage': [/^total\.fareBaggageAllowance$/, 'another'],
  'BOOKING_ROWS: refund rule': [/^voluntaryRefunds\.rules\.applyUntilTime$/, 'a day later', ['reading']],
  'BOOKING_ROWS: time limit for payment': [
    /^fareInfo\.ruleInfo\.tpaextensions\.confirmationTimeLimit$/,
    'a day later',
    ['reading'],
  ],
  'BOOKING_ROWS: time limit for tickets': [/^ticketing\.ticketTimeLimit$/, 'a day later', ['reading']],
  'BOOKING_ROWS: time limit for names': [
    /^fareInfo\.ruleInfo\.tpaextensions\.updateTravellersTimeLimit$/,
    'a day later',
    ['reading'],
  ],
  'BOOKING_ROWS: time limit for cancelling': [
    /^fareInfo\.ruleInfo\.tpaextensions\.cancellationTimeLimit$/,
    'a day later',
    ['reading'],
  ],
  flightDifferences: [/^flightSegment\.departureDateTime$/, 'two hours later'],
  ridesMissing: [/^airTraveler\.flightSegmentRPHs\.flightSegmentRPH$/, 'gone'],
  partyDifferences: [/^airTraveler$/, 'gone', ['reading']],
  servicesMissing: [/^service\.status$/, 'cancelled', ['reading']],
  unconfirmedService: [/^service\.status$/, 'cancelled', ['reading']],
  otherOrder: [/^order\.totalAmount$/, 'more', ['reading']],
  termDifferences: [/^total\.totalFare\.amount$/, 'more', ['search']],
  personDifferences: [/^airTraveler\.document\.docID$/, 'another'],
  peopleDifferences: [/^airTraveler\.document\.docID$/, 'another'],
  passengerDifferences: [/^airTraveler\.document\.docID$/, 'another'],
  typeDifference: [/^airTraveler\.passengerTypeCode$/, 'another', ['reading']],
  missingPeople: [/^airTraveler$/, 'gone'],
  lapDifference: [/^airTraveler\.comment\.value$/, 'another'],
  heldDifferences: [/^flightSegment\.departureDateTime$/, 'two hours later'],
  checkDifferences: [/^flightSegment\.departureDateTime$/, 'two hours later'],
  'FLIGHT_ROWS: start, of readings': [/^flightSegment\.departureAirport\.locationCode$/, 'another', ['asked']],
  'FLIGHT_ROWS: destination, of readings': [/^flightSegment\.arrivalAirport\.locationCode$/, 'another', ['asked']],
  'FLIGHT_ROWS: departure, of readings': [/^flightSegment\.departureDateTime$/, 'two hours later', ['asked']],
  'FLIGHT_ROWS: arrival, of readings': [/^flightSegment\.arrivalDateTime$/, 'two hours later', ['asked']],
  'FLIGHT_ROWS: number, of readings': [/^flightSegment\.flightNumber$/, 'another', ['asked']],
  'FLIGHT_ROWS: operating number, of readings': [
    /^flightSegment\.operatingAirline\.flightNumber$/,
    'another',
    ['asked'],
  ],
  // No paid booking of the sandbox has one of its own: of a hold, the same row compares it with the offer.
  'FLIGHT_ROWS: marketing number, of readings': [
    /^flightSegment\.marketingAirline\.flightNumber$/,
    'another',
    ['reading'],
  ],
  'FLIGHT_ROWS: operating carrier, of readings': [/^flightSegment\.operatingAirline\.code$/, 'another', ['asked']],
  'FLIGHT_ROWS: marketing carrier, of readings': [/^flightSegment\.marketingAirline\.code$/, 'another', ['asked']],
  'FLIGHT_ROWS: class, of readings': [/^flightSegment\.resBookDesigCode$/, 'another', ['asked']],
  'FLIGHT_ROWS: fare, of readings': [/^flightSegment\.(fareBasisCode|tpaextensions\.fareBasis)$/, 'another', ['asked']],
  'FLIGHT_ROWS: name of the fare, of readings': [
    /^(flightSegment|fareInfo)\.tpaextensions\.priceGroup$/,
    'another',
    ['asked'],
  ],
  'FLIGHT_ROWS: stops, of readings': [/^flightSegment\.stopQuantity$/, 'more', ['asked']],
  'BOOKING_ROWS: text of the refund rule': [/^flightSegment\.tpaextensions\.fareRule\.value$/, 'another', ['reading']],
  'BOOKING_ROWS: total, of readings': [/^total\.totalFare\.currencyCode$/, 'another', ['asked']],
  'BOOKING_ROWS: baggage, of readings': [/^total\.fareBaggageAllowance$/, 'another', ['contact']],
  'BOOKING_ROWS: refund rule, of readings': [/^voluntaryRefunds\.rules\.applyUntilTime$/, 'a day later', ['asked']],
  'BOOKING_ROWS: text of the refund rule, of readings': [
    /^flightSegment\.tpaextensions\.fareRule\.value$/,
    'another',
    ['asked'],
  ],
  'BOOKING_ROWS: change rule, of readings': [/^voluntaryChanges\.rules\.applyUntilTime$/, 'a day later', ['asked']],
  'BOOKING_ROWS: time limit for payment, of readings': [
    /^fareInfo\.ruleInfo\.tpaextensions\.confirmationTimeLimit$/,
    'a day later',
    ['reading'],
  ],
  'BOOKING_ROWS: time limit for names, of readings': [
    /^fareInfo\.ruleInfo\.tpaextensions\.updateTravellersTimeLimit$/,
    'a day later',
    ['reading'],
  ],
  'BOOKING_ROWS: time limit for cancelling, of readings': [
    /^fareInfo\.ruleInfo\.tpaextensions\.cancellationTimeLimit$/,
    'a day later',
    ['asked'],
  ],
  diffFlight: [/^flightSegment\.departureDateTime$/, 'two hours later'],
  findDifferences: [/^flightSegment\.departureDateTime$/, 'two hours later', ['asked']],
  segmentChanges: [/^flightSegment\.departureDateTime$/, 'two hours later', ['asked']],
  compareSegment: [/^flightSegment\.departureDateTime$/, 'two hours later', ['asked']],
  compareRunning: [/^flightSegment\.departureDateTime$/, 'two hours later', ['asked']],
  withDeadlines: [/^fareInfo\.ruleInfo\.tpaextensions\.cancellationTimeLimit$/, 'a day later', ['asked']],
  movedDeadlines: [/^fareInfo\.ruleInfo\.tpaextensions\.cancellationTimeLimit$/, 'a day later', ['asked']],
  couponsClosed: [/^couponInfos\.status$/, 'unknown', ['asked']],
  flownEarly: [/^couponInfos\.status$/, 'flown', ['asked']],
  seatsChanged: [/^couponProviderDetails\.seat$/, 'another', ['asked']],
  ticketsOfOthers: [/^ticketing\.travelerRefNumber$/, 'exchanged', ['asked']],
  ticketsGone: [/^ticketing$/, 'gone', ['asked']],
  ticketsTwice: [/^ticketing$/, 'added', ['asked']],
  newPayments: [/^offer\.priced$/, 'added', ['asked']],
  strayTicketChanges: [/^ticketing\.travelerRefNumber$/, 'nobody', ['asked']],
  bookingChanges: [/^airTraveler$/, 'twice', ['asked']],
  priceChange: [/^total\.totalFare\.currencyCode$/, 'another', ['asked']],
  paymentChange: [/^order\.status$/, 'another', ['asked']],
  otherPassengerCount: [/^airTraveler$/, 'twice', ['asked']],
  peopleChanges: [/^airTraveler\.document\.docID$/, 'another', ['asked']],
  passengerChanges: [/^airTraveler\.document\.docID$/, 'another', ['asked']],
  detailChanges: [/^airTraveler\.document\.docID$/, 'another', ['asked']],
  changedPromises: [/^voluntaryRefunds\.rules\.applyUntilTime$/, 'a day later', ['asked']],
  promiseChanges: [/^voluntaryRefunds\.rules\.applyUntilTime$/, 'a day later', ['asked']],
  limitChanges: [/^fareInfo\.ruleInfo\.tpaextensions\.cancellationTimeLimit$/, 'a day later', ['asked']],
  baggageChanges: [/^total\.fareBaggageAllowance$/, 'another', ['contact']],
  keptPromiseChanges: [/^total\.fareBaggageAllowance$/, 'another', ['rebook']],
  keptRuleChange: [/^voluntaryRefunds\.rules\.applyUntilTime$/, 'a day later', ['rebook']],
  otherLimit: [/^fareInfo\.ruleInfo\.tpaextensions\.cancellationTimeLimit$/, 'two hours later', ['rebook']],
  otherTotal: [/^total\.totalFare\.amount$/, 'more', ['rebook']],
  ruleChange: [/^voluntaryRefunds\.rules\.applyUntilTime$/, 'a day later', ['asked']],
  ruleChanges: [/^voluntaryRefunds\.rules\.applyUntilTime$/, 'a day later', ['asked']],
  refundChanges: [/^order\.direction$/, 'another', ['pay']],
  couponChanges: [/^ticketing\.travelerRefNumber$/, 'another', ['asked']],
  ofSegment: [/^airTraveler\.flightSegmentRPHs\.flightSegmentRPH$/, 'gone', ['asked']],
  rideChanges: [/^airTraveler\.flightSegmentRPHs\.flightSegmentRPH$/, 'gone', ['asked']],
};

/** The lies that the part is needed for, and in which acts; undefined: none is named. */
export function needsPart({ name }: Part): { isOf(lie: Lie): boolean; readonly acts: readonly ActName[] } | undefined {
  const named = LIES[name];
  if (named === undefined) return undefined;
  const [field, wanted, acts = RESULTS] = named;
  return { acts, isOf: ({ path, kind }) => field.test(shortPath(path)) && wanted === kind };
}
