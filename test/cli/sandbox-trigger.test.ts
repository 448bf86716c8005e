/** Faults of the sandbox ordered from a terminal: in the embedded sandbox, and in one that listens on a port. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FAULT_NAMES } from '../../src/cli/sandbox/trigger.ts';
import { readLedger } from '../../src/sandbox/ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';
import { CarrierState } from '../../src/sandbox/state.ts';
import { freshState, screen } from './screen.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function run(env: Readonly<Record<string, string>>, ...argv: readonly string[]) {
  const seen = screen(env);
  const code = await seen.run(...argv);
  return { code, stdout: seen.stdout(), stderr: seen.stderr() };
}

async function json(env: Readonly<Record<string, string>>, ...argv: readonly string[]) {
  const { code, stdout } = await run(env, ...argv);
  return { code, result: JSON.parse(stdout) };
}

const day = (after: number): string => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);
const SEARCH = [
  'legs.0.from=QCA',
  'legs.0.to=XMD',
  `legs.0.date=${day(20)}`,
  'passengers.adults=1',
  'booking_classes=C',
];
const PERSON = { type: 'ADT', given_name: 'Layla', surname: 'Haddad', gender: 'Female', birth_date: '1991-04-17' };
const DOCUMENT = { type: 'passport', number: 'P4402917', nationality: 'SA', expires: '2035-08-30' };

async function held(env: Readonly<Record<string, string>>): Promise<string> {
  const { result: found } = await json(env, 'call', 'search_fares', ...SEARCH);
  const { result: made } = await json(
    env,
    'call',
    'create_booking',
    `offer_ids=${found.offers[0].offer_id}`,
    'contact={"given_name": "Layla", "surname": "Haddad", "email": "layla@example.com"}',
    `passengers=${JSON.stringify({ ...PERSON, document: DOCUMENT })}`,
  );
  return made.booking.locator;
}

const pay = (env: Readonly<Record<string, string>>, locator: string) =>
  json(env, 'call', 'pay_booking', `locator=${locator}`, 'payment.type=invoice', '--yes');

describe('fareclerk sandbox faults', () => {
  it('lists every fault in a line, with what the airline does', async () => {
    const { code, stdout } = await run({}, 'sandbox', 'faults');
    expect(code).toBe(0);
    for (const name of FAULT_NAMES)
      expect(stdout).toMatch(new RegExp(`^${name} +(?:acts|does|refuses|disconnects)`, 'm'));
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const { result } = await json({}, 'sandbox', 'faults', '--json');
    expect(result[0]).toEqual({ name: 'lost-answer', says: expect.any(String), for: 'pay_booking' });
  });
});

describe('fareclerk sandbox trigger', () => {
  it('makes the next payment of the embedded sandbox fail, once', async () => {
    const env = freshState();
    const locator = await held(env);
    const { code, stdout } = await run(env, 'sandbox', 'trigger', 'refused-payment');
    expect([code, stdout]).toEqual([
      0,
      'Ordered for the next pay_booking call in the embedded sandbox: the airline refuses: payment rejected.\n',
    ]);
    const { result: ordered } = await json(env, 'sandbox', 'trigger', '--list', '--json');
    expect(ordered).toMatchObject([{ message: 'OTA_AirDemandTicketRQ', kind: 'error-before', times: 1 }]);
    expect(await pay(env, locator)).toMatchObject({ code: 1, result: { error: { effect: 'none' } } });
    expect((await run(env, 'sandbox', 'trigger', '--list')).stdout).toBe(
      'No faults are ordered in the embedded sandbox.\n',
    );
    expect(await pay(env, locator)).toMatchObject({ code: 0, result: { status: 'done' } });
  });

  it('loses the answer to a payment, which is then found by reading and not sent again', async () => {
    const env = freshState();
    const locator = await held(env);
    await run(env, 'sandbox', 'trigger', 'lost-answer');
    expect(await pay(env, locator)).toMatchObject({ code: 0, result: { status: 'pending' } });
    await expect
      .poll(async () => (await json(env, 'journal', 'reconcile')).result, { timeout: 8000 })
      .toMatchObject({ waiting: 0 });
    expect(await pay(env, locator)).toMatchObject({ code: 1, result: { error: { code: 'E_ALREADY_DONE' } } });
    const ledger = new CarrierState(`${env.FARECLERK_STATE_DIR}/sandbox/airline.sqlite`);
    expect(readLedger(ledger).map(({ event }) => event)).toEqual(['created', 'paid']);
    ledger.close();
  });

  async function running(): Promise<Sandbox> {
    const sandbox = await startSandbox();
    closing.push(() => sandbox.close());
    return sandbox;
  }

  it('orders faults of a sandbox on a port, by --url or by the settings that it printed', async () => {
    const { url, settings } = await running();
    const env = { ...freshState(), ...settings };
    expect(
      (await run({}, 'sandbox', 'trigger', 'signed-out', '--for', 'list_routes', '--times', '9', '--url', url)).code,
    ).toBe(0);
    expect((await json(env, 'call', 'list_routes')).code).toBe(1);
    const { stdout } = await run(env, 'sandbox', 'trigger', 'airline-down', '--for', 'any');
    expect(stdout).toContain(`the next any call in the sandbox at ${url}`);
    expect((await json(env, 'sandbox', 'trigger', '--list', '--json')).result.at(-1)).toMatchObject({ message: '*' });
  });

  it('sends nothing but a question to a program that is no sandbox', async () => {
    const methods: (string | undefined)[] = [];
    const server = createServer(({ method }, response) => {
      methods.push(method);
      response.end('{"status": "fine"}');
    }).listen(0, '127.0.0.1');
    closing.push(async () => server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await run({}, 'sandbox', 'trigger', 'lost-answer', '--url', url);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no sandbox of fareclerk answers')]);
    expect(methods).toEqual(['GET']);
  });

  it.each<[string, readonly string[], Record<string, string>, RegExp]>([
    ['an unknown fault', ['lost-anser'], {}, /Nearest: lost-answer\./],
    ['no fault', [], {}, /expected a fault/],
    ['an unknown tool', ['lost-answer', '--for', 'fly'], {}, /--for: expected search_fares/],
    ['another machine', ['lost-answer', '--url', 'https://air.example'], {}, /a sandbox on this machine/],
    ['no calls', ['lost-answer', '--times', '0'], {}, /from 1 to 1000/],
    ['an option of the airline', ['lost-answer', '--seed', '1'], {}, /--seed: does not go with/],
    ['a sandbox that never ran', ['lost-answer'], freshState(), /has not run yet/],
    [
      'a real airline',
      ['lost-answer'],
      {
        FARECLERK_BASE_URL: 'https://air.example/ota',
        FARECLERK_API_KEY: 'k',
        FARECLERK_CREDENTIALS: 'key',
        FARECLERK_AGENT_ID: 'a',
        FARECLERK_AGENCY_ID: 'b',
        FARECLERK_CURRENCY: 'SAR',
      },
      /names a real airline/,
    ],
  ])('refuses %s', async (_, argv, env, words) => {
    const { code, stderr } = await run({ ...freshState(), ...env }, 'sandbox', 'trigger', ...argv);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  it('keeps its options from the sandbox itself', async () => {
    expect((await run({}, 'sandbox', '--times', '2')).stderr).toContain('--times: goes with sandbox trigger');
    expect((await run({}, 'sandbox', 'fault')).stderr).toContain('expected faults, trigger FAULT');
  });
});

describe("the sandbox's control address", () => {
  it('answers programs on this machine, and no page of a browser', async () => {
    const sandbox = await startSandbox();
    closing.push(() => sandbox.close());
    const address = `${sandbox.url}/sandbox/faults`;
    expect(await (await fetch(address)).json()).toEqual({ sandbox: 'fareclerk', ordered: [] });
    const body = JSON.stringify({ message: '*', kind: '5xx-before' });
    const page = await fetch(address, { method: 'POST', body, headers: { origin: 'https://page.example' } });
    expect(page.status).toBe(403);
    for (const wrong of ['', '{}', '{"message": "*", "kind": "meteorite"}']) {
      expect((await fetch(address, { method: 'POST', body: wrong })).status).toBe(400);
    }
    expect(await (await fetch(address)).json()).toMatchObject({ ordered: [] });
  });
});
