/** Who works at the two desks, in which zones and currencies, and the days of the play. */
import { addDays, localDateTime, localInstant } from '../../../src/sandbox/zone.ts';

export const CURRENCIES = ['EUR', 'KWD', 'JPY', 'USD'] as const;
export type Currency = (typeof CURRENCIES)[number];

export const DESKS = {
  hanse: { tenant: 'hanse', zone: 'Europe/Berlin', supervisor: 'lea' },
  hudson: { tenant: 'hudson', zone: 'America/New_York', supervisor: 'noa' },
} as const;
export type DeskName = keyof typeof DESKS;

interface Person {
  readonly id: string;
  readonly desk: DeskName;
  readonly sells: Currency;
  readonly isSupervisor?: true;
}

export type Who = 'ida' | 'jon' | 'kit' | 'lea' | 'jon of hudson' | 'noa';

/** Both desks have a clerk whom they call jon. */
export const PEOPLE: Readonly<Record<Who, Person>> = {
  ida: { id: 'ida', desk: 'hanse', sells: 'EUR' },
  jon: { id: 'jon', desk: 'hanse', sells: 'EUR' },
  kit: { id: 'kit', desk: 'hanse', sells: 'KWD' },
  lea: { id: 'lea', desk: 'hanse', sells: 'JPY', isSupervisor: true },
  'jon of hudson': { id: 'jon', desk: 'hudson', sells: 'USD' },
  noa: { id: 'noa', desk: 'hudson', sells: 'USD', isSupervisor: true },
};

/** A hold may be paid for two days. */
export const HOLD_MS = 48 * 3_600_000;

/** The first day of the play is a Monday: Berlin's clocks change on its first Sunday, those of New York on the second. */
const FIRST_DAY = '2026-10-19';
/** The date of the nth day; days before the first are 0 and less. */
export const dayOn = (n: number): string => addDays(FIRST_DAY, n - 1);

export const START = { day: -24, clock: '16:00' } as const;
export const END = { day: 16, clock: '18:00' } as const;
/** How long after the end closed weeks are asked about. */
export const LATER_DAYS = 45;
export const WEEKS = { first: [dayOn(1), dayOn(7)], second: [dayOn(8), dayOn(14)] } as const;

/** The instant of a clock time. `again`: where the clock shows it twice, the second time. */
export function instantAt(zone: string, date: string, clock: string, again = false): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  const instant = localInstant(zone, date, hours * 60 + minutes);
  const shows = (at: number) => localDateTime(zone, at).startsWith(`${date}T${clock}`);
  const hour = 3_600_000;
  const [first = instant, second] = [instant - hour, instant, instant + hour].filter(shows);
  if (again && second === undefined) throw new Error(`${date} ${clock} comes once in ${zone}`);
  return again ? (second ?? first) : first;
}
