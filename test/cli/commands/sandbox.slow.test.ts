/** The sandbox airline from a terminal: on a port, faults and mishaps on demand, recordings made and played back. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { adults, TRAIN, TravelAgent } from '../../sandbox/point-of-sale.ts';
import { dateIn } from '../../support/people.ts';
import { startSandbox } from '../../support/sandbox/start.ts';
import { call, held, heldIn, payment } from '../desk.ts';
import { freshState, ran, screen } from '../screen.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Env = Readonly<Record<string, string>>;

const sandbox = (env: Env, ...argv: readonly string[]) => ran(env, ['sandbox', ...argv]);
const airlineFile = (env: Env): string => join(env.FARECLERK_STATE_DIR ?? '', 'sandbox', 'airline.sqlite');

async function started(options: Parameters<typeof startSandbox>[0] = {}) {
  const airline = await startSandbox(options);
  closing.push(() => airline.close());
  return airline;
}

describe('fareclerk sandbox', () => {
  /** Runs the command until its settings are printed; `stop` ends it as Ctrl-C does. */
  async function listening(...argv: readonly string[]) {
    const seen = screen({});
    const done = seen.run('sandbox', '--port', '0', ...argv);
    while (!seen.stderr().includes('listens on')) await once(seen.terminal.stderr, 'data');
    const stop = () => {
      process.emit('SIGINT');
      return done;
    };
    return { printed: seen.stdout(), said: seen.stderr(), stop };
  }

  it('prints settings that point a server at it, as JSON or as lines for a shell', async () => {
    const { printed, stop } = await listening('--json', '--seed', '7');
    const there = await call({ ...JSON.parse(printed), ...freshState() }, 'list_routes', { from: 'QCA' });
    expect(there).toMatchObject({ code: 0, result: { environment: 'live' } });
    expect(await stop()).toBe(0);
    const shell = await listening('--dialect', 'airline', '--now', '2027-03-01T08:00:00Z');
    for (const line of shell.printed.trim().split('\n')) expect(line).toMatch(/^export FARECLERK_[A-Z_]+='[^']*'$/);
    expect(await shell.stop()).toBe(0);
  });
});

describe('FARECLERK_RECORD_FILE', () => {
  it('records what commands send, the embedded sandbox airline included, and nothing if it is not set', async () => {
    const env = freshState();
    const file = join(env.FARECLERK_STATE_DIR, 'calls.jsonl');
    expect((await call(env, 'list_routes')).code).toBe(0);
    expect(existsSync(file)).toBe(false);
    for (const from of ['QCA', 'XJA'])
      expect((await call({ ...env, FARECLERK_RECORD_FILE: file }, 'list_routes', { from })).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    const messages = [...text.matchAll(/"message":"(\w+)"/g)].map(([, message]) => message);
    expect(messages).toEqual(['token', 'routes', 'token', 'routes']);
    expect(text).not.toContain('sandbox-');
  });

  it('stops the call before anything is sent if the file cannot be written', async () => {
    const { code, result } = await call({ ...freshState(), FARECLERK_RECORD_FILE: '/dev/null/x' }, 'list_routes');
    expect([code, result.error]).toMatchObject([1, { code: 'E_CONFIG', effect: 'none' }]);
  });
});

describe('fareclerk sandbox trigger', () => {
  it('makes the next booking of the embedded sandbox fail, once', async () => {
    const env = freshState();
    await heldIn(env);
    expect(await sandbox(env, 'trigger', 'sold-out')).toMatchObject({
      code: 0,
      stdout:
        'Ordered for the next create_booking call in the embedded sandbox: the airline refuses: not enough seats.\n',
    });
    const ends: unknown[] = [];
    const heldOnce = () =>
      held(async (tool, args) => {
        const { code, result } = await call(env, tool, args);
        if (tool === 'create_booking') ends.push([code, result.error?.effect]);
        return result;
      });
    await expect(heldOnce()).rejects.toThrow();
    await heldOnce();
    expect(ends).toEqual([
      [1, 'none'],
      [0, undefined],
    ]);
  });

  it('loses the answer to a payment, which is then found by reading and not sent again', async () => {
    const env = freshState();
    const pay = payment(await heldIn(env));
    await sandbox(env, 'trigger', 'lost-answer');
    const paid = () => call(env, 'pay_booking', pay, ['--yes']);
    expect(await paid()).toMatchObject({ code: 0, result: { status: 'pending' } });
    await expect.poll(async () => (await ran(env, ['journal', 'reconcile'])).json()).toMatchObject({ waiting: 0 });
    expect(await paid()).toMatchObject({ code: 1, result: { error: { code: 'E_ALREADY_DONE' } } });
    const ledger = (await started({ stateFile: airlineFile(env) })).ledger();
    expect(ledger.map(({ event }) => event)).toEqual(['created', 'paid']);
  });

  it('orders a fault of a sandbox on a port by its state file, and never of an airline that settings name', async () => {
    const stateFile = join(freshState().FARECLERK_STATE_DIR, 'airline.sqlite');
    mkdirSync(dirname(stateFile), { recursive: true });
    const { settings } = await started({ stateFile });
    const env = { ...freshState(), ...settings };
    const refused = await sandbox(env, 'trigger', 'airline-down');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('give the --state of a sandbox')]);
    expect((await call(env, 'list_routes')).code).toBe(0);
    const order = ['trigger', 'airline-down', '--for', 'any', '--times', '9', '--state', stateFile, '--json'];
    expect((await sandbox(env, ...order)).json()).toMatchObject({ fault: 'airline-down', message: '*', times: 9 });
    expect((await call(env, 'list_routes')).code).toBe(1);
  });
});

describe('fareclerk sandbox mishap', () => {
  /** A sandbox with one paid booking. */
  async function sold(stateFile?: string) {
    const airline = await started({ ...(stateFile !== undefined && { stateFile }), seed: 7 });
    const agent = await new TravelAgent(airline).logIn();
    const trip = await agent.trip([{ ...TRAIN, date: dateIn(Date.now(), 20) }]);
    return { airline, agent, locator: await agent.sell(trip, adults(1)) };
  }

  it('happens in the embedded sandbox, whose servers share its file', async () => {
    const env = freshState();
    mkdirSync(dirname(airlineFile(env)), { recursive: true });
    const { agent, locator } = await sold(airlineFile(env));
    expect(await sandbox(env, 'mishap', 'cancel', locator)).toMatchObject({
      code: 0,
      stdout: `Happened in the embedded sandbox: the airline cancels a departure.\nBookings on it: ${locator}.\n`,
    });
    expect(JSON.stringify((await agent.read(locator)).airItinerary)).toContain('"status":"31"');
  });

  it('happens in a sandbox on a port, by its state file, with details', async () => {
    const stateFile = join(freshState().FARECLERK_STATE_DIR, 'airline.sqlite');
    mkdirSync(dirname(stateFile), { recursive: true });
    const { agent, locator } = await sold(stateFile);
    const [segment] = (await agent.read(locator)).airItinerary.originDestinationOptions.originDestinationOption[0]
      .flightSegment;
    const { flightNumber, departureDateTime } = segment;
    const there = ['--state', stateFile];
    const { code, json } = await sandbox({}, 'mishap', 'delay', locator, '--minutes', '20', ...there, '--json');
    expect([code, json()]).toMatchObject([0, { mishap: { kind: 'delay', minutes: 20 }, touched: [locator] }]);
    const cancelled = await sandbox({}, 'mishap', 'cancel', locator, ...there);
    expect(cancelled.stdout).toBe(
      `Happened in the sandbox of ${stateFile}: the airline cancels a departure.\nBookings on it: ${locator}.\n`,
    );
    const refused = await sandbox({}, 'mishap', 'retime', locator, ...there);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(
        `this cannot happen: departure ${flightNumber} on ${departureDateTime.slice(0, 10)} is cancelled already`,
      ),
    ]);
  });
});
