import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadNetwork } from '../../src/sandbox/network/load.ts';
import { type Network, networkSchema } from '../../src/sandbox/network/network.ts';
import { seatsOfCabin, soldElsewhere, takenElsewhere } from '../../src/sandbox/seats.ts';
import { Timetable } from '../../src/sandbox/timetable.ts';
import { sellableFrom, tripsOn } from '../../src/sandbox/trips.ts';
import { addDays, instantOf, isDate, knownZone, localDate, localDateTime } from '../../src/sandbox/zone.ts';

const DATE = '2026-12-10';
let rail: Network;
let airline: Network;

beforeAll(async () => {
  rail = await loadNetwork('rail');
  airline = await loadNetwork('airline');
});

function everyDeparture(timetable: Timetable, date: string) {
  const codes = timetable.network.stations.map((it) => it.code);
  return codes.flatMap((from) => timetable.directFrom(from).flatMap((to) => timetable.departures(from, to, date)));
}

describe('local time', () => {
  it('computes offsets that change with the season or are not whole hours', () => {
    expect(localDateTime('Europe/London', Date.parse('2026-07-01T12:00:00Z'))).toBe('2026-07-01T13:00:00.000+01:00');
    expect(localDateTime('Europe/London', Date.parse('2026-12-01T12:00:00Z'))).toBe('2026-12-01T12:00:00.000+00:00');
    expect(localDateTime('Asia/Kathmandu', Date.parse('2026-12-01T12:00:00Z'))).toBe('2026-12-01T17:45:00.000+05:45');
    expect(localDateTime('America/New_York', Date.parse('2026-12-01T02:00:00Z'))).toBe('2026-11-30T21:00:00.000-05:00');
  });

  it('converts local time to an instant on both sides of a clock change', () => {
    // 29 March 2026, 01:00 UTC: Berlin goes from +01:00 to +02:00.
    expect(new Date(instantOf('Europe/Berlin', '2026-03-29', 90)).toISOString()).toBe('2026-03-29T00:30:00.000Z');
    expect(new Date(instantOf('Europe/Berlin', '2026-03-29', 240)).toISOString()).toBe('2026-03-29T02:00:00.000Z');
    expect(new Date(instantOf('Europe/Berlin', '2026-10-25', 240)).toISOString()).toBe('2026-10-25T03:00:00.000Z');
  });

  it('rejects dates that do not exist', () => {
    expect([isDate('2028-02-29'), isDate('2026-02-29'), isDate('2026-13-01'), isDate('26-01-01')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(localDate('Pacific/Auckland', Date.parse('2026-12-01T12:00:00Z'))).toBe('2026-12-02');
  });
});

describe('the networks that come with it', () => {
  it('ships networks of some forty stations with known time zones', () => {
    const stations = [...rail.stations, ...airline.stations];
    expect(stations.length).toBeGreaterThanOrEqual(40);
    expect(new Set(stations.map((it) => it.code)).size).toBe(stations.length);
    expect(stations.filter((it) => !knownZone(it.zone))).toEqual([]);
  });

  it('schedules several hundred departures a day', () => {
    expect(everyDeparture(new Timetable(rail, 7, DATE), DATE).length).toBeGreaterThan(300);
    expect(everyDeparture(new Timetable(airline, 7, DATE), DATE).length).toBeGreaterThan(200);
  });

  it('schedules trips across midnight, time zones and the date line', () => {
    const timetable = new Timetable(airline, 7, DATE);
    const days = Array.from({ length: 7 }, (_, i) => addDays(DATE, i));
    const back = days.flatMap((date) => timetable.departures('AKL', 'HNL', date));
    expect(back.length).toBeGreaterThan(0);
    for (const flight of back) {
      // It lands on the day it left, hours before the wall time at which it left.
      const [left, landed] = [
        localDateTime(flight.from.zone, flight.departsAt),
        localDateTime(flight.to.zone, flight.arrivesAt),
      ];
      expect(landed.slice(0, 19) < left.slice(0, 19)).toBe(true);
      expect(flight.arrivesAt).toBeGreaterThan(flight.departsAt);
    }
    const late = everyDeparture(timetable, DATE).filter((it) => localDate(it.to.zone, it.arrivesAt) > DATE);
    expect(late.length).toBeGreaterThan(10);
  });

  it('dates a night train by the day on which it stops at the boarding station', () => {
    const timetable = new Timetable(rail, 7, DATE);
    const days = Array.from({ length: 8 }, (_, i) => addDays(DATE, i));
    const boarding = days.flatMap((date) => timetable.departures('XHL', 'XQT', date));
    expect(boarding.length).toBeGreaterThan(3);
    for (const train of boarding) {
      expect(localDate(train.from.zone, train.departsAt)).toBe(addDays(train.serviceDate, 1));
      expect(timetable.lookUp(train.number, 'XHL', 'XQT', train.departsAt)).toEqual(train);
    }
  });

  it('runs no service on some days, and keeps to weekdays', () => {
    const timetable = new Timetable(airline, 7, DATE);
    const dates = Array.from({ length: 60 }, (_, i) => addDays(DATE, i));
    const served = dates.filter((date) => timetable.departures('AKL', 'HNL', date).length > 0);
    expect(served.length).toBeLessThan(40);
    expect(served.every((date) => [2, 4, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()))).toBe(true);
    const daily = dates.filter((date) => timetable.departures('DXB', 'LHR', date).length < 5);
    expect(daily.length).toBeGreaterThan(0);
  });

  it('connects stations without a direct service through a hub, with time to change', () => {
    const timetable = new Timetable(airline, 7, DATE);
    const trips = tripsOn(timetable, 'BOM', 'LIS', DATE).concat(tripsOn(timetable, 'KTM', 'LHR', DATE));
    expect(trips.length).toBeGreaterThan(0);
    for (const [first, second] of trips) {
      const wait = ((second?.departsAt ?? 0) - (first?.arrivesAt ?? 0)) / 60_000;
      expect(first?.to.code).toBe(second?.from.code);
      expect(wait).toBeGreaterThanOrEqual(60);
      expect(wait).toBeLessThanOrEqual(300);
    }
    expect(tripsOn(timetable, 'KTM', 'LHR', DATE, true)).toEqual([]);
    expect(sellableFrom(timetable, 'KTM')).toContain('LHR');
  });
});

describe('chance from the seed', () => {
  it('gives the same airline for the same seed, and another for another seed', () => {
    const draw = (seed: number) => {
      const departures = everyDeparture(new Timetable(rail, seed, DATE), DATE);
      return departures.map((it) => [it.number, soldElsewhere(seed, it, 'Y', 168), soldElsewhere(seed, it, 'C', 54)]);
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it('sells out some departures and leaves seats on most', () => {
    const departures = everyDeparture(new Timetable(airline, 7, DATE), DATE);
    const full = departures.filter((it) => {
      const capacity = seatsOfCabin(it.service.vehicle, 'Y').length;
      return soldElsewhere(7, it, 'Y', capacity) === capacity;
    });
    expect(full.length).toBeGreaterThan(departures.length * 0.05);
    expect(full.length).toBeLessThan(departures.length * 0.25);
  });

  it('occupies as many seats as are sold elsewhere', () => {
    const [departure] = new Timetable(rail, 7, DATE).departures('QCA', 'XMD', DATE);
    if (departure === undefined) throw new Error('no train');
    const { vehicle } = departure.service;
    const sold = soldElsewhere(7, departure, 'Y', seatsOfCabin(vehicle, 'Y').length);
    expect(takenElsewhere(7, departure, vehicle, 'Y').size).toBe(sold);
  });
});

describe('a network file', () => {
  const write = (change: (network: Network) => void): string => {
    const copy = structuredClone(rail);
    change(copy);
    const file = join(mkdtempSync(join(tmpdir(), 'network-')), 'network.json');
    writeFileSync(file, JSON.stringify(copy));
    return file;
  };

  it('loads a network file instead of the default network', async () => {
    const file = write((network) => {
      network.name = 'Another railway';
    });
    expect((await loadNetwork('airline', file)).name).toBe('Another railway');
  });

  it.each<[string, (network: Network) => void]>([
    ['no station', (it) => Object.assign(it.lines[0] ?? {}, { to: 'ZZZ' })],
    ['stands twice', (it) => Object.assign(it.lines[1] ?? {}, { number: it.lines[0]?.number })],
    ['no vehicle', (it) => Object.assign(it.lines[0] ?? {}, { vehicle: 'balloon' })],
    ['time zone', (it) => Object.assign(it.stations[0] ?? {}, { zone: 'Mars/Olympus' })],
    ['untilHours', (it) => it.fares[0]?.refund.push({ untilHours: 5, allowed: true, amount: '1' })],
    ['above zero', (it) => Object.assign(it.price, { step: '0' })],
  ])('is refused where %s', async (words, change) => {
    await expect(loadNetwork('rail', write(change))).rejects.toThrow(words);
  });

  it('describes network files by one strict schema', () => {
    expect(networkSchema.safeParse({ ...rail, surprise: 1 }).success).toBe(false);
  });
});
