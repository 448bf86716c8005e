/**
 * While sending is stopped, nobody is asked and every call says why. A failure before the send says that nothing
 * was sent.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadiness } from '../../../src/server/http/readiness.ts';
import { createMetrics } from '../../../src/server/metrics/metrics.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { heldBooking } from './bookings.ts';
import { accept, CALLER, codeOf, type Desk, dialogHow, failures, openDesk } from './desk.ts';

let desk: Desk;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clerk-standstill-'));
  desk = await openDesk({ openState: (now) => openSqliteState(join(folder, 'state.sqlite'), { now }) });
});
afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

const pay = (locator: string) => ({ locator, payment: { type: 'invoice' } });
const chain = () => {
  const { chain } = desk.parts.state;
  if (chain === undefined) throw new Error('no chain');
  return chain;
};

async function question(locator: string): Promise<{ handle: string; raw: unknown }> {
  const asked = await desk.call('pay_booking', pay(locator), dialogHow);
  if (asked.kind !== 'ask') throw new Error('did not ask');
  return { handle: asked.handle, raw: accept(asked.form.properties.decision.enum[1] ?? '') };
}

const yes = (locator: string, dialog: { handle: string; raw: unknown }) =>
  desk.result('pay_booking', pay(locator), { ...dialogHow, dialog });

describe('while the operator has paused sending', () => {
  test('refuses a payment without asking while sending is paused, and still reads bookings', async () => {
    const locator = await heldBooking(desk);
    await chain().pause('the airline asked', 'os:ann', desk.parts.clock.now());
    const refused = await desk.result('pay_booking', pay(locator), dialogHow);
    expect(refused.structured.error).toMatchObject({ code: 'E_NOT_PERMITTED', effect: 'none' });
    expect(refused.text).toContain('“the airline asked”');
    expect(refused.text).toContain('fareclerk resume');
    expect(await desk.result('read_booking', { locator })).toMatchObject({ isError: false });
    await chain().resume('os:ann', desk.parts.clock.now());
    expect(codeOf(await desk.say('pay_booking', pay(locator), accept))).toBe('done');
  });

  test('spends a yes that comes while sending is paused', async () => {
    const locator = await heldBooking(desk);
    const asked = await question(locator);
    const before = desk.acts().length;
    await chain().pause('wait', 'os:ann', desk.parts.clock.now());
    expect((await yes(locator, asked)).structured.error).toMatchObject({ code: 'E_NOT_PERMITTED', effect: 'none' });
    await chain().resume('os:ann', desk.parts.clock.now());
    expect(codeOf(await yes(locator, asked))).toMatch(/^E_APPROVAL_/);
    expect(desk.acts().length).toBe(before);
  });

  test('refuses a yes on the page while sending is paused', async () => {
    const locator = await heldBooking(desk);
    const asked = await desk.call('pay_booking', pay(locator), dialogHow);
    if (asked.kind !== 'ask') throw new Error('did not ask');
    const [open] = (await desk.parts.state.approvals.waiting(desk.parts.clock.now())).slice(-1);
    await chain().pause('wait', 'os:ann', desk.parts.clock.now());
    const pressed = await desk.clerk.decide(open?.operationId ?? '', true, { caller: CALLER, assurance: 'page' });
    await chain().resume('os:ann', desk.parts.clock.now());
    expect(pressed).toMatchObject({ kind: 'failed', title: 'Nothing was done' });
    expect(pressed.lines.join()).toContain('paused sending');
  });

  test('reports an earlier payment as already done while sending is paused', async () => {
    const locator = await heldBooking(desk);
    const asked = await question(locator);
    expect(codeOf(await yes(locator, asked))).toBe('done');
    await chain().pause('wait', 'os:ann', desk.parts.clock.now());
    expect(codeOf(await yes(locator, asked))).toBe('already_done');
    await chain().resume('os:ann', desk.parts.clock.now());
  });

  test('shows the pause in readiness and metrics', async () => {
    const metrics = createMetrics({ process: false, state: { freshMs: 0 } });
    metrics.watchState(desk.clerk);
    const look = async () =>
      [JSON.stringify(await createReadiness({ clerk: desk.clerk })()), (await metrics.text()).body] as const;
    await chain().pause('wait', 'os:ann', desk.parts.clock.now());
    const [ready, figures] = await look();
    expect(ready).toContain('paused by the operator');
    expect(figures).toContain('fareclerk_sending_stopped{why="paused"} 1');
    await chain().resume('os:ann', desk.parts.clock.now());
    const [readyAgain, figuresAgain] = await look();
    expect(readyAgain).not.toContain('sending');
    expect(figuresAgain).toContain('fareclerk_sending_stopped{why="paused"} 0');
    expect(figuresAgain).toContain('fareclerk_sending_stopped{why="held"} 0');
    metrics.close();
  });
});

describe('an operation that a person closed', () => {
  test('removes an operation that a person closed from all warnings, and says so to its approval', async () => {
    const locator = await heldBooking(desk);
    const asked = await question(locator);
    expect(codeOf(await yes(locator, asked))).toBe('done');
    const { operations } = desk.parts.state;
    const [operation] = await operations.list({ locator, limit: 1 });
    const id = operation?.id ?? '';
    const meta = { now: desk.parts.clock.now(), actor: 'test' };
    await operations.transition(id, ['succeeded'], 'needs_person', { outcome: { check: 'look' } }, meta);
    const metrics = createMetrics({ process: false, state: { freshMs: 0 } });
    metrics.watchState(desk.clerk);
    desk.advance(60_000);
    expect((await metrics.text()).body).toMatch(/needing_person_oldest_seconds (?:59|6\d)/);
    const attention = async () => (await desk.result('list_bookings', { query: locator })).text;
    expect(await attention()).toContain('a person must check');
    const open = await operations.get(id);
    if (open === undefined) throw new Error('no operation');
    expect(await desk.parts.journal.resolve(open, 'os:ann', 'it is paid')).toBe(true);
    expect(await attention()).not.toContain('a person must check');
    expect((await metrics.text()).body).toMatch(/fareclerk_operations_needing_person 0/);
    const report = await desk.result('report_activity', { measure: 'in_doubt' });
    expect(JSON.stringify(report.structured.entries)).not.toContain(id);
    const told = await yes(locator, asked);
    expect(told.structured.error).toMatchObject({ code: 'E_ALREADY_DONE', effect: 'none' });
    expect(told.text).toContain('A person checked this pay_booking with the airline');
    metrics.close();
  });
});

describe('a store that fails before anything is sent', () => {
  /** Runs the work while another program holds the file's lock. */
  async function locked<T>(work: () => Promise<T>): Promise<T> {
    const file = join(folder, 'state.sqlite');
    const source = `const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(${JSON.stringify(file)}); db.exec('begin immediate'); console.log('held');
      setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(holder.stdout, 'data');
    try {
      return await work();
    } finally {
      holder.kill();
      await once(holder, 'exit');
    }
  }

  const nothing = { code: 'E_INTERNAL', effect: 'none', retry: 'after_s:5' };

  test('reports that nothing was sent if the store is locked, with and without a yes', {
    timeout: 60_000,
  }, async () => {
    const locator = await heldBooking(desk);
    const asked = await question(locator);
    const before = desk.acts().length;
    const [first, second] = await locked(async () => [
      await desk.result('pay_booking', pay(locator), dialogHow),
      await yes(locator, asked),
    ]);
    expect(first?.structured.error).toMatchObject(nothing);
    expect(second?.structured.error).toMatchObject(nothing);
    expect(second?.text).toContain('another program holds its lock. Nothing was sent.');
    expect(desk.acts().length).toBe(before);
    expect(codeOf(await yes(locator, asked))).toBe('done');
  });

  test('reports that nothing was sent after an internal error before the question', async () => {
    const locator = await heldBooking(desk);
    const { approvals } = desk.parts.state;
    const { put } = approvals;
    approvals.put = () => Promise.reject(new Error('a mistake'));
    const told = await desk.result('pay_booking', pay(locator), dialogHow);
    approvals.put = put;
    expect(told.structured.error).toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    expect(failures.splice(0)).toMatchObject([{ message: 'a mistake' }]);
  });

  test('reports an unknown effect if the journal cannot be read', async () => {
    const locator = await heldBooking(desk);
    const asked = await question(locator);
    const { operations } = desk.parts.state;
    const { get } = operations;
    operations.get = () => Promise.reject(new Error('gone'));
    const told = await yes(locator, asked);
    operations.get = get;
    expect(told.structured.error).toMatchObject({ code: 'E_INTERNAL', effect: 'unknown' });
    failures.splice(0);
  });
});
