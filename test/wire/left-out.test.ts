/**
 * Every documented field of a reply reaches the domain, or is left out on purpose. The fixtures are full replies
 * written by hand; each of their leaves is changed in turn, and the decoded value must change with it exactly when the
 * leaf is not on the list.
 */
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { bookReply } from '../../src/ota/messages/book.ts';
import { calendarReply } from '../../src/ota/messages/calendar.ts';
import { cancelReply } from '../../src/ota/messages/cancel.ts';
import { fareSearchReply } from '../../src/ota/messages/fare-search.ts';
import { LEFT_OUT } from '../../src/ota/messages/left-out.ts';
import { readReply } from '../../src/ota/messages/read.ts';
import { routesReply } from '../../src/ota/messages/routes.ts';
import { seatMapReply } from '../../src/ota/messages/seat-map.ts';
import { ticketReply } from '../../src/ota/messages/ticket.ts';
import { fixture } from './fixture.ts';
import { isObject, put } from './rewrite.ts';

const FULL: [string, z.ZodType][] = [
  ['book-reply', bookReply],
  ['read-reply', readReply],
  ['fare-search-reply', fareSearchReply],
  ['availability-reply', fareSearchReply],
  ['ticket-reply', ticketReply],
  ['cancel-reply', cancelReply],
  ['seat-map-reply', seatMapReply],
  ['routes-reply', routesReply],
  ['calendar-reply', calendarReply],
];

type Path = (string | number)[];

/** Paths of the leaves: scalars, and empty lists and objects. */
function leaves(value: unknown, path: Path = []): Path[] {
  const items = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return items.length === 0 ? [path] : items.flatMap(([key, item]) => leaves(item, [...path, key]));
}

function at(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], tree);
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return /^\d+\.\d\d$/.test(value) ? '999.99' : value === 'SAR' ? 'EUR' : `9${value}`;
  if (Array.isArray(value)) return ['9'];
  return { value: '9' };
}

/** Structures that stand in several places and are read by one reader: their fields are one field. */
const SHARED: [RegExp, string][] = [
  [/^.*\.(flightSegment|flightSegmentInfo)\./, 'flightSegment.'],
  [/^.*\.(priceInfo|airItineraryPricingInfo)\./, 'pricing.'],
  [/^pricing\.(itinTotalFare|ptcfareBreakdowns\.ptcfareBreakdown\.passengerFare)\b/, 'pricing.fare'],
  [/^(airReservation\.)?bookingReferenceID\b/, 'bookingReferenceID'],
];

function nameOf(path: Path): string {
  const name = path.filter((key) => typeof key === 'string').join('.');
  return SHARED.reduce((short, [long, part]) => short.replace(long, part), name);
}

function leftOut(name: string): string | undefined {
  return Object.keys(LEFT_OUT).find((field) => `.${name}.`.includes(`.${field}.`) && coversEnd(name, field));
}

/** The field is the end of the path, or a branch above it; a field of one word stands at the root. */
function coversEnd(name: string, field: string): boolean {
  return field.includes('.') || name === field || name.startsWith(`${field}.`);
}

function meaning(codec: z.ZodType, wire: unknown): string {
  try {
    const value = codec.parse(wire);
    return JSON.stringify(isObject(value) ? { ...value, source: undefined } : value);
  } catch {
    return 'refused';
  }
}

/** Fields of the fixture, and whether changing any of their leaves changes what the reply means. */
function reach(name: string, codec: z.ZodType, reached: Map<string, boolean>): void {
  const wire = fixture(name);
  const before = meaning(codec, wire);
  for (const path of leaves(wire)) {
    const field = nameOf(path);
    if (reached.get(field) === true) continue;
    reached.set(field, meaning(codec, put(wire, path, changed(at(wire, path)))) !== before);
  }
}

describe('documented fields', () => {
  const reached = new Map<string, boolean>();
  for (const [name, codec] of FULL) reach(name, codec, reached);
  const names = [...reached.keys()];
  // A list that is empty here and filled elsewhere is told by its members.
  const told = (field: string) => names.some((other) => other.startsWith(`${field}.`));
  const fields = names.filter((field) => !told(field)).map((field) => ({ field, did: reached.get(field) === true }));

  test('are many', () => expect(fields.length).toBeGreaterThan(200));

  test('reach the domain unless they are left out', () => {
    const lost = fields.filter(({ field, did }) => !did && leftOut(field) === undefined);
    expect(lost).toEqual([]);
  });

  test('that are left out do not reach it', () => {
    const leaked = fields.filter(({ field, did }) => did && leftOut(field) !== undefined);
    expect(leaked).toEqual([]);
  });

  test('that are left out are all in the full replies, each with a reason', () => {
    const seen = new Set(fields.map(({ field }) => leftOut(field)));
    expect(Object.keys(LEFT_OUT).filter((field) => !seen.has(field))).toEqual([]);
    for (const reason of Object.values(LEFT_OUT)) expect(reason.length).toBeGreaterThan(15);
  });
});
