/** Mishaps of the sandbox from a terminal: in the embedded sandbox, and in one that listens on a port. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MISHAP_KINDS } from '../../src/cli/sandbox/mishap.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { adults, TRAIN, TravelAgent } from '../sandbox/point-of-sale.ts';
import { freshState, screen } from './screen.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function run(env: Readonly<Record<string, string>>, ...argv: readonly string[]) {
  const seen = screen(env);
  const code = await seen.run('sandbox', ...argv);
  return { code, stdout: seen.stdout(), stderr: seen.stderr() };
}

/** A sandbox with one paid booking. */
async function sold(stateFile?: string) {
  const sandbox = await startSandbox({ ...(stateFile !== undefined && { stateFile }), seed: 7 });
  closing.push(() => sandbox.close());
  const agent = await new TravelAgent(sandbox).logIn();
  const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  return { sandbox, agent, locator: await agent.sell(await agent.trip([{ ...TRAIN, date }]), adults(1)) };
}

describe('fareclerk sandbox mishaps', () => {
  it('lists every mishap in a line, with what it strikes', async () => {
    const { code, stdout } = await run({}, 'mishaps');
    expect(code).toBe(0);
    for (const kind of MISHAP_KINDS) expect(stdout).toMatch(new RegExp(`^${kind} `, 'm'));
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const { stdout: json } = await run({}, 'mishaps', '--json');
    expect(JSON.parse(json)[0]).toEqual({ name: 'delay', says: expect.any(String), strikes: 'departure' });
  });
});

describe('fareclerk sandbox mishap', () => {
  it('happens in the embedded sandbox, whose servers share its file', async () => {
    const env = freshState();
    const file = `${env.FARECLERK_STATE_DIR}/sandbox/airline.sqlite`;
    mkdirSync(dirname(file), { recursive: true });
    const { agent, locator } = await sold(file);
    const { code, stdout } = await run(env, 'mishap', 'cancel', locator);
    expect([code, stdout]).toEqual([
      0,
      `Happened in the embedded sandbox: the airline cancels a departure.\nBooking ${locator}.\n`,
    ]);
    expect(JSON.stringify((await agent.read(locator)).airItinerary)).toContain('"status":"31"');
    const { stdout: list } = await run(env, 'mishap', '--list', '--json');
    expect(JSON.parse(list)).toMatchObject([{ mishap: { kind: 'cancel', locator }, touched: [locator] }]);
  });

  it('happens in a sandbox on a port, by a train and its date, with details', async () => {
    const { sandbox, agent, locator } = await sold();
    const [segment] = (await agent.read(locator)).airItinerary.originDestinationOptions.originDestinationOption[0]
      .flightSegment;
    const run$ = [segment.flightNumber, segment.departureDateTime.slice(0, 10)];
    const { code, stdout } = await run({}, 'mishap', 'delay', ...run$, 'minutes=-20', '--url', sandbox.url, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ mishap: { kind: 'delay', minutes: -20 }, touched: [locator] });
    const { stdout: list } = await run({}, 'mishap', '--list', '--url', sandbox.url);
    expect(list).toContain(`${run$.join(' ')}`);
    const { code: refused, stderr } = await run({}, 'mishap', 'price', locator, '--url', sandbox.url);
    expect([refused, stderr]).toEqual([
      2,
      expect.stringContaining(`this cannot happen: booking ${locator} is no unpaid`),
    ]);
  });

  it('says that nothing happened yet', async () => {
    const { stdout } = await run(freshState(), 'mishap', '--list');
    expect(stdout).toBe('No mishaps happened in the embedded sandbox.\n');
  });

  it.each<[string, readonly string[], Record<string, string>, RegExp]>([
    ['an unknown mishap', ['cancle', 'K7PL2M'], {}, /Nearest: cancel\./],
    ['no mishap', [], {}, /expected a mishap/],
    ['no booking', ['cancel'], {}, /or a train and its date/],
    ['a train where a booking is due', ['price', '0101', '2026-12-01'], {}, /expected the locator of a booking\./],
    ['an unknown detail', ['delay', 'K7PL2M', 'hours=2'], {}, /hours: expected minutes/],
    ['no number', ['delay', 'K7PL2M', 'minutes=soon'], {}, /minutes: /],
    ['a fault option', ['delay', 'K7PL2M', '--times', '2'], {}, /--times: goes with sandbox trigger/],
    ['--list with more', ['delay', '--list'], {}, /--list stands alone/],
    ['a sandbox that never ran', ['cancel', 'K7PL2M'], freshState(), /has not run yet/],
  ])('refuses %s', async (_, argv, env, says) => {
    const { code, stderr } = await run(env, 'mishap', ...argv);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  });
});
