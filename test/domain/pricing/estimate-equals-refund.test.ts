/**
 * The estimate is the refund: for thousands of random bookings, what we read and compute is what the published arithmetic
 * says (docs/wire/notes.md, money and rules). The reference below is written from those notes and uses none of our code.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateRefund } from '../../../src/domain/pricing/estimate-refund.ts';
import { readingOf as decoded } from '../../ota/support/wire.ts';
import type { Money } from '../../support/bookings.ts';
import { AT, goingOf, type RefundCase, readingOf, refundCase } from './refund-cases.ts';

/**
 * Minor units. They differ only where a penalty is above what was paid for its own segment and passengers: no published
 * message says whether the rest pays for it.
 */
interface Refund {
  readonly least: number;
  readonly most: number;
}

/** Undefined where no rule is in force for somebody. */
function reference(given: RefundCase): Refund | undefined {
  const { segments, people } = goingOf(given);
  let together = 0;
  let apart = 0;
  for (const { rules, fares } of segments) {
    for (const type of new Set(people.map((person) => person.type))) {
      const passengers = people.filter((person) => person.type === type).length;
      const now = rules[type].filter(({ from, until }) => from <= 0 && 0 < until);
      if (now.length !== 1 || now[0] === undefined) return undefined;
      const [{ refundable, base, tax }] = [now[0]];
      if (!refundable) continue;
      const left = (fares[type] - base - tax) * passengers;
      together += left;
      apart += Math.max(0, left);
    }
  }
  return { least: Math.max(0, together), most: apart };
}

function estimated(given: RefundCase) {
  const booking = decoded(readingOf(given));
  const { segments, people } = goingOf(given);
  const options = booking.options.filter(({ ref }) => segments.some((segment) => segment.ref === ref));
  const travelers = booking.travelers.filter(({ ref }) => people.some((person) => person.ref === ref));
  return estimateRefund(booking, { options, travelers }, AT);
}

test('estimates the refund of the published arithmetic for 4,000 random bookings', () => {
  const seen = { exact: 0, bounded: 0, unruled: 0, part: 0 };
  fc.assert(
    fc.property(refundCase, (given) => {
      const { amount, bounds } = estimated(given);
      const expected = reference(given);
      const money = (minor: number): Money => ({ minor, currency: given.currency });
      const isAll = 'segmentRefs' in given.cut && given.cut.segmentRefs.length === given.segments.length;
      if (!isAll) seen.part += 1;
      if (expected === undefined) {
        seen.unruled += 1;
        return;
      }
      if (expected.least === expected.most) {
        seen.exact += 1;
        expect({ amount, bounds }).toEqual({ amount: money(expected.least), bounds: undefined });
      } else {
        seen.bounded += 1;
        expect(amount).toBeUndefined();
        expect(bounds).toEqual({ atLeast: money(expected.least), atMost: money(expected.most) });
      }
    }),
    { numRuns: 4_000 },
  );
  expect(seen.exact).toBeGreaterThan(800);
  expect(seen.part).toBeGreaterThan(800);
  expect(seen.bounded).toBeGreaterThan(40);
}, 120_000);

test('estimates no amount if a passenger has no rule in force', () => {
  fc.assert(
    fc.property(refundCase, (given) => {
      fc.pre(reference(given) === undefined);
      const { amount, bounds } = estimated(given);
      // Zero is known all the same where nothing was paid for what could come back.
      if (amount !== undefined) expect(amount.minor).toBe(0);
      else expect(bounds?.atLeast.minor).toBe(0);
    }),
    { numRuns: 1_000 },
  );
}, 60_000);
