/** `fareclerk events`, on the sandbox's state, with a receiver on this machine. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiverName } from '../../../src/events/deliver-with-retries.ts';
import { startReceiver } from '../../events/support/receiver.ts';
import { openState } from '../desk.ts';
import { freshState, ran, stateFile } from '../screen.ts';

/** Yesterday at a whole minute: a state that is open for two seconds cleans events of more than thirty days. */
const AT = Math.floor(Date.now() / 60_000 - 24 * 60) * 60_000;
const DUE_AT = AT + 60_000;
const instant = (at: number) => new Date(at).toISOString();
/** As tables for people have it. */
const minute = (at: number) => instant(at).slice(0, 16).replace('T', ' ');
let env: Record<string, string>;
let state: Awaited<ReturnType<typeof openState>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let key: string;
beforeEach(async () => {
  receiver = await startReceiver();
  env = {
    ...freshState(),
    FARECLERK_WEBHOOKS: receiver.url,
    FARECLERK_WEBHOOK_SECRET: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    FARECLERK_PRIVATE_HOSTS: '127.0.0.1',
  };
  state = await openState(env);
  key = receiverName(receiver.url);
  await state.deliveries.begin(key);
});
afterEach(async () => {
  await state.close();
  await receiver.close();
});

const add = (id: string, changes = {}) =>
  state.outbox.add([
    { id, type: 'hold.lapsing', at: AT, tenant: 'sandbox', caller: 'me', locator: 'ABC123', kind: '2h', ...changes },
  ]);
const found = async (id: string) => {
  const event = (await state.outbox.newest(100)).find((one) => one.id === id);
  if (event === undefined) throw new Error(`no event ${id}`);
  return event;
};
async function given(...ids: string[]): Promise<void> {
  for (const id of ids) await add(id);
  const { upTo } = await state.deliveries.begin(key);
  await state.deliveries.enter(key, await state.outbox.after(upTo, 10), 0);
}
/** `nextAt`: the next try; without it there is none. */
async function failed(id: string, nextAt?: number): Promise<void> {
  const { n } = await found(id);
  const failure = { now: AT, nextAt: nextAt ?? AT, said: 'HTTP 500', dead: nextAt === undefined };
  await state.deliveries.failed(key, n, failure);
}
const inAnHour = () => Date.now() + 3_600_000;

const events = (...argv: string[]) => ran(env, ['events', ...argv]);
const seen = async (...argv: string[]) => (await ran(env, ['events', ...argv], { stdoutIsTerminal: true })).stdout;
const place = () => new URL(receiver.url).origin;

describe('fareclerk events', () => {
  it('lists the newest events and who has got them, for people and for programs', async () => {
    expect(await seen()).toBe('No events are kept.\n');
    await given('a', 'b');
    await add('c', { dueAt: DUE_AT });
    await failed('a');
    const { code, stdout, json } = await events();
    const dead = { to: place(), state: 'dead', tries: 1, said: 'HTTP 500', failed_at: instant(AT) };
    expect([code, json()]).toMatchObject([
      0,
      [
        {
          id: 'c',
          type: 'hold.lapsing',
          data: { locator: 'ABC123', caller: 'me', due_at: instant(DUE_AT) },
        },
        { id: 'b', deliveries: [{ to: place(), state: 'waiting', tries: 0 }] },
        { id: 'a', deliveries: [dead] },
      ],
    ]);
    expect((await events('--limit', '1')).json()).toHaveLength(1);
    const text = await seen();
    const row = `${minute(AT)} {2}ABC123 {3}hold\\.lapsing {2}2h, until ${minute(DUE_AT)} {2}- +c\\n`;
    expect(text).toMatch(new RegExp(row));
    expect(text).toMatch(/dead +a\n/);
    expect(stdout + text).not.toContain('/hook');
  });

  it('lists dead letters, and sends all that failed again at addresses that are set and open', async () => {
    expect(await seen('--dead')).toBe('No event is a dead letter.\n');
    await given('a', 'b', 'c');
    for (const id of ['a', 'b']) await failed(id);
    await failed('c', inAnHour());
    expect((await events('--dead')).json()).toMatchObject([{ id: 'b' }, { id: 'a' }]);
    const event = await found('a');
    await state.deliveries.enter('gone', [event], 0);
    await state.deliveries.stop('gone', AT, 'HTTP 410');
    expect((await events('--dead')).stdout).toContain('gone (no longer set)');
    await state.deliveries.stop(key, AT, 'HTTP 410');
    expect(await events('resend')).toMatchObject({ code: 1, stdout: expect.stringContaining('"resent": 0') });
    await events('test');
    expect(await seen('resend')).toMatch(/^3 to be sent again/);
    expect(await seen('resend')).toMatch(/^No failed delivery is waiting/);
    expect((await state.deliveries.dead(10)).filter(({ receiver }) => receiver === key)).toEqual([]);
    expect(await state.deliveries.forEvents([event.n])).toMatchObject([{ state: 'waiting' }, { state: 'dead' }]);
  });

  it('sends a test event to each address, and opens one again that had said 410', async () => {
    await given('a');
    receiver.answer = () => 500;
    expect(await events('test')).toMatchObject({ code: 1, stdout: expect.stringContaining('HTTP 500') });
    receiver.answer = () => 204;
    await state.deliveries.stop(key, AT, 'HTTP 410');
    const { code, json } = await events('test');
    expect([code, json()]).toEqual([0, [{ to: place(), taken: true, said: 'taken', reopened: true }]]);
    expect(await seen('test')).toMatch(/taken/);
    expect(receiver.got.map(({ body }) => JSON.parse(body).type)).toEqual(['test', 'test', 'test']);
  });

  it('makes no state by looking', async () => {
    env = { ...env, ...freshState() };
    expect(await seen()).toBe('No events are kept.\n');
    expect(await events('resend')).toMatchObject({ code: 1 });
    expect(await events('test')).toMatchObject({ code: 0 });
    expect(existsSync(dirname(stateFile(env)))).toBe(false);
  });
});
