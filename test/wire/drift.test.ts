/**
 * The drifts that any reply can show (field-notes.md, tolerate on read), over every full reply: it still means the same.
 */
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { bookReply } from '../../src/ota/messages/book.ts';
import { calendarReply } from '../../src/ota/messages/calendar.ts';
import { cancelReply } from '../../src/ota/messages/cancel.ts';
import { fareSearchReply } from '../../src/ota/messages/fare-search.ts';
import { groupBookReply } from '../../src/ota/messages/group-book.ts';
import { modifyReply } from '../../src/ota/messages/modify.ts';
import { readReply } from '../../src/ota/messages/read.ts';
import { routesReply } from '../../src/ota/messages/routes.ts';
import { seatMapReply } from '../../src/ota/messages/seat-map.ts';
import { ticketReply } from '../../src/ota/messages/ticket.ts';
import { fixture } from './fixture.ts';
import { isObject, renamed, rewrite } from './rewrite.ts';

const REPLIES: [string, z.ZodType][] = [
  ['availability-reply', fareSearchReply],
  ['book-reply', bookReply],
  ['calendar-reply', calendarReply],
  ['cancel-reply', cancelReply],
  ['fare-search-reply', fareSearchReply],
  ['group-book-reply', groupBookReply],
  ['modify-reply', modifyReply],
  ['read-reply', readReply],
  ['routes-reply', routesReply],
  ['seat-map-reply', seatMapReply],
  ['ticket-reply', ticketReply],
];

function decoded(codec: z.ZodType, wire: unknown): unknown {
  const value = codec.parse(wire);
  if (!isObject(value)) return value;
  const { source: _, ...rest } = value;
  return rest;
}

describe.each(REPLIES)('%s means the same with', (name, codec) => {
  const wire = fixture(name);
  const meaning = decoded(codec, wire);
  const same = (other: unknown) => expect(decoded(codec, other)).toEqual(meaning);

  test('tpaExtensions for tpaextensions and back', () => {
    same(renamed(wire, { tpaextensions: 'tpaExtensions', tpaExtensions: 'tpaextensions' }));
  });
  test('TPA_Extensions for tpaextensions', () => same(renamed(wire, { tpaextensions: 'TPA_Extensions' })));
  test('tpaextensions for TPA_Extensions', () => same(renamed(wire, { TPA_Extensions: 'tpaextensions' })));

  test('unknown fields everywhere', () => {
    const noise = { zzz: { a: [1, null] }, _id: 'x', tpa: null };
    same(rewrite(wire, (value) => (isObject(value) ? { ...noise, ...value } : value)));
  });
  test('numbers as text', () => same(rewrite(wire, (value) => (typeof value === 'number' ? String(value) : value))));
  test('booleans as text', () => same(rewrite(wire, (value) => (typeof value === 'boolean' ? String(value) : value))));
  test('an object where an array of one is due', () => {
    same(rewrite(wire, (value, key) => (Array.isArray(value) && value.length === 1 && key !== '' ? value[0] : value)));
  });
  test('empty lists left away or null', () => {
    const isDates = (key: string) => key === 'dates' || key === 'segments';
    const emptied = (value: unknown, key: string) =>
      Array.isArray(value) && value.length === 0 && !isDates(key) ? null : value;
    same(rewrite(wire, emptied));
  });
  test('null beside every item of a list', () => {
    const aligned = new Set(['couponInfos', 'couponProviderDetails', 'segments']);
    same(rewrite(wire, (value, key) => (Array.isArray(value) && !aligned.has(key) ? [...value, null] : value)));
  });
});
