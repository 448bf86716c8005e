import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/addresses/start.ts';
import { holdNewFile } from '../support/hold-new-file.ts';
import {
  adults,
  basisOf,
  type Json,
  leftIn,
  NOW,
  newStateFile,
  openTravelAgent,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  type TravelAgent,
  ticketsOf,
} from './point-of-sale.ts';

const left = async (agent: TravelAgent, of: Json): Promise<number> => {
  const numberOf = (it: Json) => segmentsOf(it)[0].flightNumber;
  const found = await agent.itineraries([TRAIN], { classes: ['C'] });
  const again = found.find((it) => numberOf(it) === numberOf(of));
  return again === undefined ? 0 : leftIn(again, 'C');
};

/** Of two processes with one state. */
async function twoAgents(): Promise<[TravelAgent, TravelAgent]> {
  const stateFile = newStateFile();
  const agents: [TravelAgent, TravelAgent] = [
    await openTravelAgent({ stateFile }),
    await openTravelAgent({ stateFile }),
  ];
  onTestFinished(async () => {
    for (const agent of agents) await agent.close();
  });
  return agents;
}

describe('the state', () => {
  it('refuses a file of another version', async () => {
    const stateFile = newStateFile();
    await (await startSandbox({ stateFile })).close();
    {
      using db = new DatabaseSync(stateFile);
      db.exec('pragma user_version = 4');
    }
    await expect(startSandbox({ stateFile })).rejects.toThrow('another version (4): remove it');
  });

  it('keeps bookings, seats, tokens and the ledger over a restart', async () => {
    const stateFile = newStateFile();
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
    const stateFile = newStateFile();
    const agent = await openTravelAgent({ stateFile });
    await agent.itineraries([TRAIN]);
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(stateFile + suffix).mode & 0o777).toBe(0o600);
    await agent.close();
  });

  it('refuses a state file of another network or seed', async () => {
    const stateFile = newStateFile();
    await (await startSandbox({ stateFile, seed: 5 })).close();
    await (await startSandbox({ stateFile })).close();
    await expect(startSandbox({ stateFile, seed: 6 })).rejects.toThrow('seed 5');
    await expect(startSandbox({ stateFile, dialect: 'airline' })).rejects.toThrow('another network');
    await (await startSandbox({ stateFile, seed: 5 })).close();
  });
});

describe('the clock', () => {
  it('sets and moves its clock, and keeps the offset over a restart', async () => {
    const stateFile = newStateFile();
    let system = 1_000_000;
    const now = () => system;
    const first = await startSandbox({ stateFile, now, nowIso: '2027-03-01T00:00:00Z' });
    expect(new Date(first.now()).toISOString()).toBe('2027-03-01T00:00:00.000Z');
    system += 5000;
    first.advance(3_600_000);
    expect(new Date(first.now()).toISOString()).toBe('2027-03-01T01:00:05.000Z');
    await first.close();
    await expect(startSandbox({ nowIso: 'soon' })).rejects.toThrow('not a time');
    system += 1000;
    const second = await startSandbox({ stateFile, now });
    expect(new Date(second.now()).toISOString()).toBe('2027-03-01T01:00:06.000Z');
    await second.close();
  });

  it('shares one clock between all processes on a state', async () => {
    const [a, b] = await twoAgents();
    a.sandbox.advance(60_000);
    expect(b.sandbox.now()).toBe(Date.parse(NOW) + 60_000);
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
    const [first, other] = await twoAgents();
    const found = (await first.itineraries([TRAIN], { classes: ['C'] })).filter(
      (itinerary) => basisOf(itinerary) === 'CSAVE',
    );
    const seats = await Promise.all(found.map((it) => left(first, it)));
    const trip = found[seats.indexOf(Math.min(...seats))];
    const free = Math.min(...seats);
    expect(free).toBeGreaterThan(0);
    const calls = Array.from({ length: free + 8 }, (_, i) => (i % 2 ? first : other).book(trip, [passenger('1')]));
    const codes = (await Promise.all(calls)).map((it) => it.body.code).sort();
    expect(codes).toEqual([...Array(8).fill('499'), ...Array(free).fill(undefined)]);
    expect(await left(first, trip)).toBe(0);
  });

  it('accepts one payment when several sandboxes pay the same booking', async () => {
    const [a, b] = await twoAgents();
    const locator = await a.hold((await a.itineraries([TRAIN]))[0], [passenger('1')]);
    const answers = await Promise.all([a.pay(locator), b.pay(locator), a.pay(locator), b.pay(locator)]);
    expect(answers.map((it) => it.status).sort()).toEqual([200, 409, 409, 409]);
    expect(a.sandbox.ledger().filter((it) => it.event === 'paid').length).toBe(1);
    expect(ticketsOf(await b.read(locator)).length).toBe(1);
  });

  it('lets several processes start at the same moment on a new state file', async () => {
    const stateFile = newStateFile();
    const start = new URL('../../src/sandbox/addresses/start.ts', import.meta.url).href;
    const code = `const { startSandbox } = await import(${JSON.stringify(start)});
      const sandbox = await startSandbox({ stateFile: ${JSON.stringify(stateFile)} });
      await sandbox.close(); process.stdout.write('good');`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
    for (const { stdout } of await Promise.all([run(), run(), run(), run()])) expect(stdout).toBe('good');
  });

  it('waits for another process that is writing the new state file', async () => {
    const stateFile = newStateFile();
    await holdNewFile(stateFile, 700);
    await (await startSandbox({ stateFile })).close();
  });
});
