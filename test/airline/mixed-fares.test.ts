/**
 * One trip of two offers: each flight is held in the fare of its own offer (field-notes.md, fares and prices).
 */
import { expect, test } from 'vitest';
import { chosenOffer, fareDifferences } from '../../src/domain/fare-codes.ts';
import type { Offer } from '../../src/domain/offer.ts';
import { joined, openWindow } from './window.ts';

const PARTY = { adults: 2, children: 1, infants: 0 };

const isIn =
  (fare: string) =>
  ({ options }: Offer): boolean =>
    options.every(({ segments }) => segments.every(({ fareBasis }) => fareBasis === fare));

test.each([
  ['rail', 'QCA', 'XMD', 'YFLEX', 'CSAVE'],
  ['airline', 'DXB', 'RUH', 'YLSAVE', 'CFLEX'],
] as const)('in the %s dialect a trip there and back is held in two fares', async (dialect, from, to, out, home) => {
  const window = await openWindow(dialect);
  try {
    const there = (await window.offers({ from, to, day: 20 }, PARTY)).find(isIn(out));
    const back = (await window.offers({ from: to, to: from, day: 25 }, PARTY)).find(isIn(home));
    const options = joined([there, back].flatMap((offer) => offer ?? []));
    const held = await window.hold(options, PARTY);
    const segments = window.record(held.locator).options.flatMap((option) => option.segments);
    expect(segments.map(({ basis }) => basis)).toEqual([out, home]);
    expect(fareDifferences(chosenOffer(options, undefined), held)).toEqual([]);
    const read = await window.airline.read(held.locator);
    expect(fareDifferences(chosenOffer(options, undefined), read)).toEqual([]);
    const prices = [there, back].map((offer) => offer?.pricing.total?.total.minor ?? 0);
    expect(held.pricing?.total?.total.minor).toBe((prices[0] ?? 0) + (prices[1] ?? 0));
  } finally {
    await window.close();
  }
});
