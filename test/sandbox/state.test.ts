import { execFile } from 'node:child_process';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { holdNewFile } from '../support/hold-new-file.ts';
import {
  adults,
  basisOf,
  good,
  type Json,
  NOW,
  openTravelAgent,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  type TravelAgent,
  ticketsOf,
} from './point-of-sale.ts';

const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'airline.sqlite');

const left = async (agent: TravelAgent, of: Json): Promise<number> => {
  const number = segmentsOf(of)[0].flightNumber;
  const found = (await agent.itineraries([TRAIN], { classes: ['C'] })).find(
    (it) => segmentsOf(it)[0].flightNumber === number,
  );
  const classes: Json[] = found === undefined ? [] : segmentsOf(found)[0].bookingClassAvails[0].bookingClassAvail;
  return Number(classes.find((it) => it.resBookDesigCode === 'C')?.resBookDesigQuantity ?? 0);
};

describe('the state', () => {
  it('keeps bookings, seats, tokens and the ledger over a restart', async () => {
    const stateFile = newFile();
    const first = await openTravelAgent({ stateFile });
    const [trip] = await first.itineraries([TRAIN], { classes: ['C'] });
    const locator = await first.sell(trip, adults(2));
    const [reservation, seats, headers] = [await first.read(locator), await left(first, trip), first.headers()];
    await first.close();
    const second = await openTravelAgent({ stateFile });
    const again = await second.read(locator);
    const withoutOrigin = (it: Json): string => JSON.stringify(it).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
    expect(withoutOrigin(again)).toBe(withoutOrigin(reservation));
    expect(await left(second, trip)).toBe(seats);
    expect(second.sandbox.ledger().map((it) => it.event)).toEqual(['created', 'paid']);
    expect((await fetch(`${second.sandbox.url}/schedule/routes?sales_channel=OTA`, { headers })).status).toBe(200);
    // A reservation read before the restart is still the last read, though download addresses have another port now.
    const chosen = { travelerInfo: { airTraveler: [reservation.travelerInfo.airTraveler[1]] } };
    expect((await second.modify(reservation, { modificationType: '2', ...chosen })).status).toBe(200);
    await second.close();
  });

  it('writes a state file that only its owner may read', async () => {
    const stateFile = newFile();
    const agent = await openTravelAgent({ stateFile });
    await agent.itineraries([TRAIN]);
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(stateFile + suffix).mode & 0o777).toBe(0o600);
    await agent.close();
  });

  it('refuses a state file of another network or seed', async () => {
    const stateFile = newFile();
    await (await startSandbox({ stateFile, seed: 5 })).close();
    await (await startSandbox({ stateFile })).close();
    await expect(startSandbox({ stateFile, seed: 6 })).rejects.toThrow('seed 5');
    await expect(startSandbox({ stateFile, dialect: 'airline' })).rejects.toThrow('another network');
    await (await startSandbox({ stateFile, seed: 5 })).close();
  });

  it('refuses meaningless options at the start', async () => {
    await expect(startSandbox({ nowIso: 'soon' })).rejects.toThrow('not a time');
  });
});

describe('the clock', () => {
  it('sets and moves its clock, and keeps the offset over a restart', async () => {
    const stateFile = newFile();
    let system = 1_000_000;
    const now = () => system;
    const first = await startSandbox({ stateFile, now, nowIso: '2027-03-01T00:00:00Z' });
    expect(new Date(first.now()).toISOString()).toBe('2027-03-01T00:00:00.000Z');
    system += 5000;
    first.advance(3_600_000);
    expect(new Date(first.now()).toISOString()).toBe('2027-03-01T01:00:05.000Z');
    await first.close();
    system += 1000;
    const second = await startSandbox({ stateFile, now });
    expect(new Date(second.now()).toISOString()).toBe('2027-03-01T01:00:06.000Z');
    await second.close();
  });

  it('shares one clock between all processes on a state', async () => {
    const stateFile = newFile();
    const [a, b] = [await openTravelAgent({ stateFile }), await openTravelAgent({ stateFile })];
    a.sandbox.advance(60_000);
    expect(b.sandbox.now()).toBe(Date.parse(NOW) + 60_000);
    await a.close();
    await b.close();
  });
});

describe('the same seed', () => {
  it('gives identical replies for the same seed and the same calls', async () => {
    const run = async (seed: number): Promise<string> => {
      const agent = await openTravelAgent({ seed });
      const trip = await agent.trip([TRAIN, TRAIN_BACK], 'CSAVE');
      const locator = await agent.sell(trip, adults(2));
      const reservation = await agent.read(locator);
      await agent.close();
      return JSON.stringify([trip, reservation]).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
    };
    const [a, b, c] = [await run(7), await run(7), await run(8)];
    expect(a).toBe(b);
    expect(a).not.toBe(c);
  });
});

describe('several sandboxes on one state', () => {
  it('never oversells the last seats when several sandboxes share a state', async () => {
    const stateFile = newFile();
    const agents = [await openTravelAgent({ stateFile }), await openTravelAgent({ stateFile })];
    const [one] = agents as [TravelAgent, TravelAgent];
    const found = (await one.itineraries([TRAIN], { classes: ['C'] })).filter((it) => basisOf(it) === 'CSAVE');
    const seats = await Promise.all(found.map((it) => left(one, it)));
    const trip = found[seats.indexOf(Math.min(...seats))];
    const free = Math.min(...seats);
    expect(free).toBeGreaterThan(0);
    const calls = Array.from({ length: free + 8 }, (_, i) =>
      (agents[i % 2] as TravelAgent).book(trip, [passenger('1')]),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter((it) => it.status === 200).length).toBe(free);
    expect(answers.filter((it) => it.status !== 200).every((it) => it.body.code === '499')).toBe(true);
    expect(await left(one, trip)).toBe(0);
    for (const agent of agents) await agent.close();
  });

  it('accepts one payment when several sandboxes pay the same booking', async () => {
    const stateFile = newFile();
    const [a, b] = [await openTravelAgent({ stateFile }), await openTravelAgent({ stateFile })];
    const locator = await a.hold((await a.itineraries([TRAIN]))[0], [passenger('1')]);
    const answers = await Promise.all([a.pay(locator), b.pay(locator), a.pay(locator), b.pay(locator)]);
    expect(answers.map((it) => it.status).sort()).toEqual([200, 409, 409, 409]);
    expect(a.sandbox.ledger().filter((it) => it.event === 'paid').length).toBe(1);
    expect(ticketsOf(good(await b.readReply(locator)).airReservation).length).toBe(1);
    await a.close();
    await b.close();
  });

  it('lets several processes start at the same moment on a new state file', async () => {
    const stateFile = newFile();
    const start = new URL('../../src/sandbox/start.ts', import.meta.url).href;
    const code = `const { startSandbox } = await import(${JSON.stringify(start)});
      const sandbox = await startSandbox({ stateFile: ${JSON.stringify(stateFile)} });
      await sandbox.close(); process.stdout.write('good');`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
    const outputs = await Promise.all([run(), run(), run(), run()]);
    expect(outputs.map((it) => it.stdout)).toEqual(['good', 'good', 'good', 'good']);
  });

  it('waits for another process that is writing the new state file', async () => {
    const stateFile = newFile();
    await holdNewFile(stateFile, 700);
    const sandbox = await startSandbox({ stateFile });
    await sandbox.close();
  });
});
