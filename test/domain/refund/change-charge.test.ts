/** What a change of flight may cost, as a person is asked: the rules in force with tax, and the new price less the old one. */
import { describe, expect, test } from 'vitest';
import {
  type Booking,
  fare,
  NOW,
  OUT,
  type PenaltyRule,
  price,
  row,
  rule,
  sar,
  segment,
  ticketed,
} from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';
import { callsOf, offer, shelved } from '../../tools/support/desk.ts';

const rebook = callsOf('rebook_segment', { locator: 'ABC123', segment_ref: '1', offer_id: 'o000001' });
const [AMAL, NOOR] = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')];
const OMAR = traveler('3', 'Omar', 'Haddad', { type: 'CHD', birthDate: '2018-04-12' });
const LATER = segment('7', { departs: '2026-12-02T12:00:00.000+03:00', arrives: '2026-12-02T14:10:00.000+03:00' });

/** Two adults and a child at 345.00 a leg each, with change rules on both legs. */
function family(changeRules: readonly PenaltyRule[], pricing: object = {}, over: Partial<Booking> = {}): Booking {
  const fares = [fare('1', 'MED', 'JED', { changeRules }), fare('2', 'JED', 'MED', { changeRules })];
  const perType = [row('ADT', 2, sar(138000)), row('CHD', 1, sar(69000))];
  const whole = { total: price(sar(207000)), refunds: [], fares, perType, ...pricing };
  return ticketed({ travelers: [AMAL, NOOR, OMAR], pricing: whole, ...over });
}

/** The rule in words, and what it comes to at most, with a new fare of this price. */
async function charge(booking: Booking, total = sar(150000), perType: ReturnType<typeof row>[] = []) {
  const { pricing } = offer();
  const passengers = { adults: 2, children: 1, infants: 0 };
  const options = [{ ...OUT, segments: [LATER] }];
  const found = offer({ options, pricing: { ...pricing, total: price(total), perType } });
  const airline = { searchFares: async () => ({ form: 'itineraries' as const, offers: [found] }) };
  const { text } = await rebook.ask(
    booking,
    {},
    { offers: [shelved({ passengers, offer: found })], airline, now: NOW },
  );
  const words = /^Change rule: (.*)$/m.exec(text)?.[1];
  const back = /At most (.*?) is given up: the new fare can be cheaper/.exec(text)?.[1];
  return { words, back, atMost: /comes to (.*?) at most/.exec(text)?.[1], text };
}

const FEES = [rule({ base: sar(4000) }), rule({ passengerType: 'CHD', base: sar(2000), vatHundredths: 0 })];
const WORDS = '2 adults × SAR 46.00 = SAR 92.00, tax included; 1 child × SAR 20.00 = SAR 20.00.';
const NONE = 'The airline sent no rule for changing this flight.';

test('is the rules of each type, with the new price less what rows state for the old one', async () => {
  expect(await charge(family(FEES))).toMatchObject({ words: WORDS, atMost: 'SAR 1,612.00' });
  const perType = ['1', '2'].flatMap((ref) => [
    row('ADT', 2, sar(69000), { segmentRefs: [ref] }),
    row('CHD', 1, sar(34500), { segmentRefs: [ref] }),
  ]);
  const rows = (adults: number, child: number) => [row('ADT', 2, sar(adults)), row('CHD', 1, sar(child))];
  const split = family(FEES, { perType });
  expect(await charge(split, sar(150000), rows(100000, 50000))).toMatchObject({ words: WORDS, atMost: 'SAR 577.00' });
  // The difference of a cheaper one may come back, or not, and what is cheaper for the child makes up for nothing.
  const cheaper = await charge(split, sar(100000), rows(66000, 34000));
  expect(cheaper).toMatchObject({ words: WORDS, atMost: 'SAR 112.00', back: 'SAR 35.00' });
  const mixed = await charge(split, sar(100000), rows(79000, 21000));
  expect(mixed).toMatchObject({ words: WORDS, atMost: 'SAR 212.00', back: 'SAR 135.00' });
  // Whose fare is dearer is not known: all of it is counted.
  expect(await charge(split, sar(150000))).toMatchObject({ words: WORDS, atMost: 'SAR 1,612.00', back: undefined });
  const any = [rule({ passengerType: '', base: sar(1000), vatHundredths: 0 })];
  const anyWords = '2 adults × SAR 10.00 = SAR 20.00; 1 child × SAR 10.00 = SAR 10.00.';
  expect(await charge(family(any), sar(1))).toMatchObject({ words: anyWords, atMost: 'SAR 30.01' });
});

describe('part by part', () => {
  const line = (kind: 'tax' | 'fee', code: string, minor: number) => ({ kind, code, amount: sar(minor) });
  /** A fare with one tax and one fee. */
  const parts = (base: number, tax: number, fee: number, over: object = {}) =>
    price(sar(base + tax + fee), {
      ...{ base: sar(base), taxes: sar(tax), fees: sar(fee) },
      lines: [line('tax', 'VAT', tax), line('fee', 'SVC', fee)],
      ...over,
    });
  const rule46 = [rule({ base: sar(4000) })];
  /** One adult out and back, who paid this for the way out. */
  const single = (paid: ReturnType<typeof price>, over: Partial<Booking> = {}) =>
    family(
      rule46,
      {
        total: price(sar(paid.total.minor + 1000)),
        perType: [
          row('ADT', 1, paid.total, { price: paid, segmentRefs: ['1'] }),
          row('ADT', 1, sar(1000), { segmentRefs: ['2'] }),
        ],
      },
      { travelers: [AMAL], orders: [], ...over },
    );
  const atMost = async (booking: Booking, fresh: ReturnType<typeof price>) => {
    const { pricing } = offer();
    const found = offer({
      options: [{ ...OUT, segments: [LATER] }],
      pricing: { ...pricing, total: fresh, perType: [] },
    });
    const airline = { searchFares: async () => ({ form: 'itineraries' as const, offers: [found] }) };
    const shelf = [shelved({ passengers: { adults: 1, children: 0, infants: 0 }, offer: found })];
    const { text } = await rebook.ask(booking, {}, { offers: shelf, airline, now: NOW });
    return /comes to SAR (.*?) at most/.exec(text)?.[1];
  };
  const PAID = parts(20000, 3000, 3000);

  test('a fee of the old flight is never set off, so that an airline that keeps it charges no more than approved', async () => {
    // 46.00, and 30.00 for the fee of the new flight at the same fare; and no more than the dearer fare and tax.
    expect(await atMost(single(PAID), PAID)).toBe('76.00');
    expect(await atMost(single(PAID), parts(28000, 4200, 3000))).toBe('168.00');
    expect(await atMost(single(PAID), parts(20000, 3000, 0))).toBe('46.00');
  });

  test('a lower fare makes up for no higher tax, nor one tax for another', async () => {
    expect(await atMost(single(PAID), parts(10000, 5000, 0))).toBe('66.00');
    const other = parts(20000, 3000, 0, { lines: [line('tax', 'YQ', 3000), line('fee', 'SVC', 0)] });
    expect(await atMost(single(PAID), other)).toBe('76.00');
  });

  test('the whole price counts where the parts of the old or of the new one do not add up', async () => {
    const [vat] = PAID.lines;
    const odd: ReturnType<typeof price>[] = [
      { ...PAID, base: sar(1) },
      { ...PAID, lines: vat ? [{ ...vat, amount: sar(1) }] : [] },
      { ...PAID, base: sar(29000), fees: sar(-6000) },
    ];
    for (const price of odd) {
      expect(await atMost(single(price), PAID)).toBe('306.00');
      expect(await atMost(single(PAID), price)).toBe('306.00');
    }
  });

  test('the price of the whole booking counts where it is one flight, and has no row of its own', async () => {
    const one = single(PAID, { options: [OUT] });
    const whole = { ...one, pricing: { refunds: [], fares: one.pricing?.fares ?? [], perType: [], total: PAID } };
    expect(await atMost(whole, PAID)).toBe('76.00');
    expect(await atMost({ ...whole, pricing: { ...whole.pricing, perType: [row('ADT', 1, PAID.total)] } }, PAID)).toBe(
      '76.00',
    );
  });

  test('a row for more people than are left counts by their share, rounded down', async () => {
    const two = parts(20001, 3001, 3000);
    const left = single(two, { orders: [{ direction: 'REFUND', status: 'PAID', amount: sar(1) }] });
    const perType = (left.pricing?.perType ?? []).map((each) => ({ ...each, count: 2 }));
    const reduced = { ...left, pricing: left.pricing && { ...left.pricing, perType } };
    const text = await atMost(reduced, parts(10000, 1500, 0));
    expect(text).toBe('46.00');
  });
});

test('has no sum if a change is not permitted, or without a price in the same currency', async () => {
  const barred = (passengerType: string) => rule({ passengerType, refundable: false, base: sar(0) });
  const none = '2 adults: no change permitted; 1 child: no change permitted.';
  expect(await charge(family([barred('')]))).toMatchObject({ words: none, atMost: undefined });
  expect((await charge(family([rule({ base: sar(4000) }), barred('CHD')]))).atMost).toBeUndefined();
  const { pricing } = family(FEES);
  const unpriced = { ...family(FEES), pricing: { refunds: [], perType: [], fares: pricing?.fares ?? [] } };
  expect(await charge(unpriced, { minor: 5, currency: 'EUR' })).toMatchObject({ words: WORDS, atMost: undefined });
});

test('is unknown without exactly one rule in force for each type, and is the airline’s own words if it sent only those', async () => {
  const over = rule({ until: '2026-11-28T00:00:00Z' });
  for (const rules of [[], [over], [rule()], [...FEES, rule({ base: sar(1) })]])
    expect(await charge(family(rules))).toMatchObject({ words: NONE, atMost: undefined });
  expect((await charge(family(FEES, { fares: [] }))).words).toBe(NONE);
  const fareRules = [{ text: 'Change: free until departure' }];
  const [first] = OUT.segments;
  const options = first ? [{ ...OUT, segments: [{ ...first, fareRules }] }] : [];
  expect(await charge(family([], {}, { options }))).toMatchObject({
    words: 'The airline sent the rules of this flight as text only.',
    text: expect.stringContaining('Change: free until departure'),
  });
});
