/** `fareclerk events`, on the sandbox's state, with a receiver on this machine. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiverOf } from '../../../src/events/deliver.ts';
import type { DeskEvent } from '../../../src/events/event.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { State } from '../../../src/store/state.ts';
import { type Receiver, startReceiver } from '../../events/support/receiver.ts';
import { freshState, screen } from '../screen.ts';

const AT = Date.parse('2026-03-01T09:30:00Z');
let env: Record<string, string>;
let state: State;
let receiver: Receiver;
let key: string;
beforeEach(async () => {
  receiver = await startReceiver();
  env = {
    ...freshState(),
    FARECLERK_WEBHOOKS: receiver.url,
    FARECLERK_WEBHOOK_SECRET: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    FARECLERK_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
  };
  const folder = join(env.FARECLERK_STATE_DIR ?? '', 'sandbox');
  state = await openSqliteState(join(folder, 'fareclerk.sqlite'), {
    airline: 'sandbox',
    witnesses: join(folder, 'witness'),
  });
  key = receiverOf(receiver.url);
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
async function given(...ids: string[]): Promise<void> {
  for (const id of ids) await add(id);
  const { upTo } = await state.deliveries.begin(key);
  await state.deliveries.enter(key, await state.outbox.after(upTo, 10), 0);
}
async function dead(id: string): Promise<void> {
  const { n = 0 } = (await state.outbox.find(id)) ?? {};
  await state.deliveries.failed(key, n, { now: AT, nextAt: AT, said: 'HTTP 500', dead: true });
}
async function failed(id: string): Promise<void> {
  const { n = 0 } = (await state.outbox.find(id)) ?? {};
  await state.deliveries.failed(key, n, { now: AT, nextAt: Date.now() + 3_600_000, said: 'HTTP 500', dead: false });
}
async function ran(...argv: string[]) {
  const it = screen(env);
  const code = await it.run('events', ...argv);
  return { code, stdout: it.stdout(), stderr: it.stderr() };
}
async function seen(...argv: string[]): Promise<string> {
  const it = screen(env, { stdoutIsTerminal: true });
  await it.run('events', ...argv);
  return it.stdout();
}

describe('fareclerk events', () => {
  it('lists the newest events and who has got them, for people and for programs', async () => {
    expect(await seen()).toBe('No events are kept.\n');
    await given('a', 'b');
    await add('c', { dueAt: AT + 60_000 });
    await dead('a');
    const { code, stdout } = await ran();
    expect(code).toBe(0);
    const to = new URL(receiver.url).origin;
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 'c', type: 'hold.lapsing', data: { locator: 'ABC123', caller: 'me', due_at: '2026-03-01T09:31:00.000Z' } },
      { id: 'b', deliveries: [{ to, state: 'waiting', tries: 0 }] },
      {
        id: 'a',
        deliveries: [{ to, state: 'dead', tries: 1, said: 'HTTP 500', failed_at: '2026-03-01T09:30:00.000Z' }],
      },
    ]);
    expect(JSON.parse((await ran('--limit', '1')).stdout)).toHaveLength(1);
    const text = await seen();
    expect(text).toMatch(/2026-03-01 09:30 {2}ABC123 {3}hold\.lapsing {2}2h, until 2026-03-01 09:31 {2}- +c\n/);
    expect(text).toMatch(/dead +a\n/);
    expect(stdout + text).not.toContain('/hook');
  });

  it('shows one event and each delivery of it', async () => {
    await given('a');
    await dead('a');
    expect(JSON.parse((await ran('show', 'a')).stdout)).toMatchObject({ id: 'a', deliveries: [{ state: 'dead' }] });
    expect(await seen('show', 'a')).toMatch(/event +hold\.lapsing[\s\S]+to +state +tries +last answer/);
    await add('b');
    expect(await seen('show', 'b')).toContain('No address of the settings has had a delivery of it.');
    delete env.FARECLERK_WEBHOOKS;
    delete env.FARECLERK_WEBHOOK_SECRET;
    delete env.FARECLERK_WEBHOOK_PRIVATE_HOSTS;
    expect((await ran('show', 'a')).stdout).toContain(`${key} (no longer set)`);
    expect(await ran('show', 'z')).toMatchObject({ code: 1, stderr: expect.stringContaining('no event z is kept') });
  });

  it('lists dead letters, and sends one or all of them again', async () => {
    expect(await seen('--dead')).toBe('No event is a dead letter.\n');
    await given('a', 'b', 'c');
    for (const id of ['a', 'b']) await dead(id);
    expect(JSON.parse((await ran('--dead')).stdout)).toMatchObject([{ id: 'b' }, { id: 'a' }]);
    expect(await ran('resend', 'a')).toMatchObject({ code: 0, stdout: expect.stringContaining('"resent": 1') });
    expect(await ran('resend', 'a')).toMatchObject({ code: 1 });
    expect(await seen('resend', 'all')).toMatch(/^1 to be sent again/);
    expect(await seen('resend', 'all')).toMatch(/^Nothing to send again/);
    expect(await ran('resend', 'z')).toMatchObject({ code: 1 });
    await failed('c');
    expect(await seen('resend', 'c')).toMatch(/^1 to be sent again/);
    expect(await state.deliveries.counts([key])).toMatchObject({ waiting: 3, dead: 0 });
  });

  it('names the addresses to which it sends nothing again: closed ones, and those that are no longer set', async () => {
    await given('a');
    await state.deliveries.enter('gone', [(await state.outbox.find('a')) as DeskEvent], 0);
    const { n = 0 } = (await state.outbox.find('a')) ?? {};
    for (const one of [key, 'gone']) await state.deliveries.stop(one, AT, 'HTTP 410');
    const { code, stdout } = await ran('resend', 'all');
    const to = new URL(receiver.url).origin;
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { resent: 0, not_sent: [{ events: 1 }, { events: 1 }] }]);
    const text = await seen('resend', 'a');
    expect(text).toContain(`1 not sent to ${to}: it answered 410; \``);
    expect(text).toContain('1 not sent to gone: FARECLERK_WEBHOOKS does not have it.\n');
    await ran('test');
    expect(await seen('resend', 'a')).toMatch(/^1 to be sent again[^\n]+\n1 not sent to gone/);
    expect(await state.deliveries.of([n])).toMatchObject([{ state: 'waiting' }, { state: 'dead' }]);
  });

  it('makes no state by looking', async () => {
    await state.close();
    env = { ...env, ...freshState() };
    expect(await seen()).toBe('No events are kept.\n');
    for (const args of [
      ['show', 'a'],
      ['resend', 'a'],
      ['resend', 'all'],
      ['--follow', '--after', 'a'],
    ])
      expect(await ran(...args)).toMatchObject({ code: 1 });
    expect(await ran('test')).toMatchObject({ code: 0 });
    expect(existsSync(join(env.FARECLERK_STATE_DIR ?? '', 'sandbox'))).toBe(false);
    state = await openSqliteState(':memory:');
  });

  it('sends a test event to each address, and opens one again that had said 410', async () => {
    await given('a');
    receiver.answer = () => 500;
    expect(await ran('test')).toMatchObject({ code: 1, stdout: expect.stringContaining('HTTP 500') });
    const { n = 0 } = (await state.outbox.find('a')) ?? {};
    const later = Date.now() + 3_600_000;
    await state.deliveries.failed(key, n, { now: AT, nextAt: later, said: 'HTTP 500', dead: false });
    receiver.answer = () => 204;
    await ran('test');
    const [hurried] = await state.deliveries.due(key, Number.MAX_SAFE_INTEGER, 1);
    expect(hurried?.nextAt).toBeLessThan(later);
    await state.deliveries.stop(key, AT, 'HTTP 410');
    receiver.answer = () => 204;
    const { code, stdout } = await ran('test');
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      [{ to: new URL(receiver.url).origin, taken: true, said: 'taken', reopened: true }],
    ]);
    expect(await seen('test')).toMatch(/taken/);
    expect(receiver.got.map(({ body }) => JSON.parse(body).type)).toEqual(['test', 'test', 'test', 'test']);
    env = freshState();
    expect(await ran('test')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('FARECLERK_WEBHOOKS is not set'),
    });
  });

  it('follows events as they come, as text and as JSON, and ends on a signal', async () => {
    await add('old');
    const it = screen(env, { stdoutIsTerminal: true });
    const json = screen(env);
    const done = [it.run('events', '--follow'), json.run('events', '--follow', '--json', '--after', 'old')];
    await expect.poll(() => it.stderr()).toContain('Waiting for events');
    // Both have begun before the first event.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await add('a');
    await add('b', { type: 'booking.changed', kind: 'cancelled' });
    await expect.poll(() => json.stdout().trim().split('\n').length, { timeout: 5_000 }).toBe(2);
    await expect.poll(() => it.stdout(), { timeout: 5_000 }).toContain('booking.changed');
    process.emit('SIGTERM');
    expect(await Promise.all(done)).toEqual([0, 0]);
    expect(
      json
        .stdout()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['a', 'b']);
    expect(it.stdout()).toBe(
      '2026-03-01 09:30  ABC123  hold.lapsing  2h\n2026-03-01 09:30  ABC123  booking.changed  cancelled\n',
    );
  });

  it('waits for a state that does not exist yet, and tells all of its events', async () => {
    await state.close();
    env = { ...env, ...freshState() };
    const it = screen(env, { stdoutIsTerminal: true });
    const done = it.run('events', '--follow');
    await expect.poll(() => it.stderr()).toContain('Waiting for events');
    expect(existsSync(join(env.FARECLERK_STATE_DIR ?? '', 'sandbox'))).toBe(false);
    state = await openSqliteState(join(env.FARECLERK_STATE_DIR ?? '', 'sandbox', 'fareclerk.sqlite'), {
      airline: 'sandbox',
    });
    await add('first');
    await expect.poll(() => it.stdout(), { timeout: 5_000 }).toContain('hold.lapsing');
    process.emit('SIGTERM');
    expect(await done).toBe(0);
  });

  it('says so if the event to begin behind is kept no longer', async () => {
    expect(await ran('--follow', '--after', 'z')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('kept for a week'),
    });
  });

  it.each([
    [['what'], 'expected list, show ID'],
    [['show'], 'expected one event id'],
    [['list', 'a'], 'takes no argument'],
    [['test', '--follow'], 'takes no --follow'],
    [['--after', 'a'], 'goes with --follow'],
  ])('refuses %j', async (argv, said) => {
    expect(await ran(...argv)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  });
});
