import { describe, expect, test } from 'vitest';
import { linesOf } from '../../src/approvals/terms.ts';
import type { Booking } from '../../src/domain/booking/booking.ts';
import { splitBooking } from '../../src/tools/split-booking.ts';
import { held, NOW, ticketed } from '../support/bookings.ts';
import { traveler } from '../support/people.ts';
import { carryOut, openDesk, operationOf, parsed, refusedWith } from './support/tool-context.ts';

const FAMILY = [
  traveler('1', 'Amal', 'Haddad'),
  traveler('2', 'Noor', 'Haddad'),
  traveler('3', 'Huda', 'Haddad', { type: 'CHD' }),
  traveler('4', 'Omar', 'Haddad', { type: 'INF', attendantRef: '2' }),
];

const family = (over: Partial<Booking> = {}) => ticketed({ travelers: FAMILY, ...over });
const preview = (booking: Booking, refs: string[], now = NOW) =>
  splitBooking.preview(
    parsed(splitBooking, { locator: 'ABC123', passenger_refs: refs }),
    openDesk({ bookings: [booking], now }).ctx,
  );

describe('split_booking', () => {
  test('shows who moves, who stays and the flights in the terms', async () => {
    const terms = await preview(family(), ['2', '4']);
    expect(linesOf(terms.sections)).toEqual([
      'Move 2 passengers of booking ABC123 to a new booking, on all its trains. This cannot be undone.',
      'Passenger 2: “Noor Haddad”, adult',
      'Passenger 4: “Omar Haddad”, infant',
      'Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3), class Y, fare YOW',
      'Train HHR202: JED → MED, Sat 5 Dec 18:00-20:10 (UTC+3), class Y, fare YOW',
      'Stays on ABC123: Passenger 1: “Amal Haddad”, adult; Passenger 3: “Huda Haddad”, child',
      'The airline names no price for it.',
      'The airline does not document this request: it is sent as such airlines are known to take it, and judged by the booking afterwards.',
    ]);
    expect(terms).toMatchObject({
      act: 'Move 2 passengers from ABC123 to a new booking',
      ask: true,
      subject: { kind: 'split_booking', moved: [expect.any(String), expect.any(String)] },
      send: { modification: { kind: 'split_booking', travelers: [{ ref: '2' }, { ref: '4' }] } },
    });
  });

  test('warns in the terms if one booking would have no adult', async () => {
    const terms = await preview(family(), ['3']);
    expect(linesOf(terms.sections)).toContain(
      'One of the two bookings would have no adult: the airline may refuse this.',
    );
    expect(terms.act).toBe('Move 1 passenger from ABC123 to a new booking');
  });

  test('refuses to separate a lap infant from its adult', async () => {
    const adult = await refusedWith(preview(family(), ['2']), 'E_NOT_PERMITTED');
    expect(adult.message).toContain('infant 4 on the lap');
    const infant = await refusedWith(preview(family(), ['4']), 'E_NOT_PERMITTED');
    expect(infant).toMatchObject({
      message: 'Infant 4 travels on the lap of passenger 2, who would stay. Nothing was sent.',
      next: 'Call split_booking with passenger 2 as well, if that is wanted.',
    });
  });

  test('refuses to move everybody or an unknown passenger, or to split a closed booking', async () => {
    await refusedWith(preview(family(), ['1', '2', '3', '4']), 'E_NOT_PERMITTED');
    expect((await refusedWith(preview(family(), ['9']), 'E_INPUT')).message).toContain('1 (ADT), 2 (ADT), 3 (CHD)');
    await refusedWith(preview(family({ cancelled: true }), ['1']), 'E_NOT_PERMITTED');
    const late = Date.parse('2026-11-29T06:00:00Z');
    await refusedWith(preview(held({ travelers: FAMILY }), ['1'], late), 'E_TOO_LATE');
    expect((await preview(held({ travelers: FAMILY }), ['1'])).ask).toBe(true);
  });

  test('reports the new booking and its passengers', async () => {
    const fresh = ticketed({
      locator: 'NEW456',
      references: [{ id: 'NEW456', segmentRefs: [] }],
      travelers: FAMILY.slice(2, 3),
    });
    const desk = openDesk({ bookings: [family()], airline: { modify: async () => fresh } });
    const terms = await preview(family(), ['3']);
    const operation = operationOf('split_booking', terms, { outcome: { basis: 'reply', newLocator: 'NEW456' } });
    const given = { locator: 'ABC123', passenger_refs: ['3', '3'] };
    const { output, report, text } = await carryOut(splitBooking, given, desk, { operation });
    expect(output).toEqual({
      new_locator: 'NEW456',
      moved_passenger_refs: ['3'],
      assumption: 'It rests on an assumed request: let the person check the booking.',
    });
    expect(report.changed).toEqual(['passengers 3 of ABC123 moved here']);
    expect(text.split('\n').slice(0, 2)).toEqual([
      'Moved from booking ABC123 to NEW456: “Huda Haddad”.',
      '  NEW456: Passenger 3: “Huda Haddad”, child',
    ]);
    const args = parsed(splitBooking, given);
    const later = splitBooking.report({ args, operation, booking: family() }, desk.ctx);
    expect(later.changed).toEqual(['passengers 3 moved to NEW456']);
    expect(splitBooking.text(later.added as never, { args, operation, booking: family() })).not.toContain(
      'NEW456: Passenger',
    );
    const blind = splitBooking.report({ args, operation: operationOf('split_booking', terms) }, desk.ctx);
    expect(blind).toMatchObject({ changed: ['passengers 3 moved to a new booking'] });
    expect(blind.added).not.toHaveProperty('new_locator');
  });
});
