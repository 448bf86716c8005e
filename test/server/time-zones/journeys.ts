/**
 * Journeys whose clocks are hard: midnight, changes of clocks, half-hour zones, the date line. Worked out by hand.
 */
export interface Journey {
  readonly name: string;
  /** As an airline prints them: local time with its offset. */
  readonly departs: string;
  readonly arrives: string;
  /** Of the first day of travel, as it is at the station. */
  readonly localDate: string;
  /** The same instants in UTC. */
  readonly utc: readonly [departs: string, arrives: string];
  readonly minutes: number;
  /** As it is written for people: local, with the days of arrival that are later or earlier. */
  readonly shown: string;
}

export const JOURNEYS: readonly Journey[] = [
  {
    name: 'within a day and a zone',
    departs: '2026-12-01T08:00:00.000+03:00',
    arrives: '2026-12-01T10:10:00.000+03:00',
    localDate: '2026-12-01',
    utc: ['2026-12-01T05:00:00.000Z', '2026-12-01T07:10:00.000Z'],
    minutes: 130,
    shown: '2026-12-01 08:00-10:10',
  },
  {
    name: 'into a zone behind',
    departs: '2026-12-01T10:50:00.000+04:00',
    arrives: '2026-12-01T13:10:00.000+03:00',
    localDate: '2026-12-01',
    utc: ['2026-12-01T06:50:00.000Z', '2026-12-01T10:10:00.000Z'],
    minutes: 200,
    shown: '2026-12-01 10:50-13:10',
  },
  {
    name: 'over midnight, on another day already by UTC',
    departs: '2026-12-02T00:30:00.000+03:00',
    arrives: '2026-12-02T02:45:00.000+03:00',
    localDate: '2026-12-02',
    utc: ['2026-12-01T21:30:00.000Z', '2026-12-01T23:45:00.000Z'],
    minutes: 135,
    shown: '2026-12-02 00:30-02:45',
  },
  {
    name: 'late in the west: the next day by UTC',
    departs: '2026-12-01T22:00:00.000-08:00',
    arrives: '2026-12-02T06:20:00.000-05:00',
    localDate: '2026-12-01',
    utc: ['2026-12-02T06:00:00.000Z', '2026-12-02T11:20:00.000Z'],
    minutes: 320,
    shown: '2026-12-01 22:00-06:20+1',
  },
  {
    name: 'over the year',
    departs: '2026-12-31T23:50:00.000+01:00',
    arrives: '2027-01-01T01:05:00.000+01:00',
    localDate: '2026-12-31',
    utc: ['2026-12-31T22:50:00.000Z', '2027-01-01T00:05:00.000Z'],
    minutes: 75,
    shown: '2026-12-31 23:50-01:05+1',
  },
  {
    name: 'through the hour that is left out in spring',
    departs: '2027-03-28T01:30:00.000+01:00',
    arrives: '2027-03-28T03:45:00.000+02:00',
    localDate: '2027-03-28',
    utc: ['2027-03-28T00:30:00.000Z', '2027-03-28T01:45:00.000Z'],
    minutes: 75,
    shown: '2027-03-28 01:30-03:45',
  },
  {
    name: 'through the hour that comes twice in autumn: it arrives before it left, by the clock',
    departs: '2027-10-31T02:30:00.000+02:00',
    arrives: '2027-10-31T02:15:00.000+01:00',
    localDate: '2027-10-31',
    utc: ['2027-10-31T00:30:00.000Z', '2027-10-31T01:15:00.000Z'],
    minutes: 45,
    shown: '2027-10-31 02:30-02:15',
  },
  {
    name: 'zones of three quarters and of half an hour',
    departs: '2026-12-01T09:15:00.000+05:45',
    arrives: '2026-12-01T10:40:00.000+05:30',
    localDate: '2026-12-01',
    utc: ['2026-12-01T03:30:00.000Z', '2026-12-01T05:10:00.000Z'],
    minutes: 100,
    shown: '2026-12-01 09:15-10:40',
  },
  {
    name: 'west over the date line: two days later',
    departs: '2026-12-01T23:00:00.000-10:00',
    arrives: '2026-12-03T06:45:00.000+13:00',
    localDate: '2026-12-01',
    utc: ['2026-12-02T09:00:00.000Z', '2026-12-02T17:45:00.000Z'],
    minutes: 525,
    shown: '2026-12-01 23:00-06:45+2',
  },
  {
    name: 'east over the date line: the day before',
    departs: '2026-12-02T01:00:00.000+13:00',
    arrives: '2026-12-01T11:00:00.000-10:00',
    localDate: '2026-12-02',
    utc: ['2026-12-01T12:00:00.000Z', '2026-12-01T21:00:00.000Z'],
    minutes: 540,
    shown: '2026-12-02 01:00-11:00-1',
  },
  {
    name: 'on a day that is only in leap years',
    departs: '2028-02-28T23:30:00.000+03:00',
    arrives: '2028-02-29T00:40:00.000+03:00',
    localDate: '2028-02-28',
    utc: ['2028-02-28T20:30:00.000Z', '2028-02-28T21:40:00.000Z'],
    minutes: 70,
    shown: '2028-02-28 23:30-00:40+1',
  },
];
