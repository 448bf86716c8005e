/**
 * What a person reads on the page of a question, and of each thing that may have become of it.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { pendingApproval } from '../../support/approvals.ts';
import { expectGolden } from '../../support/golden.ts';
import { openPage } from './support/desk-of.ts';
import { enter, headingOf, type Page, type Visitor, visible } from './support/page-client.ts';
import { entered, OUTCOMES, QUESTIONS } from './support/page-states.ts';

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
    const questions: Record<string, Visitor> = {};
    for (const [title, over] of Object.entries(QUESTIONS)) questions[title] = await visit(over);
    for (const { page } of Object.values(questions)) {
      expect([...page.body.matchAll(/<button[^>]*value="(\w+)"/g)].map(([, value]) => value)).toEqual(['no', 'yes']);
      expect(page.body).not.toMatch(/<script(?! type="module">)|autofocus|onclick|javascript:/i);
      expect(visible(page)).not.toMatch(/pay_booking|\bterms\b|\boperation\b|e_[a-z]/i);
    }
    const looks = Object.values(questions).map(({ page }) => /<body class="(\w+)"/.exec(page.body)?.[1]);
    expect(looks).toEqual([
      ...[
        'payment',
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
    const { body = '' } = questions['of a payment']?.page ?? {};
    expect(body).toMatch(/<details><summary>How this was computed<\/summary>\s*<p>2 × 3 = 6/);
    expect(body).toContain('<time datetime="1970-01-01T00:10:01.000Z">03:10 (UTC+3)</time>');
    const texts = Object.entries(questions).map(([title, { page }]) => [title, textOf(page)]);
    await expectGolden('page/question', Object.fromEntries(texts));
  });
});

describe('what became of a question', () => {
  test('reads in words, for each thing that may have', async () => {
    const scenes: Record<string, string> = {};
    for (const [title, [over, operation]] of Object.entries(OUTCOMES)) {
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

  test('is said at once if nothing was done, with the reason, and as the journal has it later', async () => {
    const visitor = await visit();
    decide = async () => ({ kind: 'failed', title: 'Nothing was done', lines: ['Amal'] });
    expect(visible(await visitor.decide('yes'))).toContain('Amal');
    operation = entered('succeeded');
    approval = { ...approval, decision: 'granted' };
    expect(headingOf(await visitor.look())).toBe('The hold is released; nothing was paid');
    expect(visible(await visitor.look())).not.toContain('Amal');
  });

  test('is tried again by the next answer after a decision that failed', async () => {
    const visitor = await visit();
    decide = () => Promise.reject(new Error('disk'));
    expect((await visitor.answer('yes')).status).toBe(500);
    expect(failures.splice(0)).toEqual([new Error('disk')]);
    decide = async () => {
      operation = entered('succeeded');
      return { kind: 'done', title: 'Done', lines: [] };
    };
    expect(headingOf(await visitor.decide('yes'))).toBe('The hold is released; nothing was paid');
  });
});
