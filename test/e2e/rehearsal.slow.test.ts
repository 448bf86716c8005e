/** A rehearsal is for a test double. An address on this machine can be a tunnel to a real airline. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/addresses/start.ts';
import { held, payment } from '../cli/desk.ts';
import { startFront } from '../cli/doctor/front.ts';
import { connect, yes } from './clients.ts';

const DOUBLE = 'fareclerk-test-double';

/** A desk in rehearsal, whose airline is reached through an address of this machine. */
async function rehearsing() {
  const sandbox = await startSandbox();
  const real = { from: Number.POSITIVE_INFINITY };
  const { settings } = sandbox;
  const login = await fetch(`${settings.FARECLERK_AUTH_URL}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: settings.FARECLERK_CLIENT_ID ?? '',
      client_secret: settings.FARECLERK_CLIENT_SECRET ?? '',
      username: settings.FARECLERK_USERNAME ?? '',
      password: settings.FARECLERK_PASSWORD ?? '',
    }),
  });
  const authorization = `Bearer ${((await login.json()) as { access_token: string }).access_token}`;
  const front = await startFront(({ headers }) => ({ pass: { headers: { ...headers, authorization } } }), {
    to: sandbox.url,
    reply: ({ headers = {}, ...answer }) => {
      const { [DOUBLE]: _, ...others } = headers;
      return { ...answer, headers: front.calls.length > real.from ? others : headers };
    },
  });
  const state = mkdtempSync(join(tmpdir(), 'fareclerk-rehearsal-'));
  // With a key alone, a message to the airline is the first that leaves.
  const moved = Object.entries(settings)
    .filter(([name]) => !/_(?:AUTH_URL|CLIENT_ID|CLIENT_SECRET|USERNAME|PASSWORD)$/.test(name))
    .map(([name, text]) => [name, text.replace(sandbox.url, front.origin)]);
  const env = { ...Object.fromEntries(moved), FARECLERK_CREDENTIALS: 'key', FARECLERK_STATE_DIR: state };
  onTestFinished(async () => {
    await front.close();
    await sandbox.close();
  });
  /** Another process on the same state. */
  async function start() {
    const client = await connect('v2-auto', { env, person: yes });
    onTestFinished(async () => void (await client.close()));
    return (tool: string, args: object) => client.call(tool, { ...args });
  }
  return {
    call: await start(),
    start,
    posts: () => front.calls.filter(({ method }) => method === 'POST').length,
    calls: () => front.calls.length,
    realFrom: (n: number) => Object.assign(real, { from: n }),
  };
}

type Desk = Awaited<ReturnType<typeof rehearsing>>;
const heldBy = ({ call }: Desk) => held(async (tool, args) => (await call(tool, args)).structuredContent);

it('a program says yes at an airline that says it is a test double, and every result says that it is a rehearsal', async () => {
  const desk = await rehearsing();
  const paid = await desk.call('pay_booking', payment(await heldBy(desk)));
  expect(paid.structuredContent).toMatchObject({ status: 'done', environment: 'rehearsal' });
  expect(paid.content[0]?.text).toMatch(/^\[rehearsal\] /);
});

it('no hold is sent before a reply has shown that the airline is a test double', async () => {
  const { call, start, calls, posts, realFrom } = await rehearsing();
  let booking = {};
  const unheld = held(async (tool, args) => {
    if (tool === 'create_booking') booking = args;
    return tool === 'create_booking' ? { booking: {} } : (await call(tool, args)).structuredContent;
  });
  await unheld;
  const later = await start();
  realFrom(calls());
  const before = posts();
  const { structuredContent: refused } = await later('create_booking', booking);
  expect(refused.error).toMatchObject({ code: 'E_CONFIG', effect: 'none' });
  expect(posts()).toBe(before);
});

it('the first reply that no test double sent ends it: nobody is asked, and nothing is sent any more', async () => {
  const desk = await rehearsing();
  const { call, calls, realFrom } = desk;
  const locator = await heldBy(desk);
  realFrom(calls());
  const { structuredContent: refused } = await call('pay_booking', payment(locator));
  expect(refused.error).toMatchObject({ code: 'E_CONFIG', effect: 'none' });
  expect(refused.error.message).toContain(`without the header ${DOUBLE}`);
  const before = calls();
  realFrom(Number.POSITIVE_INFINITY);
  expect((await call('read_booking', { locator })).structuredContent.error.code).toBe('E_CONFIG');
  expect(calls()).toBe(before);
});
