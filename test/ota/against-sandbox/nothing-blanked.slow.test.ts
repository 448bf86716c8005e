/** Of honest replies nothing is blanked: no time, amount, ticket, locator, telephone or text of a rule is taken for a detail of a traveller. */
import { expect, it } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { isIdentifyingService } from '../../../src/domain/booking/special-services.ts';
import { openAirline } from '../../campaigns/support/airline.ts';
import { OPEN } from '../../campaigns/support/stock.ts';
import { contactNamed, dateIn, inLetters, traveler } from '../../support/people.ts';
import { golden, goldenNames } from '../messages/golden.ts';
import { heard } from '../support/asked.ts';
import type { Wire } from '../support/wire.ts';

/** Of the sandbox, in each dialect. */
const REPLIES = 500;
const BLANK = '•••';

/** The same numbers in every run. */
function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** What is shown, but for the services in which documents stand. */
function shown({ reading: _, ...booking }: Booking): string {
  return JSON.stringify({ ...booking, services: booking.services.filter(({ code }) => !isIdentifyingService(code)) });
}

it.each(['rail', 'airline'] as const)('of the sandbox in the %s dialect', { timeout: 120_000 }, async (dialect) => {
  const roll = dice(dialect === 'rail' ? 7 : 11);
  const { airline, sandbox, stock, close } = await openAirline({ dialect }, { everywhere: true });
  const digits = (count: number) => Array.from({ length: count }, () => roll(10)).join('');
  const person = (ref: string, n: number, segmentRefs: readonly string[]) =>
    traveler(ref, 'Amal', `Haddad ${inLetters(n * 10 + Number(ref))}`, {
      segmentRefs,
      birthDate: dateIn(sandbox.now(), -365 * (20 + roll(60)) - roll(365)),
      document: {
        ...{ docType: '2', nationality: 'SA', expires: dateIn(sandbox.now(), 200 + roll(3_000)) },
        number: [`P${digits(7)}`, digits(9), `${digits(4)}${dialect === 'rail' ? 'AB' : 'XY'}`][roll(3)] ?? '',
      },
      phones: [{ countryCode: '966', number: digits(9) }],
    });
  const pairs = (await airline.routes()).flatMap(({ from, to }) => to.map(({ code }) => [from.code, code] as const));
  const texts: string[] = [];
  for (let n = 1; texts.length < REPLIES; n++) {
    const [from, to] = pairs[roll(pairs.length)] ?? ['', ''];
    const leg = { from, to, date: dateIn(sandbox.now(), 5 + roll(70)), daysBefore: 0, daysAfter: 0 };
    const passengers = { adults: 2, children: 0, infants: 0 };
    const search = { legs: [leg], passengers, bookingClasses: [] };
    const { offers } = await airline.searchFares(search).catch(() => ({ offers: [] }));
    for (const offer of offers.slice(0, 12)) {
      const options = offer.options.map((option, i) => ({
        ref: String(i + 1),
        segments: option.segments.map((segment, k) => ({
          ...segment,
          ref: String(i + k + 1),
          optionRef: String(i + 1),
        })),
      }));
      const refs = options.flatMap(({ segments }) => segments.map(({ ref }) => ref));
      const travelers = ['1', '2'].map((ref) => person(ref, n * 20 + texts.length, refs));
      const phones = [{ countryCode: '49', number: digits(10) }];
      try {
        const made = await airline.create(
          { options, contact: contactNamed('Amal', 'Haddad', { phones }), travelers },
          OPEN,
        );
        texts.push(shown(made), shown(await airline.read(made.locator)));
      } catch (error) {
        // The offer is gone; the next one may be there.
        if (!(error instanceof ClerkError)) throw error;
      }
    }
  }
  for (let i = 0; i < 5; i++) texts.push(shown(await airline.read(await stock.ticketed())));
  expect(texts.length).toBeGreaterThanOrEqual(REPLIES);
  expect(texts.filter((text) => text.includes(BLANK))).toEqual([]);
  await close();
});

it('of the published ones', async () => {
  const reservations = goldenNames('replies').flatMap((name) => {
    const reply = golden('replies', name) as Wire;
    const { bookingReferenceID: references = [] } = (reply.airReservation ?? {}) as { bookingReferenceID?: Wire[] };
    return references.slice(0, 1).map(({ id }) => ({ reply, locator: String(id) }));
  });
  expect(reservations.length).toBeGreaterThan(3);
  for (const { reply, locator } of reservations) {
    const booking = await heard((airline) => airline.read(locator), reply);
    expect(shown(booking)).not.toContain(BLANK);
  }
});
