/**
 * Digests of what was shown: the same facts have the same digest in any notation, and other facts another one.
 */
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { digest, handleHash, keyedDigest, newHandle } from '../../src/approvals/digest.ts';
import { type Terms, termsDigest } from '../../src/approvals/terms.ts';

const KEY = new Uint8Array([1, 2, 3]);
const hmac = (text: string) => createHmac('sha256', KEY).update(text).digest('base64url');

describe('the canonical form', () => {
  test.each<[unknown, string]>([
    [{ b: 1, a: 2, c: 3 }, '{"a":2,"b":1,"c":3}'],
    [{ a: { d: 1, c: [{ f: 1, e: 2 }] } }, '{"a":{"c":[{"e":2,"f":1}],"d":1}}'],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [[1, undefined], '[1,null]'],
    [{ a: null }, '{"a":null}'],
    ['a', '"a"'],
    [null, 'null'],
    [undefined, 'undefined'],
  ])('digests the canonical form of %j', (value, text) => {
    expect(digest(KEY, value)).toBe(hmac(text));
  });

  test('gives the same digest for any order of keys', () => {
    const keys = ['z', 'b', 'B', '10', '9', 'a', 'aa'];
    const one = Object.fromEntries(keys.map((key, i) => [`k${key}`, i]));
    const other = Object.fromEntries(keys.map((key, i) => [`k${key}`, i]).reverse());
    expect(digest(KEY, one)).toBe(digest(KEY, other));
  });
});

test('computes a keyed digest as an HMAC', () => {
  expect(keyedDigest(KEY, 'AMAL')).toBe(hmac('AMAL'));
});

test('creates handles of 160 bits, and hashes them', () => {
  expect(newHandle()).toMatch(/^ap_[\w-]{27}$/);
  expect(newHandle()).not.toBe(newHandle());
  expect(handleHash('ap_x')).toBe(createHash('sha256').update('ap_x').digest('base64url'));
});

describe('terms', () => {
  const amount = { minor: 17_250, currency: 'SAR' };
  const booking = { locator: 'ABC123', travelers: [{ ref: '1' }], source: { raw: 1 } };
  const terms = {
    locator: 'ABC123',
    booking,
    facts: { flights: ['1'] },
    sections: [{ kind: 'act', lines: ['Pay'] }],
    nature: 'payment',
    act: 'Pay SAR 172.50',
    ask: true,
    money: { direction: 'payment', amount },
    estimate: { amount, penalty: amount, rule: 'r' },
    subject: { kind: 'pay', amount, coupons: 1 },
    send: {},
  } as unknown as Terms;
  const bound = termsDigest(KEY, 'pay_booking', terms);

  test.each<[string, object]>([
    ['the locator', { locator: 'ABC124' }],
    ['the booking', { booking: { ...booking, travelers: [] } }],
    ['facts', { facts: { flights: ['2'] } }],
    ['the lines', { sections: [{ kind: 'act', lines: ['Pay it'] }] }],
    ['the act', { act: 'Pay SAR 172.51' }],
    ['the money', { money: { direction: 'payment', amount: { ...amount, minor: 17_251 } } }],
    ['the estimate', { estimate: { amount, penalty: amount, rule: 's' } }],
    ['the subject', { subject: { kind: 'pay', amount, coupons: 2 } }],
  ])('changes the digest of the terms with %s', (_, other) => {
    expect(termsDigest(KEY, 'pay_booking', { ...terms, ...other } as Terms)).not.toBe(bound);
  });

  test('gives another digest of arguments and terms under the key of another state', () => {
    const other = new Uint8Array([1, 2, 4]);
    expect(digest(other, { given_name: 'Amal' })).not.toBe(digest(KEY, { given_name: 'Amal' }));
    expect(termsDigest(other, 'pay_booking', terms)).not.toBe(bound);
  });

  test('includes the tool in the digest of the terms, but not the raw reply', () => {
    expect(termsDigest(KEY, 'cancel_booking', terms)).not.toBe(bound);
    const reread = { ...terms, booking: { ...booking, source: { raw: 2 } } } as unknown as Terms;
    expect(termsDigest(KEY, 'pay_booking', reread)).toBe(bound);
    const { booking: _, ...none } = terms;
    expect(termsDigest(KEY, 'pay_booking', none)).toBe(
      termsDigest(KEY, 'pay_booking', { ...none, booking: {} } as unknown as Terms),
    );
  });
});
