/**
 * While sending is stopped, nobody is asked and every call says why. A failure before the send says that nothing
 * was sent; a ledger that cannot be written holds nothing up.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMetrics } from '../../../src/metrics/metrics.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { serve, TOKEN } from '../../http/support/serve.ts';
import { heldBooking, ticketedBooking } from './bookings.ts';
import { accept, CALLER, codeOf, type Desk, dialogHow, errorOf, failures, openDesk, PAY } from './desk.ts';

let desk: Desk;
let at: Awaited<ReturnType<typeof serve<Desk>>>;
let folder: string;
let locator: string;
const unrecorded: unknown[] = [];
/** Milliseconds that the monotonic clock is ahead. It never goes back before the file ends. */
let passed = 0;
beforeAll(async () => {
  const steady = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => steady() + passed);
  folder = mkdtempSync(join(tmpdir(), 'clerk-standstill-'));
  desk = await openDesk({
    sql: true,
    openState: (now) => openSqliteState(join(folder, 'state.sqlite'), { now, busyMs: 300 }),
    log: { call() {}, failure: ({ error }) => failures.push(error), unrecorded: ({ error }) => unrecorded.push(error) },
  });
  at = await serve({ metrics: createMetrics({ process: false, state: { freshMs: 0 } }) }, desk);
});
afterAll(async () => {
  await at.close();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  locator = await heldBooking(desk);
});

const get = async (path: string) =>
  (await fetch(`http://127.0.0.1:${at.port}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
const question = () => desk.ask('pay_booking', { locator, ...PAY });
const pay = () => desk.result('pay_booking', { locator, ...PAY }, dialogHow);

/** Does the work while the operator has paused sending. */
async function paused<T>(why: string, work: () => Promise<T>): Promise<T> {
  const { chain } = desk.parts.state;
  await chain?.pause(why, 'os:ann', desk.parts.clock.now());
  try {
    return await work();
  } finally {
    await chain?.resume('os:ann', desk.parts.clock.now());
  }
}
const NOT_NOW = { code: 'E_NOT_PERMITTED', effect: 'none' };

describe('while the operator has paused sending', () => {
  test('a payment is refused without asking, and bookings are still read', async () => {
    await paused('the airline asked', async () => {
      const refused = await pay();
      expect(errorOf(refused)).toMatchObject(NOT_NOW);
      expect(refused.text).toMatch(/“the airline asked”[\s\S]*fareclerk resume/);
      expect(await desk.result('read_booking', { locator })).toMatchObject({ isError: false });
    });
    expect(codeOf(await desk.say('pay_booking', { locator, ...PAY }, accept))).toBe('done');
  });

  test('a yes is spent, in the dialog as on the page', async () => {
    const asked = await question();
    const before = desk.acts().length;
    expect(errorOf(await paused('wait', () => asked.yes()))).toMatchObject(NOT_NOW);
    expect(codeOf(await asked.yes())).toMatch(/^E_APPROVAL_/);
    await question();
    const open = (await desk.clerk.waiting()).find((one) => one.locator === locator);
    const by = { caller: CALLER, assurance: 'page' } as const;
    const pressed = await paused('wait', () => desk.clerk.decide(open?.operationId ?? '', true, by));
    expect(pressed).toMatchObject({ kind: 'failed', title: 'Nothing was done' });
    expect(pressed.lines.join()).toContain('paused sending');
    expect(desk.acts().length).toBe(before);
  });

  test('an earlier payment is reported as already done', async () => {
    const asked = await question();
    expect([codeOf(await asked.yes()), codeOf(await paused('wait', () => asked.yes()))]).toEqual([
      'done',
      'already_done',
    ]);
  });

  test('readiness and metrics show it', async () => {
    // A look at readiness is shared for two seconds.
    passed += 2_000;
    const seen = async () => [await get('/readyz'), await get('/metrics')] as const;
    const [ready, figures] = await paused('wait', seen);
    expect(ready).toContain('paused by the operator');
    expect(figures).toContain('fareclerk_sending_stopped{why="paused"} 1');
    passed += 2_000;
    const [readyAgain, figuresAgain] = await seen();
    expect(readyAgain).not.toContain('sending');
    for (const why of ['paused', 'held']) expect(figuresAgain).toContain(`fareclerk_sending_stopped{why="${why}"} 0`);
  });
});

test('an operation that a person closed is in no warning any more, and its approval says so', async () => {
  const asked = await question();
  expect(codeOf(await asked.yes())).toBe('done');
  const { operations } = desk.parts.state;
  const [{ id } = { id: '' }] = await operations.list({ locator, limit: 1 });
  const meta = { now: desk.parts.clock.now(), actor: 'test' };
  await operations.transition(
    id,
    { from: ['succeeded'], to: 'needs_person', patch: { outcome: { check: 'look' } } },
    meta,
  );
  desk.advance(60_000);
  expect(await get('/metrics')).toMatch(/needing_person_oldest_seconds (?:59|6\d)/);
  const attention = async () => (await desk.result('list_bookings', { query: locator })).text;
  expect(await attention()).toContain('needs checking with the airline');
  const open = await operations.get(id);
  expect(open && (await desk.parts.journal.resolve(open, 'os:ann', 'it is paid'))).toBe(true);
  expect(await attention()).not.toContain('needs checking with the airline');
  expect(await get('/metrics')).toMatch(/fareclerk_operations_needing_person 0/);
  const sql = `select outcome, open_minutes from operation where id = '${id}'`;
  const { structured } = await desk.result('query_ledger', { sql });
  expect(structured.rows).toEqual([['closed_by_person', null]]);
  const told = await asked.yes();
  expect(errorOf(told)).toMatchObject({ code: 'E_ALREADY_DONE', effect: 'none' });
  expect(told.text).toContain('The operator checked this payment with the airline');
});

describe('a store that fails', () => {
  test('reports that nothing was sent if it is locked, with and without a yes', async () => {
    const asked = await question();
    const before = desk.acts().length;
    const source = `const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(${JSON.stringify(join(folder, 'state.sqlite'))}, { timeout: 5000 }); db.exec('begin immediate');
      console.log('held'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(holder.stdout, 'data');
    const [first, second] = [await pay(), await asked.yes()];
    holder.kill();
    await once(holder, 'exit');
    for (const told of [first, second]) {
      expect(told.structured.error).toMatchObject({ code: 'E_STATE_DOWN', effect: 'none', retry: 'after_s:5' });
    }
    expect(second.text).toContain('another program holds its lock. Nothing was sent.');
    expect(desk.acts().length).toBe(before);
    // The readings that it could not enter in the ledger.
    expect(unrecorded.splice(0)).not.toEqual([]);
    expect(codeOf(await asked.yes())).toBe('done');
  });

  test('still reads and pays if the ledger cannot be written, and logs each missing record', async () => {
    const paid = await ticketedBooking(desk);
    const broken = new Error('database or disk is full');
    const record = vi.spyOn(desk.parts.state.ledger, 'record').mockRejectedValue(broken);
    const read = await desk.result('read_booking', { locator });
    expect(read.structured).toMatchObject({ booking: { locator, state: 'held' } });
    expect(await desk.result('get_seat_map', { locator: paid })).toMatchObject({ isError: false });
    expect(await desk.result('send_tickets', { locator: paid, what: 'tickets' })).toMatchObject({ isError: false });
    const before = desk.acts().length;
    const payment = await desk.say('pay_booking', { locator, ...PAY }, accept);
    expect(payment.structured).toMatchObject({ status: 'done', booking: { locator } });
    expect(desk.acts().slice(before)).toEqual(['paid']);
    // One for each of three calls, and three for the payment: what the question shows, what is read again after the yes,
    // what is paid.
    expect([unrecorded, failures]).toEqual([Array(6).fill(broken), []]);
    const list = await desk.result('list_bookings', { locators: [locator], refresh: true });
    expect(errorOf(list)).toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    expect(failures.splice(0)).toEqual([broken]);
    record.mockRestore();
  });
});
