/**
 * The adapter alone, where no tool stands between it and the airline: fares, titles and limits (docs/wire/notes.md, fares and
 * prices, money and rules, travellers).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Offer, SegmentOption } from '../support/port.ts';
import { shown as view } from '../support/shown.ts';
import { joined, openWindow, type Window } from './window.ts';

const PARTY = { adults: 2, children: 1, infants: 0 };

const isIn =
  (fare: string) =>
  ({ options }: Offer): boolean =>
    options.every(({ segments }) => segments.every(({ fareBasis }) => fareBasis === fare));

const minorOf = (offer: Offer | undefined): number => offer?.pricing.total?.total.minor ?? Number.NaN;

describe.each([
  ['rail', 'QCA', 'XMD', 'YFLEX', 'CSAVE'],
  ['airline', 'DXB', 'RUH', 'YLSAVE', 'CFLEX'],
] as const)('in the %s dialect', (dialect, from, to, out, home) => {
  let window: Window;
  beforeEach(async () => {
    window = await openWindow(dialect);
  });
  afterEach(() => window.close());

  const offerIn = async (leg: Parameters<Window['offers']>[0], fare: string) =>
    (await window.offers(leg, PARTY)).find(isIn(fare));

  async function oneWay(): Promise<readonly SegmentOption[]> {
    return (await offerIn({ from, to, day: 20 }, out))?.options ?? [];
  }

  test('holds a trip of two offers in both fares, each on its own flight', async () => {
    const there = await offerIn({ from, to, day: 20 }, out);
    const back = await offerIn({ from: to, to: from, day: 25 }, home);
    const options = joined([there, back].flatMap((offer) => offer ?? []));
    const held = await window.hold(options, PARTY);
    const segments = window.record(held.locator).options.flatMap((option) => option.segments);
    expect(segments.map(({ basis }) => basis)).toEqual([out, home]);
    const read = await window.airline.read(held.locator);
    for (const shown of [held, read]) {
      expect(shown.options.flatMap(({ segments }) => segments.map(({ fareBasis }) => fareBasis))).toEqual([out, home]);
    }
    expect(held.pricing?.total?.total.minor).toBe(minorOf(there) + minorOf(back));
  });

  test('sends the title as a prefix of the name, where the airline keeps it', async () => {
    const held = await window.hold(await oneWay(), PARTY);
    const names = window.record(held.locator).travelers.map(({ name }) => name?.prefix);
    expect(names).toEqual([['MS'], ['MS'], ['MS']]);
  });

  test('reads from the reply to a group until when it must be paid', async () => {
    const held = await window.holdGroup(await oneWay(), PARTY);
    expect(Date.parse(view(held).deadlines?.pay_by ?? '')).toBe(window.record(held.locator).payBy);
  });
});
