/** What read_booking allows: the changes that the airline permits on a segment, and the reason for each that it does not. */
import { describe, expect, test } from 'vitest';
import { BACK, OUT, option, partlyCancelled, permitting, segment, ticketed } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';
import { permissionsOf } from '../../support/permissions.ts';
import { type Booking, type DeskOptions, shown } from '../support/desk.ts';

const at = (time: string) => ({ now: Date.parse(time) });

describe('what the airline permits on a segment', () => {
  const allowed = async (booking: Booking, options?: DeskOptions) =>
    permissionsOf((await shown(booking, { detail: 'full' }, options)).booking);
  const REASONS = {
    change_names: 'a change of names',
    cancel_segment: 'cancelling',
    rebook_segment: 'another flight for',
  };

  test.each<[string, string]>([
    ['nothing about it', 'change_names cancel_segment rebook_segment'],
    ['3 10 20', 'change_names cancel_segment rebook_segment'],
    ['3', 'change_names'],
    ['10', 'cancel_segment'],
    ['30', 'rebook_segment'],
    ['2 5 7 9 40', ''],
  ])('where the airline sends %s, allows %s', async (types, may) => {
    const couple = ticketed({ travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')] });
    const told = await allowed(types.startsWith('nothing') ? couple : permitting(couple, types.split(' ')));
    for (const [act, what] of Object.entries(REASONS)) {
      const why = expect.stringMatching(new RegExp(`^the airline does not permit ${what} (on )?segment 1$`));
      expect(told[act]).toEqual(may.includes(act) ? { ok: true } : { ok: false, why });
    }
    // The list of permitted changes does not cover these.
    for (const act of ['cancel_passenger', 'get_seat_map', 'assign_seats']) expect(told[act]).toEqual({ ok: true });
  });

  test('allows changes per segment, but a change of names only if every segment permits it', async () => {
    const [first = OUT] = permitting(ticketed(), ['3']).options;
    const [, second = BACK] = permitting(ticketed(), ['10', '30']).options;
    expect(await allowed(ticketed({ options: [first, second] }))).toMatchObject({
      change_names: { ok: false, why: 'the airline does not permit a change of names on segment 2' },
      ...{ cancel_segment: { ok: true }, rebook_segment: { ok: true } },
    });
    const live = await allowed(ticketed(), { settings: { assumedOperations: false } });
    expect(live.rebook_segment?.why).toContain('not offered');
  });

  test('refuses what the act refuses: a connection of which one flight cannot be replaced', async () => {
    const permitted = [{ modificationType: '10' }];
    const there = option(
      segment('1', { to: 'RUH' }),
      segment('2', { optionRef: '1', from: 'RUH', to: 'JED', permitted }),
    );
    const back = option(segment('3', { ...BACK.segments[0], ref: '3', optionRef: '3' }));
    const why = 'the airline does not permit another flight for segment 2';
    expect((await allowed(ticketed({ options: [there] }))).rebook_segment).toEqual({ ok: false, why });
    expect((await allowed(ticketed({ options: [there, back] }))).rebook_segment).toEqual({ ok: true });
    const free = option(segment('1', { to: 'RUH' }), segment('2', { optionRef: '1', from: 'RUH', to: 'JED' }));
    expect((await allowed(ticketed({ options: [free] }))).rebook_segment).toEqual({ ok: true });
  });

  const train = (statusCode: string, over: object = {}) =>
    ticketed({ options: [option(segment('1', { statusCode, ...over }))] });
  test.each<[string, Booking, string, boolean, boolean]>([
    ['a partly cancelled booking', partlyCancelled(), '2026-11-29', true, true],
    ['after the time limit for seats', ticketed(), '2026-11-30', false, true],
    ['after one of two departed', ticketed(), '2026-12-02', false, true],
    ['after all have departed', ticketed(), '2026-12-06', false, false],
    ['a schedule change', train('51'), '2026-11-29', true, true],
    ['a train that the airline cancelled and owes', train('UN', { owed: true }), '2026-11-29', false, true],
    ['a no-show', train('83'), '2026-11-29', false, false],
  ])('decides whether seats and trains can be changed: %s', async (_title, booking, day, seats, trains) => {
    const { assign_seats, rebook_segment } = await allowed(booking, at(`${day}T00:00:00Z`));
    expect([assign_seats?.ok, rebook_segment?.ok]).toEqual([seats, trains]);
  });
});
