/**
 * Takes parts out of the comparison with what was asked for, one at a time: each row of its tables, and each function that finds
 * differences. A lie that somebody tells while the part is there must become silent. Else the part is needless, or nobody would miss it.
 */
import { registerHooks } from 'node:module';
import { shortPath } from './irrelevant.ts';
import type { Kind, Lie } from './lies.ts';

/** The modules of the comparison. */
const MODULES = /\/src\/domain\/booking\/asked-[\w-]+\.ts$/;
const TABLE = /^const (\w+_ROWS): readonly \w+\[\] = \[/gm;
const FUNCTION = /^(?:export )?function (\w+)\((?:(?!\n\}).)*?\): readonly HeldDifference\[\] \{/gms;

interface Part {
  readonly name: string;
  /** Takes it out; returns what puts it back. */
  readonly takeOut: () => () => void;
}

const parts: Part[] = [];

const reached = globalThis as unknown as {
  partsOfComparison: {
    table(name: string, rows: { readonly what: string }[]): void;
    function(name: string, takeOut: Part['takeOut']): void;
  };
};

/** Makes the parts reachable, which are so for no module of the product. Call it before the product is loaded. */
export function reachParts(): void {
  reached.partsOfComparison = {
    table(name, rows) {
      for (const row of rows) {
        const takeOut = () => {
          const at = rows.indexOf(row);
          rows.splice(at, 1);
          return () => void rows.splice(at, 0, row);
        };
        parts.push({ name: `${name}: ${row.what}`, takeOut });
      }
    },
    function(name, takeOut) {
      parts.push({ name, takeOut });
    },
  };
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!MODULES.test(url)) return loaded;
      const source = String(loaded.source);
      const tables = [...source.matchAll(TABLE)].map(([, name]) => `partsOfComparison.table('${name}', ${name});`);
      const functions = [...source.matchAll(FUNCTION)].map(
        ([, name]) => `partsOfComparison.function('${name}', () => {
          const whole = ${name};
          ${name} = () => [];
          return () => { ${name} = whole; };
        });`,
      );
      return { ...loaded, source: [source, ...tables, ...functions].join('\n') };
    },
  });
}

/** Parts that nobody misses: no reply has the first, and other parts find what the others find. This list only becomes shorter. */
export const NOT_MISSED: readonly string[] = ['FLIGHT_ROWS: marketing number', 'typeDifference', 'priceDifferences'];

export const allParts = (): readonly Part[] => parts;

/** By part: lies that nobody tells without it. */
const LIES: Readonly<Record<string, readonly [path: RegExp, kind: Kind]>> = {
  'FLIGHT_ROWS: start': [/^flightSegment\.departureAirport\.locationCode$/, 'another'],
  'FLIGHT_ROWS: destination': [/^flightSegment\.arrivalAirport\.locationCode$/, 'another'],
  'FLIGHT_ROWS: departure': [/^flightSegment\.departureDateTime$/, 'two hours later'],
  'FLIGHT_ROWS: arrival': [/^flightSegment\.arrivalDateTime$/, 'two hours later'],
  'FLIGHT_ROWS: number': [/^flightSegment\.flightNumber$/, 'another'],
  'FLIGHT_ROWS: operating number': [/^flightSegment\.operatingAirline\.flightNumber$/, 'another'],
  'FLIGHT_ROWS: operating carrier': [/^flightSegment\.operatingAirline\.code$/, 'another'],
  'FLIGHT_ROWS: marketing carrier': [/^flightSegment\.marketingAirline\.code$/, 'another'],
  'FLIGHT_ROWS: class': [/^flightSegment\.resBookDesigCode$/, 'another'],
  'FLIGHT_ROWS: fare': [/^flightSegment\.(fareBasisCode|tpaextensions\.fareBasis)$/, 'another'],
  'PERSON_ROWS: name': [/^airTraveler\.personName\.surname$/, 'another'],
  'PERSON_ROWS: document number': [/^airTraveler\.document\.docID$/, 'another'],
  'PERSON_ROWS: kind of document': [/^airTraveler\.document\.docType$/, 'another'],
  'PERSON_ROWS: birth date': [/^airTraveler\.document\.birthDate$/, 'a day later'],
  'PERSON_ROWS: expiry of the document': [/^airTraveler\.document\.expireDate$/, 'a day later'],
  'PERSON_ROWS: nationality': [/^airTraveler\.document\.docHolderNationality$/, 'another'],
  'PERSON_ROWS: e-mail': [/^airTraveler\.email\.value$/, 'another'],
  'PERSON_ROWS: telephone': [/^airTraveler\.telephone\.phoneNumber$/, 'another'],
  flightDifferences: [/^flightSegment\.departureDateTime$/, 'two hours later'],
  ridesMissing: [/^airTraveler\.flightSegmentRPHs\.flightSegmentRPH$/, 'gone'],
  partyDifferences: [/^airTraveler$/, 'gone'],
  priceDifferences: [/^order\.totalAmount$/, 'more'],
  personDifferences: [/^airTraveler\.document\.docID$/, 'another'],
  peopleDifferences: [/^airTraveler\.document\.docID$/, 'another'],
  passengerDifferences: [/^airTraveler\.document\.docID$/, 'another'],
  typeDifference: [/^airTraveler\.passengerTypeCode$/, 'another'],
  missingPeople: [/^airTraveler$/, 'gone'],
  heldDifferences: [/^flightSegment\.departureDateTime$/, 'two hours later'],
  flightsUnlike: [/^flightSegment\.departureDateTime$/, 'two hours later'],
};

/** Whether it is a lie that the part is needed for; undefined: no lie is named. */
export function needsPart({ name }: Part): ((lie: Lie) => boolean) | undefined {
  const named = LIES[name];
  return named && (({ path, kind }) => named[0].test(shortPath(path)) && named[1] === kind);
}
