/**
 * Digests of what was shown: the same facts have the same digest in any notation, and other facts another one.
 */
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { digest, handleHash, keyedDigest, newHandle } from '../../src/approvals/digest.ts';
import { termsDigest } from '../../src/approvals/terms.ts';
import type { Terms } from './harness.ts';

const KEY = new Uint8Array([1, 2, 3]);
const OTHER = new Uint8Array([1, 2, 4]);
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
    const entries = ['z', 'b', 'B', '10', '9', 'a', 'aa'].map((key, i) => [`k${key}`, i] as const);
    expect(digest(KEY, Object.fromEntries(entries))).toBe(digest(KEY, Object.fromEntries(entries.toReversed())));
  });
});

test('computes a keyed digest as an HMAC, and another one under the key of another state', () => {
  expect(keyedDigest(KEY, 'AMAL')).toBe(hmac('AMAL'));
  expect(digest(OTHER, { given_name: 'Amal' })).not.toBe(digest(KEY, { given_name: 'Amal' }));
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
    ...{ locator: 'ABC123', booking, facts: { flights: ['1'] }, act: 'Pay SAR 172.50', nature: 'payment', ask: true },
    ...{ sections: [{ kind: 'act', lines: ['Pay'] }], money: { direction: 'payment', amount }, send: {} },
    ...{ estimate: { amount, penalty: amount, rule: 'r' }, subject: { kind: 'pay', amount, coupons: 1 } },
  } as unknown as Terms;
  const of = (over: object, tool = 'pay_booking', key = KEY) => termsDigest(key, tool, { ...terms, ...over } as Terms);

  test.each<[string, object]>([
    ['the locator', { locator: 'ABC124' }],
    ['the booking', { booking: { ...booking, travelers: [] } }],
    ['facts', { facts: { flights: ['2'] } }],
    ['the lines', { sections: [{ kind: 'act', lines: ['Pay it'] }] }],
    ['the act', { act: 'Pay SAR 172.51' }],
    ['the money', { money: { direction: 'payment', amount: { ...amount, minor: 17_251 } } }],
    ['the estimate', { estimate: { amount, penalty: amount, rule: 's' } }],
    ['the subject', { subject: { kind: 'pay', amount, coupons: 2 } }],
  ])('have another digest with %s', (_, other) => {
    expect(of(other)).not.toBe(of({}));
  });

  test('have another digest with the tool and the key, but not with the raw reply', () => {
    expect(of({}, 'cancel_booking')).not.toBe(of({}));
    expect(of({}, 'pay_booking', OTHER)).not.toBe(of({}));
    expect(of({ booking: { ...booking, source: { raw: 2 } } })).toBe(of({}));
    expect(of({ booking: undefined })).toBe(of({ booking: {} }));
  });
});
