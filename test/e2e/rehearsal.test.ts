/** A rehearsal is for a test double. An address on this machine can be a tunnel to a real airline. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.ts';
import { held, payment } from '../cli/desk.ts';
import { startFront } from '../cli/doctor/front.ts';
import { connect, yes } from './clients.ts';

const DOUBLE = 'fareclerk-test-double';

/** A desk in rehearsal, whose airline is reached through an address of this machine. */
async function rehearsing() {
  const sandbox = await startSandbox();
  const real = { from: Number.POSITIVE_INFINITY };
  const front = await startFront(() => undefined, {
    to: sandbox.url,
    reply: ({ headers = {}, ...answer }) => {
      const { [DOUBLE]: _, ...others } = headers;
      return { ...answer, headers: front.calls.length > real.from ? others : headers };
    },
  });
  const state = mkdtempSync(join(tmpdir(), 'fareclerk-rehearsal-'));
  const moved = Object.entries(sandbox.settings).map(([name, text]) => [name, text.replace(sandbox.url, front.origin)]);
  const env = { ...Object.fromEntries(moved), FARECLERK_STATE_DIR: state };
  const client = await connect('v2-auto', { env, person: yes });
  onTestFinished(async () => {
    await client.close();
    await front.close();
    await sandbox.close();
  });
  const call = async (tool: string, args: Record<string, unknown>) => await client.call(tool, args);
  const locator = await held(async (tool, args) => (await call(tool, args as never)).structuredContent);
  return { call, locator, calls: () => front.calls.length, realFrom: (n: number) => Object.assign(real, { from: n }) };
}

it('a program says yes at an airline that says it is a test double, and every result says that it is a rehearsal', async () => {
  const { call, locator } = await rehearsing();
  const paid = await call('pay_booking', payment(locator));
  expect(paid.structuredContent).toMatchObject({ status: 'done', environment: 'rehearsal' });
  expect(paid.content[0]?.text).toMatch(/^\[rehearsal\] /);
});

it('the first reply that no test double sent ends it: nobody is asked, and nothing is sent any more', async () => {
  const { call, locator, calls, realFrom } = await rehearsing();
  realFrom(calls());
  const { structuredContent: refused } = await call('pay_booking', payment(locator));
  expect(refused.error).toMatchObject({ code: 'E_CONFIG', effect: 'none' });
  expect(refused.error.message).toContain(`without the header ${DOUBLE}`);
  const before = calls();
  realFrom(Number.POSITIVE_INFINITY);
  expect((await call('read_booking', { locator })).structuredContent.error.code).toBe('E_CONFIG');
  expect(calls()).toBe(before);
});
