/** Days on which programs go wrong: ends of months and years, leap days, changes of the clock, and others between. */

const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Days between two of the plain dates: no multiple of a week, so that they fall on all weekdays. */
const STRIDE = 23;
const PLAIN = 16;

/** The first instant after `now` at which the parts of the date are as asked. */
function next(now: number, hour: number, minute: number, isIt: (date: Date) => boolean): number {
  const start = new Date(now);
  start.setUTCHours(hour, minute, 0, 0);
  for (let at = start.getTime() + DAY; ; at += DAY) if (isIt(new Date(at))) return at;
}

const isLastOfMonth = (date: Date) => new Date(date.getTime() + DAY).getUTCDate() === 1;
const isSunday = (date: Date) => date.getUTCDay() === 0;
const isMonthDay = (month: number, day: number) => (date: Date) =>
  date.getUTCMonth() === month - 1 && date.getUTCDate() === day;

/** Thirty dates by name, ms epoch. */
export function movedDates(now: number): ReadonlyMap<string, number> {
  const lastOf = (month: number) => (date: Date) => date.getUTCMonth() === month - 1 && isLastOfMonth(date);
  const lastSunday = (month: number) => (date: Date) =>
    isSunday(date) && date.getUTCMonth() === month - 1 && date.getUTCDate() > 24;
  const named: [string, number][] = [
    ['leap-day', next(now, 23, 58, isMonthDay(2, 29))],
    // Trips of the tests begin in two months.
    ['trip-on-leap-day', next(now, 23, 50, (date) => isMonthDay(2, 29)(new Date(date.getTime() + 60 * DAY)))],
    ['before-leap-day', next(now, 9, 0, (date) => isMonthDay(2, 28)(date) && !isLastOfMonth(date))],
    ['last-of-february', next(now, 12, 0, lastOf(2))],
    ['last-of-month', next(now, 20, 30, isLastOfMonth)],
    ['last-of-january', next(now, 6, 0, lastOf(1))],
    ['new-year', next(now, 23, 58, lastOf(12))],
    ['first-of-january', next(now, 0, 3, isMonthDay(1, 1))],
    // Europe changes its clocks at 01:00 UTC.
    ['clocks-forward', next(now, 0, 58, lastSunday(3))],
    ['clocks-back', next(now, 0, 58, lastSunday(10))],
    // The United States do so at 02:00 local time.
    [
      'clocks-forward-west',
      next(now, 6, 58, (date) => isSunday(date) && date.getUTCMonth() === 2 && date.getUTCDate() > 7),
    ],
    ['midnight', next(now, 23, 58, () => true)],
    ['two-years', now + 731 * DAY],
    ['before-today', now - 40 * DAY],
  ];
  const plain = Array.from({ length: PLAIN }, (_, n): [string, number] => {
    const at = now + (n + 1) * STRIDE * DAY + n * 3 * HOUR;
    return [`plus-${(n + 1) * STRIDE}-days`, at];
  });
  return new Map([...named, ...plain]);
}
