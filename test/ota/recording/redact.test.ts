import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPseudonyms } from '../../../src/ota/recording/pseudonyms.ts';
import { createRedactor, type Redactor } from '../../../src/ota/recording/redact.ts';
import { fixture } from '../messages/fixture.ts';
import { goldenNames } from '../messages/golden.ts';
import { replyFixtures } from '../messages/reply-fixtures.ts';
import type { Booking } from '../support/port.ts';
import { readingOf } from '../support/wire.ts';

const KEY = Buffer.from('a key for tests');
const redactor = (secrets: readonly string[] = [], key = KEY): Redactor =>
  createRedactor({ pseudonyms: createPseudonyms(key), secrets, restUrl: 'https://rest.example/api' });

describe('pseudonyms', () => {
  const { of } = createPseudonyms(KEY);

  it('keeps the shape of a word in its pseudonym: letters, case, digits and punctuation', () => {
    expect(of('name', "Anne-Marie O'Neil")).toMatch(/^[A-Z][a-z]{3}-[A-Z][a-z]{4} [A-Z]'[A-Z][a-z]{3}$/);
    expect(of('locator', 'AB12C3')).toMatch(/^[A-Z]{2}\d{2}[A-Z]\d$/);
    expect(of('ticket', '0655500000001')).toMatch(/^065\d{10}$/);
    expect(of('phone', '+49 30 1234567')).toMatch(/^\+\d\d \d\d \d{7}$/);
    expect(of('email', 'amal.h@airline.example')).toMatch(/^[a-z]{4}\.[a-z]@example\.com$/);
  });

  it('gives the same word the same pseudonym, whatever its case and its context', () => {
    const [given, surname] = [of('name', 'Amal'), of('name', 'Haddad')];
    expect(of('name', 'HADDAD')).toBe(surname.toUpperCase());
    expect(of('text', 'HADDAD/AMAL MRS')).toContain(`${surname.toUpperCase()}/${given.toUpperCase()}`);
    expect(of('name', 'Amal Noor')).toBe(`${given} ${of('name', 'Noor')}`);
    expect(createPseudonyms(KEY).of('name', 'Amal')).toBe(given);
    expect(createPseudonyms(Buffer.from('another')).of('name', 'Amal')).not.toBe(given);
  });

  it('never gives a word itself as its pseudonym', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z]{1,3}$|^[0-9]{1,2}$/),
        (word) => of('name', word).toLowerCase() !== word.toLowerCase(),
      ),
      { numRuns: 2_000 },
    );
  });

  it('keeps birth dates within two years and moves expiry dates later', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1930-01-01'), max: new Date('2025-12-31'), noInvalidDate: true }),
        (date) => {
          const day = date.toISOString().slice(0, 10);
          const birth = of('birth_date', day);
          expect(birth).not.toBe(day);
          expect(Math.abs(Number(birth.slice(0, 4)) - Number(day.slice(0, 4)))).toBeLessThanOrEqual(2);
          expect(Number.isNaN(Date.parse(`${birth}T00:00:00Z`))).toBe(false);
          expect(of('expiry_date', day) > day).toBe(true);
        },
      ),
    );
  });
});

describe('what a redacted reply keeps', () => {
  it('keeps the protocol exactly, so that a decoder sees the same booking with other people', () => {
    for (const name of [
      'read-reply',
      'book-reply',
      'modify-reply',
      'ticket-reply',
      'seat-map-reply',
      'fare-search-reply',
    ]) {
      const reply = fixture(name) as object;
      const kept = redactor().tree(reply);
      expect(skeleton(kept), name).toEqual(skeleton(reply));
    }
    const before = readingOf(fixture('read-reply'));
    const after = readingOf(redactor().tree(fixture('read-reply')));
    expect(facts(after)).toEqual(facts(before));
    expect(after.travelers.map(({ name }) => name)).not.toEqual(before.travelers.map(({ name }) => name));
  });

  it('decodes the same segments, statuses and sums from every redacted booking', () => {
    const sums = ({ options, pricing, tickets, travelers }: Booking) => ({
      segments: options.flatMap(({ segments }) =>
        segments.map(({ ref, from, departs, statusCode }) => [ref, from, departs, statusCode]),
      ),
      total: pricing?.total?.total,
      refunds: pricing?.refunds,
      coupons: tickets.map(({ coupons, travelerRefs }) => [
        travelerRefs,
        coupons.map(({ statusCode }) => statusCode !== undefined),
      ]),
      travelers: travelers.map(({ ref, type, document }) => [ref, type, document === undefined]),
    });
    const replies = replyFixtures(goldenNames('replies')).filter(({ name }) => /^(read|hold|book|modify)/.test(name));
    expect(replies.length).toBeGreaterThan(15);
    for (const { name, wire } of replies) {
      const kept = redactor().tree(wire as object);
      expect(sums(readingOf(kept)), name).toEqual(sums(readingOf(wire)));
    }
  });

  it('keeps a fare and its family, and no other description', () => {
    const fares = {
      tpaextensions: { fareBasis: 'YLSAVE', priceGroup: 'Economy Saver' },
      fares: [{ description: 'Flex' }],
    };
    expect(redactor().tree(fares)).toEqual(fares);
    expect(JSON.stringify(redactor().tree({ item: { description: 'Flex' } }))).not.toContain('Flex');
  });

  it('keeps no text under an unknown field, however it is written', () => {
    const canary = fc.constantFrom('Zwitschervogel', 'QX9044176Z', 'ella@home.example', '5550147723');
    const name = fc
      .stringMatching(/^[A-Za-z]{2,12}$/)
      .map((key) => `zz${key}`)
      .filter((key) => !/ella/i.test(key));
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        canary,
        canary.map((text) => `Dear ${text.toUpperCase()}, welcome`),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(name, tree, { minKeys: 1, maxKeys: 4 }), (wire) => {
        const written = JSON.stringify(redactor().tree(wire)).toLowerCase();
        for (const one of ['zwitschervogel', 'qx9044176z', 'ella', '5550147723']) expect(written).not.toContain(one);
      }),
      { numRuns: 500 },
    );
  });

  it('removes a learned name even from protocol fields and from names of fields', () => {
    const one = redactor();
    one.learn({ personName: { givenName: ['Amal'], surname: 'Haddad' } });
    const kept = one.tree({ status: 'HADDAD', type: 'E_TICKET', Haddad: 1, code: 'OK' }) as Record<string, unknown>;
    expect(kept).toMatchObject({ type: 'E_TICKET', code: 'OK' });
    expect(JSON.stringify(kept).toLowerCase()).not.toContain('haddad');
  });

  it('removes secrets wherever they are', () => {
    const one = redactor(['key-0123456789']);
    one.hide('token-abcdef');
    const kept = one.tree({ detail: 'bad key key-0123456789', a: { status: 'token-abcdef' }, 'key-0123456789': 1 });
    expect(JSON.stringify(kept)).not.toMatch(/key-0123|token-abc/);
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'app', username: 'u', password: 'p' });
    expect(one.parameters(form)).toEqual({
      grant_type: 'password',
      client_id: '[dropped]',
      username: '[dropped]',
      password: '[dropped]',
    });
  });

  it('keeps the form of our own links with a placeholder, and hides the host of others', () => {
    const own =
      'https://rest.example/api/tickets/confirmation/K7M4QX/download/passenger-segment?firstName=Amal&departure=RUH';
    const { href, url } = redactor().tree({ href: own, url: 'https://evil.example/x/Amal' }) as Record<string, string>;
    expect(href).toMatch(
      /^\{rest_url\}\/tickets\/confirmation\/[A-Z]\d[A-Z]\d[A-Z]{2}\/download\/passenger-segment\?firstName=[A-Z][a-z]{3}&departure=RUH$/,
    );
    expect(href).not.toContain('Amal');
    expect(url).toMatch(/^https:\/\/elsewhere\.example\/[a-z]\/[A-Z][a-z]{3}$/);
  });

  it('masks short names in fields of codes, unless the code is the whole value', () => {
    const one = redactor();
    const reply = {
      givenName: ['Li'],
      surname: 'Amr',
      ssrCode: 'LI/AMR MR',
      seatNumber: '12A',
      status: 'LI',
      code: 'SAR',
    };
    one.learn(reply);
    const kept = one.tree(reply) as typeof reply;
    expect(kept.ssrCode).not.toMatch(/\bLI\b|\bAMR\b/);
    expect(kept).toMatchObject({ seatNumber: '12A', status: 'LI', code: 'SAR' });
  });

  it('redacts any JSON value without failing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => JSON.stringify(redactor().tree(value)) !== undefined),
      { numRuns: 300 },
    );
  });
});

/** Names of fields and kinds of values: what a decoder goes by. */
function skeleton(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(skeleton);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, skeleton(item)]));
}

/** The parts of a booking that are not personal. */
function facts(booking: Booking) {
  const { options, pricing, tickets, orders, travelers, createdAt } = booking;
  const fares = pricing?.fares.map(({ refundRules, changeRules, ...fare }) => ({
    ...fare,
    rules: [...refundRules, ...changeRules].map(({ texts: _, ...rule }) => rule),
  }));
  return {
    options,
    createdAt,
    total: pricing?.total && { ...pricing.total, remarks: 0 },
    perType: pricing?.perType.map((one) => ({ ...one, price: one.price && { ...one.price, remarks: 0 } })),
    refunds: pricing?.refunds,
    fares,
    tickets: tickets.map(({ number, links, coupons, ...ticket }) => ({
      ...ticket,
      ticketed: number !== '',
      links: links.length,
      coupons: coupons.map(({ providerTicket: _, ...coupon }) => coupon),
    })),
    orders: orders.map(({ id: _, ...order }) => order),
    travelers: travelers.map(({ ref, type, gender, segmentRefs, attendantRef, document }) => ({
      ...{ ref, type, gender, segmentRefs, attendantRef },
      docType: document?.docType,
    })),
  };
}
