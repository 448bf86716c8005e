/**
 * What a person reads on the page of a question, and of each thing that may have become of it.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { pendingApproval } from '../../support/approvals.ts';
import { expectGolden } from '../../support/golden.ts';
import { openPage } from './support/desk-of.ts';
import { enter, headingOf, type Page, type Visitor, visible } from './support/page-client.ts';

let approval = pendingApproval();
let operation: object | undefined;
let now = 1_000;
let decide = async (): Promise<object> => Promise.reject(new Error('pressed'));
const failures: unknown[] = [];
const page = await openPage({
  environment: 'live',
  find: async () => approval,
  operation: async () => operation as never,
  decide: () => decide() as never,
  now: () => now,
  log: { failure: ({ error }) => void failures.push(error) },
});
afterAll(() => page.close());

/** Enters the page as it is at this time. */
async function visit(over: Parameters<typeof pendingApproval>[0] = {}, entered?: object): Promise<Visitor> {
  [approval, operation, now] = [pendingApproval({ operationId: crypto.randomUUID(), ...over }), entered, 1_000];
  return enter(page.addressFor(approval));
}
/** Without what every page has. */
const textOf = (shown: Page) => visible(shown).replaceAll(/^fareclerk\n|\nReference [0-9a-f]{8}$/g, '');

describe('a question', () => {
  test('says what happens, who asks and until when; no comes first, and no word of programs', async () => {
    const sections = [
      { kind: 'act' as const, lines: ['Pay SAR 172.50 for booking ABC123'] },
      { kind: 'caution' as const, lines: ['It may be paid already.'] },
      { kind: 'refund' as const, lines: ['SAR 86.25 comes back.', 'After Tue nothing.'] },
      { kind: 'trip' as const, lines: ['Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3)'] },
      { kind: 'people' as const, lines: ['Amal Haddad'] },
      { kind: 'note' as const, lines: ['Seats are not kept.'] },
      { kind: 'computed' as const, lines: ['2 × 3 = 6'] },
    ];
    const client = { name: 'A & B', version: '1.4.2' };
    const questions = {
      'of a payment': await visit({ caller: 'os:ann', client, near: '2026-12-09T18:40:00+03:00', sections }),
      'of a change': await visit({ nature: 'change', act: 'Change names', caller: 'oauth:ann%20lee:desk' }),
      'of a cancellation, by a program without a name': await visit({
        ...{ nature: 'cancellation', act: 'Cancel every train', caller: 'os:100%' },
        client: { name: ' \u202e\u0007 ', version: '9' },
        carried: { args: {}, operation: { direction: 'refund', amount: { minor: 8_625, currency: 'SAR' } } },
      }),
      'of a cancellation that moves no money, about a booking that it names': await visit({
        ...{ nature: 'cancellation', act: 'Release hold ABC123', caller: 'os:ann' },
        about: { people: ['Amal Haddad'], count: 1, airline: 'HHR, api.airline.example', agency: 'A1' },
      }),
      'of a cancellation with a long sentence': await visit({
        ...{ nature: 'cancellation', act: 'Cancel every train of ABC123, refund about SAR 86.25', caller: 'os:ann' },
        carried: {
          args: {},
          operation: { direction: 'refund', outcome: { estimate: { amount: { minor: 8_625, currency: 'SAR' } } } },
        },
      }),
      'of a cancellation whose refund depends on a condition': await visit({
        ...{
          nature: 'cancellation',
          act: 'Cancel every train of ABC123, on a condition of the airline',
          caller: 'os:ann',
        },
        sections: [
          { kind: 'refund', lines: ["The airline's condition: “Health reasons only”", 'SAR 86.25 comes back.'] },
        ],
        carried: {
          args: {},
          operation: {
            direction: 'refund',
            outcome: {
              estimate: { amount: { minor: 8_625, currency: 'SAR' }, conditions: [{ says: 'Health reasons only' }] },
            },
          },
        },
      }),
      'of a change that costs at most a sum': await visit({
        ...{ act: 'Change train HHR101 of ABC123 to HHR105, up to about SAR 50.00', caller: 'os:ann' },
        carried: {
          args: {},
          operation: { direction: 'payment', isUpperBound: true, amount: { minor: 5_000, currency: 'SAR' } },
        },
      }),
      'of a program with a long name, with a minute left': await visit({
        ...{ expiresAt: 61_000, client: { name: 'x'.repeat(500), version: 'y'.repeat(500) } },
      }),
      'at the last moment': await visit({ expiresAt: 60_000 }),
    };
    for (const { page } of Object.values(questions)) {
      expect([...page.body.matchAll(/<button[^>]*value="(\w+)"/g)].map(([, value]) => value)).toEqual(['no', 'yes']);
      expect(page.body).not.toMatch(/<script(?! type="module">)|autofocus|onclick|javascript:/i);
      expect(visible(page)).not.toMatch(/pay_booking|\bterms\b|\boperation\b|e_[a-z]/i);
    }
    const looks = Object.values(questions).map(({ page }) => /<body class="(\w+)"/.exec(page.body)?.[1]);
    expect(looks).toEqual([
      ...[
        'payment',
        'change',
        'cancellation',
        'change',
        'cancellation',
        'cancellation',
        'payment',
        'payment',
        'payment',
      ],
    ]);
    const { body } = questions['of a payment'].page;
    expect(body).toMatch(/<details><summary>How this was computed<\/summary>\s*<p>2 × 3 = 6/);
    expect(body).toContain('<time datetime="1970-01-01T00:10:01.000Z">00:10 (UTC)</time>');
    const texts = Object.entries(questions).map(([title, { page }]) => [title, textOf(page)]);
    await expectGolden('page/question', Object.fromEntries(texts));
  });
});

describe('what became of a question', () => {
  const entered = (state: string, outcome: object = {}) => ({
    ...{ id: 'op-1', state, locator: 'ABC123', outcome },
    subject: { kind: 'cancel_booking' },
  });
  const granted = { decision: 'granted' as const };
  const stale = { ...granted, staleLines: ['Pay SAR 199.00 for booking ABC123'] };
  const error = {
    ...{ code: 'E_PAYMENT_DECLINED', effect: 'none', retry: 'never' },
    message: 'The airline declined the payment. Nothing was charged.',
    next: 'Call pay_booking again.',
    airline: { title: 'Declined <b>', correlationId: 'c-1' },
  };

  test('reads in words, for each thing that may have', async () => {
    const cases: Record<string, [Parameters<typeof visit>[0], object?]> = {
      declined: [{ decision: 'declined' }],
      'granted, and not begun': [granted],
      'granted, and void': [{ decision: 'void' }],
      'granted too late': [{ ...granted, expiresAt: 1_000 }],
      'nobody answered': [{ expiresAt: 1_000 }],
      'other terms': [stale],
      'about to be sent, however late it is': [{ ...granted, expiresAt: 1_000 }, entered('intent')],
      sent: [granted, entered('dispatched')],
      'in doubt': [granted, entered('in_doubt')],
      done: [granted, entered('succeeded')],
      'refused by the airline': [granted, entered('refused', { error })],
      'not carried out': [granted, entered('not_executed')],
      'not carried out, because of other terms': [stale, entered('not_executed')],
      'for a person to check': [granted, entered('needs_person', { check: 'Look.' })],
      'checked by a person': [granted, entered('resolved')],
    };
    const scenes: Record<string, string> = {};
    for (const [title, [over, operation]] of Object.entries(cases)) {
      const { page } = await visit({ caller: 'os:ann', ...over }, operation);
      expect(page.body).not.toMatch(/<form|<button/);
      expect(visible(page)).not.toMatch(/pay_booking|approval_id|\boperation\b/i);
      scenes[title] = textOf(page);
    }
    await expectGolden('page/outcome', scenes);
  });

  test('is not decided again on the page if it was answered elsewhere', async () => {
    for (const decision of ['granted', 'declined'] as const) {
      const visitor = await visit();
      approval = { ...approval, decision };
      expect((await visitor.answer('yes')).status).toBe(303);
    }
    expect(failures).toEqual([]);
  });

  test('is corrected by a late reply after a failure, and kept for an hour', async () => {
    const visitor = await visit();
    decide = async () => ({ kind: 'failed', title: 'Nothing was done', lines: ['Amal'] });
    expect(visible(await visitor.decide('yes'))).toContain('Amal');
    operation = entered('succeeded');
    approval = { ...approval, decision: 'granted' };
    expect(headingOf(await visitor.look())).toBe('The hold is released; nothing was paid');
    operation = entered('refused');
    expect(visible(await visitor.look())).toContain('Amal');
    now += 60 * 60_000;
    expect(visible(await visitor.look())).not.toContain('Amal');
  });

  test('is tried again by the next answer after a decision that failed', async () => {
    const visitor = await visit();
    decide = () => Promise.reject(new Error('disk'));
    expect((await visitor.answer('yes')).status).toBe(500);
    expect(failures.splice(0)).toEqual([new Error('disk')]);
    decide = async () => ({ kind: 'done', title: 'Done', lines: ['Ticket 1'] });
    expect(headingOf(await visitor.decide('yes'))).toBe('Done');
  });
});
