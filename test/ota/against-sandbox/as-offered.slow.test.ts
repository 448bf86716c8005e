/** What is held is what was asked for: nothing differs with an honest airline, whatever the form of its replies. */
import { afterEach, describe, expect, test } from 'vitest';
import { deviations, FORM_NAMES, OWN } from '../../support/sandbox/deviations.ts';
import { type Counter, DIALECTS, held, heldGroup, offersOf, openCounter, people } from './counter.ts';

let counter: Counter;
afterEach(() => counter.close());

describe.each(DIALECTS)('in the %s dialect', (dialect) => {
  test.each([
    ['as documented', undefined],
    ['every other form of a reply', deviations(...new Set([...FORM_NAMES, ...OWN[dialect]]))],
    ['no pointers in the search', deviations('searchWithoutPointers')],
    ['a hold that lists one segment of two', deviations('holdShowsOneSegment')],
    ['price rows of each traveller', deviations('oldPriceRows')],
    ['no price rows', deviations('withoutPriceRows')],
  ])('says of no honest hold that it is not as offered: %s', async (_title, rewrite) => {
    counter = await openCounter(dialect, rewrite && { sandbox: { rewrite } });
    const [offer] = await offersOf(counter, { legs: 2, adults: 2, children: 1 });
    const named = await held(counter, offer, people(2, 1));
    expect([named.summary, named.not_as_offered]).toEqual([expect.stringMatching(/^Booking/), undefined]);
    const [forGroup] = await offersOf(counter, { legs: 2, adults: 3 });
    const group = await heldGroup(counter, forGroup, 3);
    expect([group.summary, group.not_as_offered]).toEqual([expect.stringMatching(/^Booking/), undefined]);
  });
});
