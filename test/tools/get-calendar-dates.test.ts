import { describe, expect, test } from 'vitest';
import type { CalendarDates } from '../../src/domain/booking/routes-and-calendar.ts';
import { getCalendarDates } from '../../src/tools/get-calendar-dates.ts';
import { openDesk, parsed, refusedWith } from './support/tool-context.ts';

const WINDOW = { from: 'med', to: 'jed', start_date: '2026-12-01', end_date: '2026-12-05' };

async function calendar(dates: string[], args: object = {}) {
  const found: CalendarDates = { from: 'MED', to: 'JED', startDate: '', endDate: '', dates };
  const desk = openDesk({ airline: { calendar: async () => found } });
  const given = parsed(getCalendarDates, { ...WINDOW, ...args });
  const output = getCalendarDates.output().parse(await getCalendarDates.run(given, desk.ctx));
  return { desk, output, text: getCalendarDates.text(output, given) };
}

describe('get_calendar_dates', () => {
  test('lists dates in order, once each, within the window, and the gaps between them', async () => {
    const sent = ['2026-12-05', '2026-12-01T00:00:00', '2026-12-02', '2026-12-02', '2027-01-01', 'soon'];
    const { output, text, desk } = await calendar(sent);
    expect(desk.asked[0]?.[1]).toEqual({
      from: 'MED',
      to: 'JED',
      startDate: '2026-12-01',
      endDate: '2026-12-05',
      direct: false,
    });
    expect(output).toEqual({
      from: 'MED',
      to: 'JED',
      start_date: '2026-12-01',
      end_date: '2026-12-05',
      dates: ['2026-12-01', '2026-12-02', '2026-12-05'],
      gaps: ['2026-12-03', '2026-12-04'],
    });
    expect(text).toBe(
      'MED → JED: the calendar lists service on 3 of 5 days, 2026-12-01 to 2026-12-05.\n' +
        'Service: Tue 1 Dec to Wed 2 Dec, Sat 5 Dec.\n' +
        'The calendar lists no service on these days; a search can still find some: Thu 3 Dec to Fri 4 Dec.',
    );
  });

  test('counts past days neither as service days nor as gaps', async () => {
    const { output, text, desk } = await calendar(['2026-11-20', '2026-11-29'], {
      start_date: '2026-11-01',
      end_date: '2026-11-30',
    });
    expect(desk.asked[0]?.[1]).toMatchObject({ startDate: '2026-11-01', endDate: '2026-11-30' });
    expect(output).toMatchObject({
      start_date: '2026-11-28',
      dates: ['2026-11-29'],
      gaps: ['2026-11-28', '2026-11-30'],
    });
    expect(text).toBe(
      'MED → JED: the calendar lists service on 1 of 3 days, 2026-11-28 to 2026-11-30.\n' +
        'Days before 2026-11-28 are past.\n' +
        'Service: Sun 29 Nov.\n' +
        'The calendar lists no service on these days; a search can still find some: Sat 28 Nov, Mon 30 Nov.',
    );
  });

  test('counts one day as “1 day” and names the stations', async () => {
    const { output, desk } = await calendar(['2026-12-01'], { end_date: '2026-12-01' });
    const args = parsed(getCalendarDates, { ...WINDOW, end_date: '2026-12-01' });
    const placeName = (code: string) => ({ MED: 'Madinah', JED: 'Jeddah' })[code];
    const ctx = { ...desk.ctx, airline: { ...desk.ctx.airline, placeName } };
    expect(getCalendarDates.text(output, args, ctx)).toBe(
      'Madinah (MED) → Jeddah (JED): the calendar lists service on 1 day, 2026-12-01 to 2026-12-01.',
    );
  });

  test('returns an empty list if there is no service', async () => {
    expect((await calendar([])).output).toMatchObject({ dates: [], gaps: expect.objectContaining({ length: 5 }) });
  });

  test.each([
    [{ to: 'MED' }, 'to: expected another station'],
    [{ end_date: '2026-11-30' }, 'nearest valid: 2026-12-01'],
    [{ start_date: '2026-10-01', end_date: '2026-10-31' }, 'expected a date not past; nearest valid: 2026-11-29'],
    [{ end_date: '2028-12-01' }, 'at most 366 days'],
  ])('refuses the calendar arguments %o', async (args, told) => {
    expect((await refusedWith(calendar([], args), 'E_INPUT')).message).toContain(told);
  });
});
