/**
 * Another fare for the same people on the same trains is not a repeat, and not a second booking either: nothing is sent,
 * and the caller reads what is held and how to go on.
 */

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Result } from '../../../src/approvals/answer.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { dayFrom } from './bookings.ts';
import { accept, codeOf, type Desk, failures, openDesk } from './desk.ts';

interface Offer {
  readonly offer_id: string;
  readonly total: string;
  readonly legs: readonly {
    readonly departs: string;
    readonly fare?: { readonly code: string };
    readonly segments: readonly { readonly flight: string; readonly class: string }[];
  }[];
}

let desk: Desk;

beforeEach(async () => {
  desk = await openDesk({ approval: 'elicit', answerMs: 30_000 });
});

afterEach(async () => {
  await desk.close();
  expect(failures).toEqual([]);
});

/** Offers of one train and class in different fares, the cheapest first. */
async function twoFares(): Promise<readonly [Offer, Offer]> {
  for (const route of await desk.parts.airline.routes()) {
    for (const to of route.to) {
      const legs = [{ from: route.from.code, to: to.code, date: dayFrom(desk, 20) }];
      const found = await desk.result('search_fares', { legs, passengers: { adults: 1 }, max_results: 50 });
      const offers = (found.structured.offers ?? []) as Offer[];
      const key = ({ legs: [leg] }: Offer) =>
        `${leg?.departs} ${leg?.segments.map((each) => each.flight + each.class)}`;
      for (const same of Map.groupBy(offers, key).values()) {
        const [cheap, dear] = same;
        if (cheap && dear && cheap.legs[0]?.fare?.code !== dear.legs[0]?.fare?.code) return [cheap, dear];
      }
    }
  }
  throw new Error('no train is sold in two fares');
}

function argsOf({ offer_id }: Offer) {
  return { offer_ids: [offer_id], contact: CONTACT, passengers: [passenger('P7000009', {}, desk.sandbox.now())] };
}

const bookingOf = ({ structured }: Result) => structured.booking as { readonly locator: string };

test('sends nothing for a dearer fare of a held train, and says what is held', async () => {
  const [cheap, dear] = await twoFares();
  const made = await desk.result('create_booking', argsOf(cheap));
  expect(codeOf(made)).toBe('done');
  const { locator } = bookingOf(made);
  const id = made.structured.operation_id as string;

  const repeated = await desk.result('create_booking', argsOf(cheap));
  expect(codeOf(repeated)).toBe('already_done');

  const refused = await desk.result('create_booking', argsOf(dear));
  const { error } = refused.structured as { error: { code: string; effect: string; message: string; next: string } };
  expect(error).toMatchObject({ code: 'E_ALREADY_DONE', effect: 'none' });
  expect(error.message).toContain(`You already hold ${locator} on `);
  expect(error.message).toContain(cheap.legs[0]?.segments[0]?.flight);
  expect(error.message).toContain(cheap.total);
  expect(error.message).toMatch(/\((?:not )?refundable\)/);
  expect(error.next).toContain('cancel_booking');
  expect(error.next).toContain(`again_after: "${id}"`);

  const both = await desk.say('create_booking', { ...argsOf(dear), again_after: id }, accept);
  expect(codeOf(both)).toBe('done');
  expect(bookingOf(both).locator).not.toBe(locator);
  // Repeating the first create finds its own booking.
  const again = await desk.result('create_booking', argsOf(cheap));
  expect([codeOf(again), bookingOf(again).locator]).toEqual(['already_done', locator]);
});

test('holds the other fare once the first booking is released', async () => {
  const [cheap, dear] = await twoFares();
  const { locator } = bookingOf(await desk.result('create_booking', argsOf(cheap)));
  expect(codeOf(await desk.result('create_booking', argsOf(dear)))).toBe('E_ALREADY_DONE');
  expect(codeOf(await desk.say('cancel_booking', { locator }, accept))).toBe('done');
  expect(codeOf(await desk.result('create_booking', argsOf(dear)))).toBe('done');
});
