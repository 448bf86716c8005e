/** `fareclerk findings` and `fareclerk forget`, on the sandbox's state. */
import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashId, newDetailsId } from '../../../src/details/seal.ts';
import { detailsOf } from '../../details/store-suite.ts';
import { putBack } from '../../store/support/journals.ts';
import { newOperation } from '../../store/support/new-operation.ts';
import { openState } from '../desk.ts';
import { freshState, ran, stateFile } from '../screen.ts';

type Env = ReturnType<typeof freshState>;
type State = Awaited<ReturnType<typeof openState>>;

async function within<T>(env: Env, use: (state: State) => Promise<T>): Promise<T> {
  const state = await openState(env);
  return use(state).finally(() => state.close());
}

describe('fareclerk findings', () => {
  const FINDING: Parameters<State['findings']['add']>[0][number] = {
    ...{
      id: 'abcdefgh-1',
      tenant: 'sandbox',
      locator: 'ABC123',
      kind: 'segment_cancelled',
      seenAt: Date.now(),
      since: 1,
    },
    segment: { from: 'QCA', to: 'XMD', number: '101', departs: '2099-01-01T08:00:00+03:00' },
    ...{ before: { status: 'confirmed' }, after: { status: 'cancelled' } },
  };

  it('lists what is open, of all tenants, and closes by locator or by id', async () => {
    const env = freshState();
    const findings = (...argv: readonly string[]) => ran(env, ['findings', ...argv]);
    expect(await findings()).toMatchObject({ code: 0, stderr: expect.stringContaining('There is no state yet') });
    const other = { ...FINDING, id: 'zyxwvuts-2', locator: 'XYZ789', tenant: 'other' };
    await within(env, ({ findings: kept }) => kept.add([FINDING, other]));
    const { code, stdout } = await findings();
    expect([code, stdout]).toEqual([0, expect.stringContaining('XYZ789 (other)')]);
    expect(stdout).toMatch(/^abcdefgh +ABC123 +\S+ +train 101 QCA → XMD on Thu 1 Jan was cancelled by the airline/m);
    expect((await findings('close')).code).toBe(2);
    const closed = await findings('close', 'abc123', 'NOSUCH', '--by', 'ann');
    expect(closed).toMatchObject({ code: 1, stdout: 'Closed: 1\n', stderr: expect.stringContaining('NOSUCH') });
    expect((await findings('close', 'zyxwvuts')).code).toBe(0);
    expect(await findings()).toMatchObject({ code: 0, stderr: expect.stringContaining('No open findings.') });
    await within(env, async ({ findings: kept }) => {
      const all = [...(await kept.list(undefined, { limit: 10 }))].sort((a, b) => (a.locator < b.locator ? -1 : 1));
      const byAnn = { locator: 'ABC123', closedBy: expect.stringContaining('ann') };
      expect(all).toMatchObject([byAnn, { locator: 'XYZ789', closedAt: expect.any(Number) }]);
    });
  });
});

describe('fareclerk forget', () => {
  const ME = { tenant: 'sandbox', id: 'os:me' };
  const erase = ['forget', '--name', 'Jane Doe', '--yes'];

  /** The sandbox's state, with two bookings of Jane Doe. */
  async function desk() {
    const env = freshState();
    const jane = { madeHere: true, seenAt: Date.now(), state: 'held', contactName: 'Jane Doe' } as const;
    await within(env, async ({ ledger }) => {
      for (const locator of ['ABC123', 'DEF456']) await ledger.record(ME, { ...jane, locator });
    });
    const listed = () =>
      within(env, async ({ ledger }) => {
        const { entries } = await ledger.find(ME, { limit: 10 });
        return entries.map(({ locator }) => locator).toSorted();
      });
    return { env, listed };
  }

  it('shows what goes and erases it only after a yes', async () => {
    const { env, listed } = await desk();
    const answering = (typed: string) => ({
      replies: [[/:$/, `${typed}\n`]] as const,
      stdoutIsTerminal: typed === 'yes',
    });
    const no = await ran(env, ['forget', '--name', 'DOE/JANE'], answering('no'));
    expect([no.code, no.json()]).toMatchObject([1, { erased: false }]);
    expect(no.stderr).toContain('  what is kept of ABC123, DEF456, in all lists, and addresses of tickets');
    expect(await listed()).toEqual(['ABC123', 'DEF456']);
    const yes = await ran(env, ['forget', '--locator', 'abc123'], answering('yes'));
    expect(yes).toMatchObject({ code: 0, stdout: expect.stringContaining('Erased.') });
    expect(yes.shown).not.toMatch(/jane/i);
    expect(await listed()).toEqual(['DEF456']);
  });

  it('says which bookings it finds by surname and initial alone', async () => {
    const { env } = await desk();
    const group = { madeHere: true, seenAt: Date.now(), state: 'held', travelers: ['Doe J.'] } as const;
    await within(env, ({ ledger }) => ledger.record(ME, { ...group, locator: 'GROUP1' }));
    const { code, json, stderr } = await ran(env, erase);
    const erased = { erased: true, bookings: ['ABC123', 'DEF456', 'GROUP1'], by_initial: ['GROUP1'] };
    expect([code, json()]).toMatchObject([0, erased]);
    expect(stderr).toContain("found only by a traveller's surname and initial: GROUP1. If that is another person");
  });

  it('erases a customer by the key of one desk, and asks whose where two have it', async () => {
    const { env, listed } = await desk();
    const booking = { locator: 'DEF456', madeHere: true, seenAt: Date.now(), state: 'held', contactName: 'Jane Doe' };
    await within(env, async ({ ledger }) => {
      for (const tenant of ['sandbox', 'other']) await ledger.setCustomer({ ...ME, tenant }, booking, 'CRM-7');
    });
    const ofKey = ['forget', '--customer', ' CRM-7 ', '--yes'];
    const asked = await ran(env, ofKey);
    expect(asked).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--tenant: (sandbox, other|other, sandbox)\./),
    });
    const { code, json, stderr } = await ran(env, [...ofKey, '--tenant', 'sandbox']);
    expect([code, json(), stderr]).toMatchObject([
      ...[0, { erased: true, bookings: ['DEF456'], keys: 1 }],
      expect.stringContaining(' and 1 key of the customer'),
    ]);
    expect(await listed()).toEqual(['ABC123']);
  });

  it('erases without a terminal only with --yes', async () => {
    const { env, listed } = await desk();
    const refused = await ran(env, ['forget', '--locator', 'ABC123']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    const { code, json, stderr } = await ran({ ...env, FARECLERK_RECORD_FILE: '/srv/record' }, erase);
    const erased = { erased: true, bookings: ['ABC123', 'DEF456'], open: [] };
    expect([code, json(), stderr]).toMatchObject([0, erased, expect.stringContaining('/srv/record')]);
    expect(await listed()).toEqual([]);
  });

  it('erases open details forms, of whoever, and says how many', async () => {
    const { env } = await desk();
    const id = newDetailsId();
    const form = { ...detailsOf(id, Date.now()), tenant: 'sandbox' };
    await within(env, ({ details }) => details.open(form));
    const found = () => within(env, async ({ details }) => (await details.find(hashId(id), Date.now())) !== undefined);
    const nobody = ['forget', '--name', 'Ann Other', '--yes'];
    const asked = await ran(env, ['forget', '--name', 'Ann Other'], { replies: [[/:$/, 'no\n']] });
    expect([asked.json(), await found()]).toMatchObject([{ erased: false, details_forms: 1 }, true]);
    expect(asked.stderr).toContain(
      '  1 open details form, of every traveller, because what is entered there is sealed',
    );
    expect((await ran(env, nobody)).json()).toMatchObject({ erased: true, bookings: [], details_forms: 1 });
    expect(await found()).toBe(false);
    const again = await ran(env, nobody);
    expect([again.json().details_forms, again.stderr]).toEqual([0, expect.not.stringContaining('details form')]);
  });

  it('keeps a booking with an open operation, and says what to do', async () => {
    const { env, listed } = await desk();
    const meta = { now: Date.now(), owner: 'p', leaseUntil: Date.now() + 600_000 };
    await within(env, ({ operations }) => operations.insert(newOperation('op1', { tenant: 'sandbox' }), meta));
    const { code, json, stderr } = await ran(env, erase);
    const open = [{ operation_id: 'op1', state: 'intent', booking: 'ABC123' }];
    expect([code, json()]).toMatchObject([1, { bookings: ['DEF456'], open }]);
    expect(stderr).toContain(' journal reconcile --sandbox --state-dir ');
    expect(await listed()).toEqual(['ABC123']);
  });

  it('prints the lines that erase the person from a restored copy, and none has a name', async () => {
    const { env, listed } = await desk();
    const copy = `${env.FARECLERK_STATE_DIR}/copy.sqlite`;
    cpSync(stateFile(env), copy);
    const erased = await ran(env, [...erase, '--customer', "CRM 7's"], { stdoutIsTerminal: true });
    expect(erased).toMatchObject({ code: 0, stdout: expect.stringContaining('restore a copy of the state') });
    expect(erased.stdout).not.toMatch(/jane|doe/i);
    const noted = [...erased.stdout.matchAll(/^ {2}`fareclerk (.*)`$/gm)].map(([, line = '']) => line);
    const where = `--yes --sandbox --state-dir ${env.FARECLERK_STATE_DIR}`;
    expect(noted).toEqual([
      `forget --locator ABC123 ${where}`,
      `forget --locator DEF456 ${where}`,
      `forget --customer 'CRM 7'\\''s' ${where}`,
    ]);
    putBack(copy, stateFile(env));
    expect(await listed()).toEqual(['ABC123', 'DEF456']);
    for (const line of noted.slice(0, 2)) expect((await ran(env, line.split(' '))).code).toBe(0);
    expect(await listed()).toEqual([]);
    expect((await ran(env, erase)).json().after_a_restore).toEqual([]);
  });

  it('makes no state where there is none', async () => {
    const { code, stderr } = await ran(freshState(), ['forget', '--locator', 'ABC123', '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no state')]);
  });
});
