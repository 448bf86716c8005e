/**
 * `fareclerk approve` against the embedded sandbox airline: another process asked, and the terminal answers.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Terminal } from '../../../src/cli/commands/command.ts';
import { main } from '../../../src/main.ts';
import { CONTACT, passenger } from '../../support/people.ts';
import { NOBODYS } from '../screen.ts';

const folder = mkdtempSync(join(tmpdir(), 'fareclerk-approve-'));
const env = { FARECLERK_STATE_DIR: folder, FARECLERK_APPROVAL: 'page', FARECLERK_LOG_LEVEL: 'silent' };

const live = {
  FARECLERK_BASE_URL: 'https://air.invalid/ota',
  FARECLERK_CREDENTIALS: 'key',
  FARECLERK_API_KEY: 'k',
  FARECLERK_AGENT_ID: 'a',
  FARECLERK_AGENCY_ID: 'b',
  FARECLERK_CURRENCY: 'SAR',
};

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One run of the program. `typed`: somebody sits at the keyboard, and types that. `gone`: then the terminal is lost. */
async function run(
  argv: readonly string[],
  typed?: string,
  more: Record<string, string> = {},
  gone = false,
): Promise<Ran> {
  const stream = () => Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  const [stdin, stdout, stderr] = [stream(), stream(), stream()];
  const texts = [stdout, stderr].map((out) => {
    const chunks: string[] = [];
    out.on('data', (chunk) => chunks.push(String(chunk)));
    return chunks;
  });
  if (typed !== undefined) stdin.write(gone ? typed : `${typed}\n`);
  if (typed === undefined || gone) stdin.end();
  const { argv: started, execPath } = process;
  const terminal = {
    env: { ...NOBODYS, ...env, ...more },
    argv: started,
    execPath,
    stdin,
    stdout,
    stderr,
  } as unknown as Terminal;
  const code = await main(argv, terminal);
  const [out = [], err = []] = texts;
  return { code, stdout: out.join(''), stderr: err.join('') };
}

async function call(tool: string, args: object) {
  const { code, stdout } = await run(['call', tool, JSON.stringify(args)]);
  return { code, result: JSON.parse(stdout) };
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

let offer: string;
/** Another traveller, with a document of their own, each time: the same one again would be the same booking. */
const names = [
  ...['Amal', 'Badr', 'Dana', 'Fahad', 'Ghada', 'Huda', 'Jamal', 'Khalid'],
  ...['Lama', 'Majed', 'Nasser', 'Omar', 'Rania', 'Salma', 'Tariq', 'Yasmin'],
];

beforeAll(async () => {
  const { result: routes } = await call('list_routes', { max_results: 1 });
  const [{ from, to }] = routes.routes;
  const days = { start_date: inDays(10), end_date: inDays(17) };
  const { result: calendar } = await call('get_calendar_dates', { from: from.code, to: to[0].code, ...days });
  const { result: found } = await call('search_fares', {
    legs: [{ from: from.code, to: to[0].code, date: calendar.dates[0] }],
    passengers: { adults: 1 },
    max_results: 1,
  });
  offer = found.offers[0].offer_id;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Waiting {
  readonly id: string;
  readonly locator: string;
  readonly handle: string;
}

/** A held booking, and a payment of it that waits for a person. */
async function paymentThatWaits(): Promise<Waiting> {
  const { result: made } = await call('create_booking', {
    offer_ids: [offer],
    contact: CONTACT,
    passengers: [passenger(`P000000${names.length}`, { given_name: names.shift() })],
  });
  const { locator } = made.booking;
  const { result } = await call('pay_booking', { locator, payment: { type: 'invoice' } });
  expect(result.status).toBe('approval_required');
  return { id: result.operation_id, locator, handle: result.approval.id };
}

async function afterwards({ locator, handle }: Waiting) {
  const { result } = await call('pay_booking', { locator, payment: { type: 'invoice' }, approval_id: handle });
  return result;
}

describe('fareclerk approve', () => {
  test('lists pending approvals with all that a decision needs, and nothing that decides', async () => {
    expect((await run(['approve'])).stdout).toBe('No approvals are pending.\n');
    const [one, two] = [await paymentThatWaits(), await paymentThatWaits()];
    const { code, stdout } = await run(['approve']);
    expect(code).toBe(0);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^operation +booking +left +act$/);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 2))).toEqual([
      [one.id, one.locator],
      [two.id, two.locator],
    ]);
    expect(rows[0]).toMatch(/ 9:\d\d {2,}Pay SAR [\d,.]+$/);
    const listed = JSON.parse((await run(['approve', '--json'])).stdout);
    expect(listed[0]).toMatchObject({ operation_id: one.id, locator: one.locator, terms: expect.any(Array) });
    expect(JSON.stringify(listed)).not.toContain(one.handle);
    for (const { id } of [one, two]) await run(['approve', id, '--no']);
  });

  test('carries out what the typed locator approves, and the tool reports it', async () => {
    const waiting = await paymentThatWaits();
    const { code, stdout, stderr } = await run(['approve', waiting.id.slice(0, 8)], waiting.locator.toLowerCase());
    expect(stderr).toContain(`Pay SAR`);
    expect(stderr).toContain(waiting.locator);
    expect(stdout).toMatch(/^Paid SAR [\d,.]+\n {2}Booking \w+\n {2}Ticket \d+; \w+ Haddad; \S+ \w+ → \w+, /);
    expect(code).toBe(0);
    const told = await afterwards(waiting);
    expect(told).toMatchObject({ status: expect.stringMatching(/^(already_)?done$/), operation_id: waiting.id });
    expect(told.tickets).toHaveLength(1);
  });

  test('takes a typed no as a no', async () => {
    const waiting = await paymentThatWaits();
    const { code, stdout } = await run(['approve', waiting.id], 'no');
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'You said no']);
    expect((await afterwards(waiting)).error.code).toBe('E_APPROVAL_DECLINED');
    const gone = await run(['approve', waiting.id], waiting.locator);
    expect([gone.code, gone.stdout]).toEqual([1, '']);
    expect(gone.stderr).toContain('no single pending approval');
  });

  test.each([
    ['Ctrl-C', '\u0003', false],
    ['Ctrl-C after a beginning', 'AB\u0003', false],
    ['Ctrl-D', '\u0004', false],
    ['a lost terminal', '', true],
    ['a terminal lost half-way', 'no', true],
  ])('leaves the approval pending after %s', async (_, keys, gone) => {
    const waiting = await paymentThatWaits();
    const left = await run(['approve', waiting.id], keys, {}, gone);
    expect(left).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Not answered\n {2}Nothing was decided, and nothing was sent\.\n/),
    });
    const line = ` approve ${waiting.id} --sandbox --state-dir ${env.FARECLERK_STATE_DIR}\` asks again, until the question`;
    expect(left.stdout.replaceAll(/\s+/g, ' ')).toContain(line);
    const [open] = JSON.parse((await run(['approve', '--json'])).stdout);
    expect(open.operation_id).toBe(waiting.id);
    await run(['approve', waiting.id, '--no']);
  });

  test('takes no answer from a locator that was typed without Enter', async () => {
    const waiting = await paymentThatWaits();
    expect((await run(['approve', waiting.id, '--json'], waiting.locator, {}, true)).stdout).toContain('"unanswered"');
    const { code, stdout } = await run(['approve', waiting.id], waiting.locator);
    expect([code, stdout.split(' ')[0]]).toEqual([0, 'Paid']);
  });

  test('asks at once if only one approval is pending', async () => {
    const { id, locator } = await paymentThatWaits();
    const { code, stdout } = await run(['approve'], locator);
    expect(code).toBe(0);
    expect(stdout).toContain(id);
    expect(stdout).toContain('\nPaid SAR ');
  });

  test('needs a keyboard; in the sandbox a flag can answer', async () => {
    const waiting = await paymentThatWaits();
    const asked = await run(['approve', waiting.id]);
    expect([asked.code, asked.stdout]).toEqual([2, '']);
    expect(asked.stderr).toContain('a person must answer');
    const { code, stdout } = await run(['approve', waiting.id, '--yes', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      operation_id: waiting.id,
      outcome: 'done',
      title: expect.stringMatching(/^Paid SAR /),
    });
  });

  test('points at an approval that is pending under other settings, and does not answer it', async () => {
    const { id, locator } = await paymentThatWaits();
    const listed = await run(['approve'], undefined, live);
    expect([listed.code, listed.stdout]).toEqual([0, 'No approvals are pending.\n']);
    expect(listed.stderr).toContain('under other settings');
    const asked = await run(['approve', id], locator, live);
    expect([asked.code, asked.stdout]).toEqual([1, '']);
    expect(asked.stderr).toContain('under other settings');
    await run(['approve', id, '--no']);
    expect((await run(['approve'], undefined, live)).stderr).not.toContain('under other settings');
  });

  test('refuses flags as answers with a real airline', async () => {
    const { code, stderr } = await run(['approve', 'x', '--yes'], undefined, live);
    expect(code).toBe(2);
    expect(stderr).toContain('for the sandbox only');
  });

  test.each([
    [['approve', '--yes'], 'need the id'],
    [['approve', 'x', '--yes', '--no'], 'opposites'],
    [['approve', 'x', 'y'], 'too many'],
    [['approve', '--yess'], 'Nearest: --yes'],
    [['approve', 'x', '--watch'], '--watch takes no id'],
    [['approve', 'x', '--no', '--watch'], '--watch takes no id'],
  ])('exits 2 for the arguments %j', async (argv, words) => {
    const { code, stderr } = await run(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  test('counts only one of two simultaneous answers', async () => {
    const waiting = await paymentThatWaits();
    const [yes, no] = await Promise.all([
      run(['approve', waiting.id, '--yes', '--json']),
      run(['approve', waiting.id, '--no', '--json']),
    ]);
    // The later one may find that nothing waits any more.
    const outcomes = [yes, no].flatMap(({ stdout }) => (stdout === '' ? [] : [JSON.parse(stdout).outcome]));
    const told = await afterwards(waiting);
    if (outcomes.includes('done')) expect(told.status).toMatch(/done$/);
    else {
      // The no came first, or took the yes back before it was carried out.
      expect(['E_APPROVAL_DECLINED', 'E_APPROVAL_EXPIRED']).toContain(told.error.code);
      expect(told.error).toMatchObject({ effect: 'none', message: expect.stringContaining('Nothing was sent') });
    }
  });
});
