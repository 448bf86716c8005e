import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvLine, csvTitles, jsonLine, periodOf } from '../../../src/cli/journal/export.ts';
import { UsageError } from '../../../src/config/load.ts';
import type { Operation } from '../../../src/journal/operation.ts';
import { freshState, screen } from '../screen.ts';
import { doneOperation } from './done-operation.ts';

const last = { n: 7, hash: 'ab12' };
const sheet = (...operations: Operation[]) =>
  [csvTitles(), ...operations.map((operation) => csvLine({ operation, last }))].join('');

describe('CSV', () => {
  it('writes CSV with a title for each column, one line per operation, and CRLF', () => {
    const text = sheet(
      doneOperation('11112222', {
        outcome: {
          basis: 'reply',
          tickets: [{ number: '770-1' }, { number: '770-2' }],
        },
      }),
    );
    const [titles = '', line = '', rest] = text.split('\r\n');
    const record = Object.fromEntries(titles.split(',').map((title, i) => [title, line.split(',')[i]]));
    expect(record).toEqual({
      created_at: '2026-12-01T08:00:00.000Z',
      tool: 'pay_booking',
      locator: 'ABC123',
      state: 'succeeded',
      direction: 'payment',
      charged: '172.50',
      charged_currency: 'SAR',
      refund: '',
      refund_currency: '',
      at_stake: '172.50',
      currency: 'SAR',
      tickets: '770-1 770-2',
      assurance: 'page',
      approved_by: '',
      caller: 'me',
      basis: 'reply',
      error: '',
      to_check: '',
      dispatched_at: '',
      updated_at: '2026-12-01T08:00:05.000Z',
      supersedes: '',
      operation_id: '11112222',
      number: '7',
      hash: 'ab12',
    });
    expect(rest).toBe('');
  });

  it('quotes what must be quoted, and lets no cell be a formula', () => {
    const line = sheet(
      doneOperation('x', {
        caller: '=HYPERLINK("http://evil.example","a")',
        approvedBy: '+1,2',
        outcome: { check: 'a "line"\nand another' },
      }),
    ).split('\r\n')[1];
    expect(line).toContain(`"'=HYPERLINK(""http://evil.example"",""a"")"`);
    expect(line).toContain(`"'+1,2"`);
    expect(line).toContain('"a ""line""\nand another"');
  });

  it('writes the record of `journal show` in each JSON line, with the number and hash of the last event', () => {
    const line = jsonLine({ operation: doneOperation('x'), last });
    expect(JSON.parse(line)).toMatchObject({ operation_id: 'x', state: 'succeeded', number: 7, hash: 'ab12' });
    expect(line.endsWith('\n')).toBe(true);
  });
});

describe('the period', () => {
  const day = Date.UTC(2026, 11, 1);
  it('includes the last day of a period, or ends it at a given time', () => {
    expect(periodOf('2026-12-01', '2026-12-01')).toEqual({ from: day, to: day + 86_400_000 });
    expect(periodOf('2026-12-01T03:00:00+03:00', undefined)).toEqual({ from: day });
    expect(periodOf(undefined, '2026-12-31')).toEqual({ to: Date.UTC(2027, 0, 1) });
    expect(periodOf(undefined, undefined)).toEqual({});
  });

  it.each(['yesterday', '2026-02-30', '2026-12-01T08:00:00', '01.12.2026', ''])('rejects %s as a period', (text) => {
    expect(() => periodOf(text, undefined)).toThrow(UsageError);
  });
});

describe('fareclerk journal export', () => {
  it('writes nothing, not even the titles, if the journal cannot be read', async () => {
    const env = freshState();
    const folder = join(env.FARECLERK_STATE_DIR ?? '', 'sandbox');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'fareclerk.sqlite'), 'not a database, and long enough to be taken for one', {
      mode: 0o600,
    });
    const { run, stdout, stderr } = screen(env);
    expect(await run('journal', 'export', '--csv')).not.toBe(0);
    expect([stdout(), stderr()]).toEqual(['', expect.stringContaining('fareclerk:')]);
  });

  it('writes every operation, and nothing if there are none', async () => {
    const env = freshState();
    const empty = screen(env);
    expect(await empty.run('journal', 'export', '--csv')).toBe(0);
    expect(empty.stdout().split('\r\n')).toHaveLength(2);
    expect(empty.stderr()).toMatch(/^Airline: .*\n0 operations exported\.\n$/);

    const date = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const search = screen(env);
    const legs = [{ from: 'QCA', to: 'XMD', date }];
    await search.run('call', 'search_fares', JSON.stringify({ legs, passengers: { adults: 1 }, max_results: 1 }));
    const booking = {
      offer_ids: JSON.parse(search.stdout()).offers[0].offer_id,
      contact: { given_name: 'Omar', surname: 'Haddad', email: 'omar@haddad.example' },
      passenger_counts: { adults: 1 },
      group_name: 'HADDAD',
    };
    const made = screen(env);
    expect(await made.run('call', 'create_booking', JSON.stringify(booking))).toBe(0);
    const { locator } = JSON.parse(made.stdout()).booking;

    const today = new Date().toISOString().slice(0, 10);
    const csv = screen(env);
    expect(await csv.run('journal', 'export', '--csv', '--from', today)).toBe(0);
    expect(csv.stdout()).toContain(`,create_booking,${locator},succeeded,`);
    expect(csv.stdout()).not.toContain('omar@haddad.example');
    expect(csv.stderr()).toMatch(/^Airline: .*\n1 operation exported\.\n$/);
    const before = screen(env);
    expect(await before.run('journal', 'export', '--to', '2026-01-01')).toBe(0);
    expect(before.stdout()).toBe('');
  });
});
