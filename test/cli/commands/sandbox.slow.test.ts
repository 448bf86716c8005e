/** The sandbox airline from a terminal: on a port, faults and mishaps on demand, recordings made and played back. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/start.ts';
import { adults, TRAIN, TravelAgent } from '../../sandbox/point-of-sale.ts';
import { dateIn } from '../../support/people.ts';
import { call, heldIn, payment } from '../desk.ts';
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

describe.each([
  ['faults', 'trigger', { name: 'lost-answer', says: expect.any(String), for: 'pay_booking' }],
  ['mishaps', 'mishap', { name: 'delay', says: expect.any(String), strikes: 'departure' }],
])('fareclerk sandbox %s', (list, act, first) => {
  it('lists each in a line of at most 80 columns, and says that none is ordered or happened', async () => {
    const { code, stdout } = await sandbox({}, list);
    expect([code, stdout.split('\n').filter((line) => line.length > 80)]).toEqual([0, []]);
    const all = (await sandbox({}, list, '--json')).json();
    expect(all[0]).toEqual(first);
    for (const { name, says } of all) expect(stdout).toMatch(new RegExp(`^${name} +${says.slice(0, 12)}`, 'm'));
    const none = { faults: 'No faults are ordered', mishaps: 'No mishaps happened' }[list];
    expect((await sandbox(freshState(), act, '--list')).stdout).toBe(`${none} in the embedded sandbox.\n`);
  });
});

describe('fareclerk sandbox trigger', () => {
  it('makes the next payment of the embedded sandbox fail, once', async () => {
    const env = freshState();
    const pay = payment(await heldIn(env));
    expect(await sandbox(env, 'trigger', 'refused-payment')).toMatchObject({
      code: 0,
      stdout: 'Ordered for the next pay_booking call in the embedded sandbox: the airline refuses: payment rejected.\n',
    });
    const ordered = (await sandbox(env, 'trigger', '--list', '--json')).json();
    expect(ordered).toMatchObject([{ message: 'OTA_AirDemandTicketRQ', kind: 'error-before', times: 1 }]);
    const paid = () => call(env, 'pay_booking', pay, ['--yes']);
    expect(await paid()).toMatchObject({ code: 1, result: { error: { effect: 'none' } } });
    expect((await sandbox(env, 'trigger', '--list', '--json')).json()).toEqual([]);
    expect(await paid()).toMatchObject({ code: 0, result: { status: 'done' } });
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

  it('orders faults of a sandbox on a port, by --url or by the settings that it printed', async () => {
    const { url, settings } = await started();
    const env = { ...freshState(), ...settings };
    const signedOut = ['trigger', 'signed-out', '--for', 'list_routes', '--times', '9', '--url', url];
    expect((await sandbox({}, ...signedOut)).code).toBe(0);
    expect((await call(env, 'list_routes')).code).toBe(1);
    const { stdout } = await sandbox(env, 'trigger', 'airline-down', '--for', 'any');
    expect(stdout).toContain(`the next any call in the sandbox at ${url}`);
    expect((await sandbox(env, 'trigger', '--list', '--json')).json().at(-1)).toMatchObject({ message: '*' });
  });

  it('sends nothing but a question to a program that is no sandbox', async () => {
    const methods: (string | undefined)[] = [];
    const server = createServer(({ method }, response) => {
      methods.push(method);
      response.end('{"status": "fine"}');
    }).listen(0, '127.0.0.1');
    closing.push(() => server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await sandbox({}, 'trigger', 'lost-answer', '--url', url);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no sandbox of fareclerk answers')]);
    expect(methods).toEqual(['GET']);
  });

  it('is a control address that answers programs on this machine, and no page of a browser', async () => {
    const address = `${(await started()).url}/sandbox/faults`;
    const post = async (body: string, headers = {}) => (await fetch(address, { method: 'POST', body, headers })).status;
    expect(await post('{"message": "*", "kind": "5xx-before"}', { origin: 'https://page.example' })).toBe(403);
    for (const wrong of ['', '{}', '{"message": "*", "kind": "meteorite"}']) expect(await post(wrong)).toBe(400);
    expect(await (await fetch(address)).json()).toEqual({ sandbox: 'fareclerk', ordered: [] });
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
      stdout: `Happened in the embedded sandbox: the airline cancels a departure.\nBooking ${locator}.\n`,
    });
    expect(JSON.stringify((await agent.read(locator)).airItinerary)).toContain('"status":"31"');
    const happened = (await sandbox(env, 'mishap', '--list', '--json')).json();
    expect(happened).toMatchObject([{ mishap: { kind: 'cancel', locator }, touched: [locator] }]);
  });

  it('happens in a sandbox on a port, by a train and its date, with details', async () => {
    const { airline, agent, locator } = await sold();
    const [segment] = (await agent.read(locator)).airItinerary.originDestinationOptions.originDestinationOption[0]
      .flightSegment;
    const train = [segment.flightNumber, segment.departureDateTime.slice(0, 10)];
    const there = ['--url', airline.url];
    const { code, json } = await sandbox({}, 'mishap', 'delay', ...train, 'minutes=-20', ...there, '--json');
    expect([code, json()]).toMatchObject([0, { mishap: { kind: 'delay', minutes: -20 }, touched: [locator] }]);
    expect((await sandbox({}, 'mishap', '--list', ...there)).stdout).toContain(train.join(' '));
    const refused = await sandbox({}, 'mishap', 'price', locator, ...there);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`this cannot happen: booking ${locator} is no unpaid`),
    ]);
  });
});
