import { describe, expect, it } from 'vitest';
import { dayIn, dayStart, isTimeZone, minuteIn, offsetAt } from '../../src/core/zone.ts';

const at = (text: string) => Date.parse(text);
const iso = (instant: number) => new Date(instant).toISOString();

describe('a day in a zone', () => {
  it.each([
    ['2026-11-23T22:30:00Z', 'Asia/Riyadh', '2026-11-24', '2026-11-24T01:30+03:00'],
    ['2026-11-23T22:30:00Z', 'UTC', '2026-11-23', '2026-11-23T22:30+00:00'],
    ['2026-01-01T02:00:00Z', 'America/New_York', '2025-12-31', '2025-12-31T21:00-05:00'],
    ['2026-07-01T18:20:00Z', 'Asia/Kolkata', '2026-07-01', '2026-07-01T23:50+05:30'],
    ['2026-07-01T12:00:00Z', 'Pacific/Marquesas', '2026-07-01', '2026-07-01T02:30-09:30'],
  ])('%s in %s is %s', (instant, zone, day, minute) => {
    expect(dayIn(at(instant), zone)).toBe(day);
    expect(minuteIn(at(instant), zone)).toBe(minute);
  });

  it.each([
    ['2026-11-24', 'Asia/Riyadh', '2026-11-23T21:00:00.000Z'],
    ['2026-03-29', 'Europe/Paris', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Paris', '2026-03-29T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Paris', '2026-10-25T23:00:00.000Z'],
    // Midnight does not exist: the clocks go from 23:59 to 01:00.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    // 00:00 to 00:59 comes twice.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ])('%s in %s begins at %s', (day, zone, start) => {
    expect(iso(dayStart(day, zone))).toBe(start);
  });

  it('has the offset of the calendar to the minute, where the clocks change and after more days than are kept', () => {
    for (const zone of ['Europe/Paris', 'Australia/Lord_Howe', 'America/St_Johns', 'Africa/Casablanca']) {
      const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
      // 2010: St. John's changes its clocks at 00:01. Casablanca changes its own around Ramadan.
      for (let hour = at('2010-01-01T00:00:00Z'); hour < at('2013-01-01T00:00:00Z'); hour += 3_600_000 * 7) {
        for (const instant of [hour, hour + 60_000]) {
          const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value;
          expect([instant, `GMT${minuteIn(instant, zone).slice(-6)}`]).toEqual([
            instant,
            name === 'GMT' ? 'GMT+00:00' : name,
          ]);
        }
      }
    }
    expect(() => minuteIn(Number.NaN, 'UTC')).toThrow(RangeError);
  });

  it.each([
    ['Europe/Paris', '2010-03-28T01:00:00Z', 3_600_000, 7_200_000],
    ['America/St_Johns', '2010-03-14T03:31:00Z', -12_600_000, -9_000_000],
    ['Australia/Lord_Howe', '2010-04-03T15:00:00Z', 39_600_000, 37_800_000],
  ])('changes the clocks of %s at %s', (zone, change, before, after) => {
    expect([offsetAt(at(change) - 1, zone), offsetAt(at(change), zone)]).toEqual([before, after]);
  });

  it('begins where the day before ends, all year and in every zone', () => {
    for (const zone of Intl.supportedValuesOf('timeZone').filter((_, i) => i % 12 === 0)) {
      for (let day = at('2026-01-01T00:00:00Z'); day < at('2027-01-01T00:00:00Z'); day += 86_400_000) {
        const date = iso(day).slice(0, 10);
        const start = dayStart(date, zone);
        expect([zone, dayIn(start, zone), dayIn(start - 1, zone) < date]).toEqual([zone, date, true]);
      }
    }
  });
});

it('knows zones by their IANA names', () => {
  expect(['Asia/Riyadh', 'UTC', 'Europe/Paris', 'Riyadh', ''].map(isTimeZone)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(offsetAt(at('2026-07-01T00:00:00Z'), 'Europe/Paris')).toBe(7_200_000);
});
