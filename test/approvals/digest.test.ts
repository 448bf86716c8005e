/**
 * Digests of what was shown: the same facts have the same digest in any notation, and other facts another one.
 */
import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { digest, keptPeople, personDigest } from '../../src/approvals/digest.ts';
import { utcText } from '../../src/core/times.ts';
import type { Segment } from '../../src/domain/booking/booking.ts';
import { askedPeople } from '../../src/domain/facts/asked-people.ts';
import { saidSum } from '../../src/domain/facts/said.ts';
import { faresOf, held, pricing, reread, rule, sar } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { CallHarness, type Terms } from './harness.ts';

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
});

describe('what is kept of people', () => {
  const OTHER_KEY = new Uint8Array([3, 2, 1]);
  const SENT = { travelers: [traveler('1', 'Amal', 'Haddad')] };
  const [{ birthDate = '', document: { number = '' } = {} } = {}] = SENT.travelers;
  const first = Date.UTC(1920, 0, 1);
  const dates = Array.from({ length: 40_000 }, (_, day) =>
    new Date(first + day * 86_400_000).toISOString().slice(0, 10),
  );
  const keep = () => keptPeople(KEY, (one) => askedPeople(SENT, one));
  /** Birth dates that somebody finds who tries all of them, beside the number or alone. */
  function found(text: string, key: Uint8Array, salt: string, documentNumber?: string): readonly string[] {
    const one = personDigest(key, salt);
    const parts =
      documentNumber === undefined ? ['', '|', 'birthDate|', '|birthDate|'] : [`${documentNumber}|birthDate|`];
    return dates.filter((date) => parts.some((part) => text.includes(one(`${part}${date}`))));
  }

  test('is the same for the same salt, and another for each act', () => {
    const [kept, again] = [keep(), keep()];
    expect(kept.salt).not.toBe(again.salt);
    expect(JSON.stringify(kept.people)).not.toBe(JSON.stringify(again.people));
    expect(askedPeople(SENT, personDigest(KEY, kept.salt))).toEqual(kept.people);
  });

  test('shows no birth date to who lacks the key, the document number or the salt', () => {
    const { salt, people } = keep();
    const text = JSON.stringify({ salt, people });
    for (const value of [birthDate, number, 'Haddad', 'HADDAD']) expect(text).not.toContain(value);
    expect(dates).toContain(birthDate);
    expect(found(text, OTHER_KEY, salt, number)).toEqual([]);
    expect(found(text, KEY, salt)).toEqual([]);
    expect(found(text, KEY, 'another salt', number)).toEqual([]);
    // Who has all three finds it: therefore it is erased.
    expect(found(text, KEY, salt, number)).toEqual([birthDate]);
  });
});

describe('terms', () => {
  const amount = { minor: 17_250, currency: 'SAR' };
  const booking = held({ source: { raw: 1 } });
  const terms = {
    ...{
      locator: 'ABC123',
      booking,
      facts: { flights: ['1'] },
      act: { verb: 'Pay SAR 172.50' },
      nature: 'payment',
      ask: true,
    },
    ...{ sections: [{ kind: 'act', lines: ['Pay'] }], money: { direction: 'payment', amount }, send: {} },
    ...{ estimate: { amount, penalty: amount, rule: 'r' }, subject: { kind: 'pay', amount, coupons: 1 } },
  } as unknown as Terms;
  /** Of what is previewed so; each state has a key of its own. */
  const of = async (over: object, tool = 'pay_booking', desk = it) => {
    desk.terms = { ...terms, ...over } as Terms;
    desk.clock.jump(600_001);
    await desk.call({ canElicit: true }, undefined, { tool });
    return (await desk.state.approvals.waiting(desk.clock.now())).at(-1)?.termsDigest;
  };
  const priced = (fare: Parameters<typeof faresOf>[0]) =>
    reread(booking, { pricing: pricing(69_000, { fares: faresOf(fare) }) });
  const withSegments = (over: Partial<Segment>) => {
    const options = booking.reading.options.map(({ segments, ...option }) => ({
      ...option,
      segments: segments.map((segment) => ({ ...segment, ...over })),
    }));
    return reread(booking, { options });
  };
  let it: CallHarness;
  beforeEach(async () => {
    it = await CallHarness.open();
  });

  test('have another digest with each fact and each part that is said, with the tool and with the key, but not with the raw reply, a second later or where ticket documents lie', async () => {
    const others: object[] = [
      { locator: 'ABC124' },
      { booking: reread(booking, { travelers: [] }) },
      { booking: reread(booking, { services: [{ code: 'VGML', travelerRefs: ['1'], segmentRefs: ['1'] }] }) },
      { booking: priced({ refundRules: [rule({ base: sar(9_900) })] }) },
      { booking: priced({ changeRules: [rule({ base: sar(9_900) })] }) },
      { booking: withSegments({ fareRules: [{ text: 'Nothing comes back.' }] }) },
      { facts: { flights: ['2'] } },
      { sections: [{ kind: 'act', lines: ['Pay it'] }] },
      { act: { verb: 'Pay SAR 172.51' } },
      { money: { direction: 'payment', amount: { ...amount, minor: 17_251 } } },
      { sections: [{ kind: 'refund', lines: ['x'], said: [[saidSum('what comes back', { amount })]] }] },
    ];
    const same = await of({});
    expect(same).toMatch(/^[\w-]{43}$/);
    for (const other of others) expect([other, await of(other)]).not.toEqual([other, same]);
    expect(await of({}, 'cancel_booking')).not.toBe(same);
    expect(await of({}, 'pay_booking', await CallHarness.open())).not.toBe(same);
    expect(await of({ booking: reread(booking, { source: { raw: 2 } }) })).toBe(same);
    const departingLater = (ms: number) => {
      const moved = (one: Segment): Segment => ({ ...one, departs: utcText(Date.parse(one.departs) + ms) });
      const options = booking.reading.options.map((option) => ({ ...option, segments: option.segments.map(moved) }));
      return reread(booking, { options });
    };
    expect(await of({ booking: departingLater(1_000) })).toBe(same);
    expect(await of({ booking: departingLater(60_000) })).not.toBe(same);
    expect(await of({ booking: undefined })).not.toBe(same);
    const ticket = (number: string, href: string) => ({
      booking: reread(booking, {
        tickets: [
          { travelerRefs: [], segmentRefs: [], coupons: [{ number: '1', statusCode: 'O' }], number, links: [{ href }] },
        ],
      }),
    });
    const ticketed = await of(ticket('1', 'https://airline.example/a?expires=1'));
    expect(await of(ticket('1', 'https://airline.example/b?expires=2'))).toBe(ticketed);
    expect(await of(ticket('2', 'https://airline.example/a?expires=1'))).not.toBe(ticketed);
    expect(ticketed).not.toBe(same);
  });
});
