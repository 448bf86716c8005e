/**
 * One-shot calls in the sandbox: real sockets, a real store, each command a start of its own on the same state folder.
 */

import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CONTACT, passenger } from '../../support/people.ts';
import { freshState, screen } from '../screen.ts';

type Json = Record<string, never> & {
  readonly status?: string;
  readonly error?: { readonly code: string };
  readonly offers?: readonly { readonly offer_id: string; readonly total: string }[];
  readonly booking?: { readonly locator: string; readonly state: string };
  readonly approval?: { readonly id: string };
  readonly operation_id?: string;
};

async function call(env: Record<string, string>, argv: readonly string[], types?: readonly string[]) {
  const seen = screen(env, types && { types });
  const code = await seen.run('call', ...argv);
  return { code, json: JSON.parse(seen.stdout()) as Json, stderr: stripVTControlCharacters(seen.stderr()) };
}

const day = (after: number): string => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);

const SEARCH = JSON.stringify({
  legs: [{ from: 'QCA', to: 'XMD', date: day(20) }],
  passengers: { adults: 1 },
  booking_classes: ['C'],
});

async function hold(env: Record<string, string>): Promise<string> {
  const { json } = await call(env, ['search_fares', SEARCH]);
  const booking = {
    offer_ids: [json.offers?.[0]?.offer_id],
    contact: CONTACT,
    passengers: [passenger('P4402918')],
  };
  const made = await call(env, ['create_booking', JSON.stringify(booking)]);
  expect(made.code).toBe(0);
  return made.json.booking?.locator ?? '';
}

const payment = (locator: string, more: object = {}): string =>
  JSON.stringify({ locator, payment: { type: 'invoice' }, ...more });

describe('fareclerk call', () => {
  it('prints the result as JSON, the text with --text, and exits 1 on a tool error', async () => {
    const env = freshState();
    const found = await call(env, ['search_fares', SEARCH]);
    expect(found).toMatchObject({
      code: 0,
      json: { environment: 'sandbox' },
      stderr: expect.stringMatching(/^Airline: .*\n$/),
    });
    const text = screen(env);
    expect(await text.run('call', 'search_fares', SEARCH, '--text')).toBe(0);
    expect(text.stdout()).toMatch(/^\[sandbox\] /);
    const wrong = await call(env, ['search_fares', '{"legz": []}']);
    expect(wrong).toMatchObject({ code: 1, json: { error: { code: 'E_INPUT' } } });
  });
});

describe('the approval of a call', () => {
  it('takes a typed locator as yes and a typed no as no', async () => {
    const env = freshState();
    const locator = await hold(env);
    const no = await call(env, ['pay_booking', payment(locator)], ['no']);
    expect(no).toMatchObject({ code: 1, json: { error: { code: 'E_APPROVAL_DECLINED' } } });
    expect(no.stderr).toContain(`Type ${locator}`);
    expect(no.stderr).toMatch(/Pay SAR [\d,.]+\?/);
    const yes = await call(env, ['pay_booking', payment(locator)], [locator.toLowerCase()]);
    expect(yes.code).toBe(0);
    expect(yes.json.booking).toMatchObject({ locator, state: 'ticketed' });
    const journal = screen(env);
    expect(await journal.run('journal')).toBe(0);
    expect(JSON.parse(journal.stdout())[0]).toMatchObject({
      tool: 'pay_booking',
      state: 'succeeded',
      assurance: 'page',
    });
  });

  it('keeps the approval pending if the person leaves without an answer', async () => {
    const env = freshState();
    const locator = await hold(env);
    const left = await call(env, ['pay_booking', payment(locator)], ['\u0003']);
    expect(left).toMatchObject({ code: 1, json: { status: 'approval_required' } });
    const id = String(left.json.operation_id);
    expect(left.stderr).toContain('Not answered. Nothing was decided, and nothing was sent. `');
    expect(await screen(env, { types: [locator] }).run('approve', id)).toBe(0);
    const told = await call(env, ['pay_booking', payment(locator, { approval_id: left.json.approval?.id })]);
    expect(told.json).toMatchObject({ status: 'done', operation_id: id });
  });

  it('records no person as approver with --yes, even if the settings require the page', async () => {
    const env = { ...freshState(), FARECLERK_APPROVAL: 'page', FARECLERK_PAGE_ABOVE: '1' };
    const locator = await hold(env);
    const paid = await call(env, ['pay_booking', payment(locator), '--yes']);
    expect(paid).toMatchObject({ code: 0, json: { status: 'done', booking: { state: 'ticketed' } } });
    const journal = screen(env);
    await journal.run('journal', 'list', '--limit', '1');
    expect(JSON.parse(journal.stdout())).toMatchObject([{ tool: 'pay_booking', assurance: 'caller_confirmed' }]);
  });

  it('sends nothing without a keyboard, and lets a second call continue', async () => {
    const env = freshState();
    const locator = await hold(env);
    const asked = await call(env, ['pay_booking', payment(locator)]);
    expect(asked).toMatchObject({ code: 0, json: { status: 'approval_required' } });
    const paid = await call(env, ['pay_booking', payment(locator, { approval_id: asked.json.approval?.id })]);
    expect(paid).toMatchObject({ code: 0, json: { status: 'done' } });
  });
});

describe('the journal', () => {
  it('lists nothing before the first operation, and listing creates no file', async () => {
    const env = freshState();
    const empty = screen(env);
    expect([await empty.run('journal'), empty.stdout()]).toEqual([0, '[]\n']);
    const onScreen = screen(env, { stdoutIsTerminal: true });
    expect(await onScreen.run('journal')).toBe(0);
    expect(onScreen.stdout()).toContain('No operations');
  });

  it('shows, verifies and reconciles the journal', async () => {
    const env = freshState();
    const locator = await hold(env);
    const list = screen(env, { stdoutIsTerminal: true });
    await list.run('journal');
    expect(list.stdout()).toMatch(new RegExp(`create_booking +${locator} +succeeded`));
    const id = /([0-9a-f]{8})\n$/.exec(list.stdout())?.[1] ?? '';
    const one = screen(env);
    expect(await one.run('journal', 'show', id)).toBe(0);
    const shown = JSON.parse(one.stdout());
    expect(shown).toMatchObject({ locator, state: 'succeeded' });
    expect(shown.events.map(({ to }: { to: string }) => to)).toEqual(['intent', 'dispatched', 'succeeded']);
    const words = screen(env, { stdoutIsTerminal: true });
    await words.run('journal', 'show', id);
    expect(words.stdout()).toMatch(/dispatched → succeeded/);
    expect(await screen(env).run('journal', 'show', 'nothing-begins-so')).toBe(1);
    const whole = screen(env);
    expect([await whole.run('journal', 'verify'), JSON.parse(whole.stdout())]).toMatchObject([0, { whole: true }]);
    const settled = screen(env);
    expect(await settled.run('journal', 'reconcile')).toBe(0);
    expect(JSON.parse(settled.stdout())).toEqual({ settled: 0, waiting: 0, needs_person: 0 });
  });

  it('exits 1 if something else changed the journal', async () => {
    const env = freshState();
    await hold(env);
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(`${env.FARECLERK_STATE_DIR}/sandbox/fareclerk.sqlite`);
    const triggers = db.prepare("select name from sqlite_master where type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`drop trigger "${String(name)}"`);
    const [table] = db.prepare("select name from sqlite_master where type = 'table' and name like '%event%'").all();
    db.exec(`update ${String(table?.name)} set actor = 'somebody else' where seq = 2`);
    db.close();
    const broken = screen(env);
    expect(await broken.run('journal', 'verify')).toBe(1);
    expect(JSON.parse(broken.stdout())).toMatchObject({ whole: false });
  });
});
