/** `fareclerk journal`, `pause` and `resume`: what people and programs read, and what they decide. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { main } from '../../../src/main.ts';
import { expectGolden } from '../../support/golden.ts';
import { call, openState } from '../desk.ts';
import { freshState, type Person, ran, screen, stateFile } from '../screen.ts';
import { journalOf } from './operations.ts';

const SAR = (minor: number) => ({ minor, currency: 'SAR' });
const SCREEN: Person = { stdoutIsTerminal: true, columns: 120 };
const FIRST = '1f2e3d4c-0000-4000-8000-000000000001';
const needsPerson = { state: 'needs_person', outcome: { check: 'A person must check.' } } as const;

const journal = (env: Record<string, string>, ...argv: readonly string[]) => ran(env, ['journal', ...argv]);
const read = async (env: Record<string, string>, ...argv: readonly string[]) =>
  (await ran(env, ['journal', ...argv], SCREEN)).stdout;

describe('what the journal says of operations', () => {
  const refund = {
    tool: 'cancel_segment',
    direction: 'refund',
    subject: { kind: 'cancel_segments' } as never,
  } as const;
  const rebook = { tool: 'rebook_segment', subject: { kind: 'rebook_segment', earlierPayments: [] } };
  const TRIP = ['HHR101 MED → JED, Wed 9 Dec 2026', 'HHR202 JED → MED, Fri 11 Dec 2026'];
  const back = { refund: { amount: SAR(15_950) } };
  const OPERATIONS: Parameters<typeof journalOf>[0] = {
    'aaaa-paid': { outcome: { tickets: [{ number: '770-1' }, { number: '770-2' }] }, more: { locator: 'ABC555' } },
    'bbbb-refund-stated': { outcome: back, more: refund },
    'cccc-refund-not-stated': { more: refund },
    'dddd-rebooked-for-a-charge': { outcome: { charge: { amount: SAR(9_200) } }, more: rebook },
    'eeee-rebooked-for-a-refund': { outcome: { refund: { amount: SAR(100) } }, more: rebook },
    'ffff-rebooked-not-stated': { more: rebook },
    'gggg-lost-hold': {
      state: 'in_doubt',
      more: { tool: 'create_booking', locator: 'NEW123', subject: { kind: 'create', trip: TRIP } as never },
    },
    'hhhh-sent': { state: 'dispatched', more: { ...refund, locator: 'ABC123' } },
    'iiii-asks-a-person': { ...needsPerson, outcome: { check: 'a "line"\nand another', ...back }, more: refund },
    'jjjj-refused': { state: 'refused', outcome: back, more: { ...refund, caller: '=HYPERLINK("http://x","a")' } },
    'kkkk-by-nobody': { more: { assurance: 'caller_confirmed', tenant: 'sandbox', approvedBy: '+1,2' } },
    'llll-by-the-model': {
      more: { assurance: 'caller_confirmed', trace: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
    },
  };
  const known = { locator: 'ABC555', madeHere: true, seenAt: 1000, state: 'held' } as const;

  it('is read by people as a list and one by one, with trip, money and who said yes', async () => {
    const env = await journalOf(OPERATIONS);
    const state = await openState(env);
    await state.ledger.record(
      { tenant: 't', id: 'me' },
      { ...known, route: 'RUH-DMM', departs: '2026-12-01T08:00:00+03:00' },
    );
    await state.close();
    const scenes: Record<string, string> = { list: await read(env) };
    // The others differ from one of these in what the list shows.
    for (const id of Object.keys(OPERATIONS).filter((one) => !/sent|refused|refund$/.test(one.slice(5)))) {
      const { operation_id, created_at, dispatched_at, updated_at, events, ...facts } = JSON.parse(
        await read(env, 'show', id),
      );
      scenes[id.slice(5).replaceAll('-', ' ')] = JSON.stringify(facts, undefined, 2);
    }
    await expectGolden('journal/operations', scenes);
    const shown = (await journal(env, 'show', 'gggg')).json();
    expect(shown).toMatchObject({ trip: TRIP.join('; '), at_stake: '172.50', currency: 'SAR' });
    expect(shown).not.toHaveProperty('charged');
    expect(shown.events.map(({ to }: { to: string }) => to)).toEqual(['intent', 'dispatched', 'in_doubt']);
  });

  it('is exported for spreadsheets and programs; no cell is a formula', async () => {
    const env = await journalOf(OPERATIONS);
    const { code, stdout, stderr } = await journal(env, 'export', '--csv');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Airline: .*\n12 operations exported\.\n$/)]);
    expect(stdout).toMatch(/^[^\n]+\r\n[^\n]+\r\n/);
    await expectGolden('journal/export', {
      csv: stdout.replaceAll('\r\n', '\n').replaceAll(/,[0-9a-f]{64}$/gm, ',HASH'),
    });
    const lines = (await journal(env, 'export')).stdout.trimEnd().split('\n');
    const first = JSON.parse(lines[0] ?? '');
    expect(first).toMatchObject({ operation_id: 'aaaa-paid', charged: '172.50', tickets: ['770-1', '770-2'] });
    expect([first.number, first.hash]).toEqual([expect.any(Number), expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it('is cut by a full disk: the command says so, and shows no stack', async () => {
    const env = await journalOf(OPERATIONS);
    const refusing = (after: number, ...argv: string[]) => {
      const seen = screen(env);
      let writes = 0;
      const stdout = new Writable({
        write: (_chunk, _encoding, done) =>
          done(++writes > after ? Object.assign(new Error('no space'), { code: 'ENOSPC' }) : null),
      });
      return { seen, code: main(argv, { ...seen.terminal, stdout: Object.assign(stdout, { isTTY: false }) } as never) };
    };
    const exported = refusing(1, 'journal', 'export', '--csv');
    expect(await exported.code).toBe(1);
    expect(exported.seen.stderr()).toMatch(/could not be written to its end \(ENOSPC\), so it is cut\./);
    expect(exported.seen.stderr()).not.toMatch(/\n\s+at /);
    const listed = refusing(0, 'journal', 'list');
    expect(await listed.code).toBe(1);
    expect(listed.seen.stderr()).toContain('What the command did is done.');
  });

  it('is exported by days of UTC, the last one included', async () => {
    const [day, hour] = [Date.UTC(2026, 11, 1), 3_600_000];
    const env = await journalOf({ eve: { at: day - 1 }, morning: { at: day }, evening: { at: day + 24 * hour - 1 } });
    const exported = async (line: string) => {
      const { stdout } = await journal(env, 'export', ...line.split(' '));
      return stdout.split('\n').flatMap((each) => (each === '' ? [] : [JSON.parse(each).operation_id]));
    };
    expect(await exported('--from 2026-12-01 --to 2026-12-01')).toEqual(['morning', 'evening']);
    expect(await exported('--to 2026-11-30')).toEqual(['eve']);
    expect(await exported('--to 2026-11-29')).toEqual([]);
    for (const day of ['yesterday', '2026-02-30', '2026-12-01T03:00:00+03:00', '01.12.2026', ''])
      expect([day, (await journal(env, 'export', '--from', day)).code]).toEqual([day, 2]);
  });

  it('is nothing before the first operation, and looking creates no file', async () => {
    const env = freshState();
    expect(await journal(env)).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(await read(env)).toContain('No operations');
    const exported = await journal(env, 'export', '--csv');
    expect([exported.code, exported.stdout.split('\r\n').length]).toEqual([0, 2]);
    expect((await journal(env, 'verify', '--expect', `3:${'0'.repeat(64)}`)).code).toBe(1);
    expect(existsSync(dirname(stateFile(env)))).toBe(false);
  });

  it('is not exported, not even the titles, if the journal cannot be read', async () => {
    const env = await journalOf({});
    writeFileSync(stateFile(env), 'not a database, and long enough to be taken for one', { mode: 0o600 });
    const { code, stdout, stderr } = await journal(env, 'export', '--csv');
    expect([code > 0, stdout, stderr]).toEqual([true, '', expect.stringContaining('fareclerk:')]);
  });
});

describe('fareclerk journal verify', () => {
  it('prints the head and accepts it as --expect', async () => {
    const env = await journalOf({ [FIRST]: needsPerson });
    const { code, json } = await journal(env, 'verify');
    const { head } = json();
    expect([code, json(), head]).toMatchObject([0, { whole: true }, expect.stringMatching(/^3:[0-9a-f]{64}$/)]);
    expect((await journal(env, 'verify', '--expect', head)).code).toBe(0);
    const later = await journal(env, 'verify', '--expect', head.replace('3:', '4:'));
    expect([later.code, later.json()]).toMatchObject([1, { whole: true, expected: false }]);
    expect((await journal(env, 'verify', '--expect', '3')).code).toBe(2);
    expect(await read(env, 'verify')).toContain(`Head: ${head}`);
  });

  it('exits 1 if something else changed the journal', async () => {
    const env = await journalOf({ [FIRST]: {} });
    const db = new DatabaseSync(stateFile(env));
    const triggers = db.prepare("select name from sqlite_master where type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`drop trigger "${String(name)}"`);
    const [table] = db.prepare("select name from sqlite_master where type = 'table' and name like '%event%'").all();
    db.exec(`update ${String(table?.name)} set actor = 'somebody else' where seq = 2`);
    db.close();
    const broken = await journal(env, 'verify');
    expect([broken.code, broken.json()]).toMatchObject([1, { whole: false }]);
  });
});

describe('fareclerk journal reconcile', () => {
  it('counts what it settled and what is still open', async () => {
    const env = await journalOf({ [FIRST]: {} });
    const { code, json } = await journal(env, 'reconcile');
    expect([code, json()]).toEqual([0, { settled: 0, waiting: 0, needs_person: 0 }]);
  });
});

describe('fareclerk journal resolve', () => {
  it('closes an operation that you checked and removes it from the list of those that need one', async () => {
    const env = await journalOf({ [FIRST]: needsPerson, [FIRST.replace('1f2e', '2f2e')]: needsPerson });
    const listed = async () => (await journal(env, 'list', '--state', 'needs_person')).json();
    expect(await listed()).toHaveLength(2);
    const { code, stdout, json } = await journal(
      env,
      'resolve',
      '1f2e',
      '--note',
      'it is  paid',
      '--by',
      'Ann of the desk',
    );
    const resolved = { by: 'Ann of the desk', note: 'it is paid' };
    expect([code, json()]).toMatchObject([0, { state: 'resolved', resolved }]);
    expect(stdout).not.toContain('noteSalt');
    expect(await listed()).toHaveLength(1);
    expect(await read(env, 'show', '1f2e')).toContain('"by": "Ann of the desk"');
    expect((await journal(env, 'resolve', '1f2e', '--note', 'again')).code).toBe(1);
    expect((await journal(env, 'verify')).code).toBe(0);
  });

  it('requires a note and one operation to resolve', async () => {
    const env = await journalOf({ [FIRST]: needsPerson, [FIRST.replace('01', '02')]: needsPerson });
    for (const argv of [['resolve', FIRST], ['resolve']]) expect((await journal(env, ...argv)).code).toBe(2);
    expect(await journal(env, 'resolve', '1f2e', '--note', 'x')).toMatchObject({ code: 1, stdout: '' });
    expect((await journal(env, 'show', 'nothing-begins-so')).code).toBe(1);
  });
});

describe('fareclerk journal restored', () => {
  it('does nothing if sending is neither blocked nor paused, and says what to do without second records', async () => {
    const env = await journalOf({ [FIRST]: needsPerson });
    const { code, json } = await journal(env, 'restored');
    expect([code, json()]).toEqual([0, { held: false }]);
    expect(await read(env, 'restored')).toMatch(/second records are lost, run `fareclerk pause "restored a copy"/);
  });

  it('holds paused sending until seven minutes after the pause, and resume refuses until then', async () => {
    const env = await journalOf({ [FIRST]: {} });
    await ran(env, ['pause', 'restored a copy']);
    const [, since = ''] = /paused sending at (\S+):/.exec((await ran(env, ['doctor'])).stdout) ?? [];
    const { code, json } = await journal(env, 'restored');
    const { allowed_at: allowedAt, ...said } = json();
    const nothing = { links: 0, operations: [], bookings_read: [], bookings_unread: [] };
    expect([code, said]).toEqual([0, { held: true, ...nothing }]);
    expect(Math.floor((Date.parse(allowedAt) - Date.parse(since)) / 1000)).toBe(7 * 60);

    const refused = await ran(env, ['resume']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const until = `Sending is allowed again at ${allowedAt.slice(0, 19)}Z.`;
    expect(refused.stderr).toContain(`no second record says what it lacks. ${until} Run \`fareclerk resume `);
    expect((await journal(env, 'verify')).json()).toMatchObject({ whole: true, held: expect.stringContaining(until) });
    expect(await read(env, 'restored')).toMatch(
      /^No second record says what the copy lacks\. .* Then end the pause with/,
    );

    const state = await openState(env);
    expect(await state.chain.release({ at: 0, by: 'ann', links: 0 }, Date.now())).toBe('released');
    await state.close();
    expect((await ran(env, ['resume'])).stdout).toBe('Sending is no longer paused.\n');
    expect((await journal(env, 'verify')).json()).not.toHaveProperty('held');
  });

  it('is asked for by resume while a higher number of the chain is known, with the time until when', async () => {
    const env = await journalOf({ [FIRST]: needsPerson });
    await journal(env, 'restored');
    rmSync(stateFile(env));
    await ran(env, ['pause', 'restored a copy']);
    const { code, stderr } = await ran(env, ['resume']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/Run `fareclerk journal restored .*`\. Sending is then allowed/),
    ]);
    const [, since = '', at = ''] = /held since (\S+): .* again at (\S+) or later/.exec(stderr) ?? [];
    expect(Date.parse(at) - Date.parse(since)).toBe(7 * 60_000);
    expect((await ran(env, ['doctor', '--json'])).stdout).toContain('"sending_held"');
  });

  it('starts fresh after the whole sandbox folder is deleted, but not after its journal alone', async () => {
    const env = await journalOf({ [FIRST]: needsPerson });
    expect((await call(env, 'list_routes')).code).toBe(0);
    rmSync(stateFile(env));
    expect((await ran(env, ['doctor', '--json'])).stdout).toContain('"sending_held"');
    for (const name of ['fareclerk.sqlite', 'airline.sqlite']) rmSync(join(dirname(stateFile(env)), name));
    expect(existsSync(join(dirname(stateFile(env)), 'witness'))).toBe(true);
    expect((await journal(env, 'restored')).stdout).toContain('"held": false');
  });
});

describe('fareclerk doctor, of the journal', () => {
  const found = async (env: Record<string, string>) => {
    const { checks } = (await ran(env, ['doctor', '--json'])).json();
    return checks.find(({ id }: { id: string }) => id === 'journal');
  };

  it('advises to ask the airline and to close what a person must check, which no reading can settle', async () => {
    const env = await journalOf({ [FIRST]: needsPerson });
    expect(await found(env)).toMatchObject({
      finding: 'operations_need_person',
      said: 'Operations to check with the airline: 1.',
      advice: expect.stringMatching(/^(?!.*reconcile).*fareclerk journal resolve ID/),
    });
  });

  it('says that the journal is whole', async () => {
    const env = await journalOf({ [FIRST]: {} });
    expect(await found(env)).toMatchObject({ level: 'ok', said: 'Whole, nothing in doubt' });
  });
});

describe('fareclerk pause and resume', () => {
  it('stops sending and allows it again, by a named person, and shows it in doctor', async () => {
    const env = await journalOf({ [FIRST]: {} });
    const paused = await ran(env, ['pause', 'the airline asked us', '--by', 'Ann']);
    expect(paused).toMatchObject({ code: 0, stdout: expect.stringContaining('“Ann” paused sending at ') });
    expect((await ran(env, ['doctor', '--json'])).stdout).toContain('"sending_paused"');
    expect((await ran(env, ['resume'])).stdout).toBe('Sending is no longer paused.\n');
    expect((await ran(env, ['resume'])).stdout).toBe('Sending was not paused.\n');
    expect((await ran(env, ['pause'])).code).toBe(2);
    expect((await journal(env, 'verify')).code).toBe(0);
  });
});
