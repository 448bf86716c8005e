/**
 * Journeys whose clocks are hard: midnight, changes of clocks, half-hour zones, the date line. Worked out by hand.
 */

/**
 * Departure and arrival by the clock of each station with its offset, and minutes; below, as a search result writes them.
 */
const TABLE = `
over midnight, on another day already by UTC: 2026-12-02T00:30+03:00 2026-12-02T02:45+03:00 135
  Wed 2 Dec 00:30-02:45 (2h15)
late in the west, the next day by UTC: 2026-12-01T22:00-08:00 2026-12-02T06:20-05:00 320
  Tue 1 Dec 22:00 (UTC-8)-06:20 Wed 2 Dec (UTC-5)
through the hour that is left out in spring: 2027-03-28T01:30+01:00 2027-03-28T03:45+02:00 75
  Sun 28 Mar 01:30 (UTC+1)-03:45 (UTC+2)
through the hour that comes twice in autumn: 2027-10-31T02:30+02:00 2027-10-31T02:15+01:00 45
  Sun 31 Oct 02:30 (UTC+2)-02:15 (UTC+1)
zones of three quarters and of half an hour: 2026-12-01T09:15+05:45 2026-12-01T10:40+05:30 100
  Tue 1 Dec 09:15 (UTC+5:45)-10:40 (UTC+5:30)
west over the date line, two days later: 2026-12-01T23:00-10:00 2026-12-03T06:45+13:00 525
  Tue 1 Dec 23:00 (UTC-10)-06:45 Thu 3 Dec (UTC+13)
east over the date line, the day before: 2026-12-02T01:00+13:00 2026-12-01T11:00-10:00 540
  Wed 2 Dec 01:00 (UTC+13)-11:00 Tue 1 Dec (UTC-10)
on a day that is only in leap years: 2028-02-28T23:30+03:00 2028-02-29T00:40+03:00 70
  Mon 28 Feb 23:30-00:40 Tue 29 Feb (1h10)
`;
const ROW = /^(\S.*): (\S+) (\S+) (\d+)\n {2}(.+)$/gm;

export type Journey = (typeof JOURNEYS)[number];

/** With seconds, as the airline sends them. */
const whole = (time = '') => time.replace(/([+-]\d\d:\d\d)$/, ':00.000$1');

export const JOURNEYS = [...TABLE.matchAll(ROW)].map(([, name = '', from, to, minutes, shown = '']) => {
  const [departs, arrives] = [whole(from), whole(to)];
  const utc = [new Date(departs).toISOString(), new Date(arrives).toISOString()] as const;
  // The date is that of the first day of travel, as it is at the station.
  return { name, departs, arrives, localDate: departs.slice(0, 10), utc, minutes: Number(minutes), shown };
});
