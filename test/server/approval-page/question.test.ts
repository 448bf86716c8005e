/**
 * The words of a question: who asks, what kind of act it is, until when it can be answered.
 */
import { expect, test } from 'vitest';
import type { Approval } from '../../../src/approvals/ports.ts';
import { questionPage } from '../../../src/server/approval-page/question-view.ts';
import { timeLeft } from '../../../src/server/approval-page/time-left.ts';
import { personOf, programOf } from '../../../src/server/approval-page/who-asks.ts';
import { pendingApproval } from '../../support/approvals.ts';

const shown = (over: Partial<Approval>) =>
  questionPage({
    ...{ environment: 'live', path: '/approve/op1', viewer: undefined, token: 't', now: 1_000 },
    approval: pendingApproval(over),
  });

test.each([
  [undefined, 'an assistant'],
  [{ name: 'claude-ai', version: '' }, '“claude-ai”'],
  [{ name: 'Claude Desktop', version: '1.4.2' }, '“Claude Desktop” 1.4.2'],
  [{ name: ' \u202e\u0007 ', version: '9' }, 'an assistant'],
  [{ name: 'x'.repeat(500), version: 'y'.repeat(500) }, expect.stringMatching(/^“x{50,60}…?” y{10,20}…?$/)],
])('names the program that asks by its own word, cleaned and cut: %j', (client, words) => {
  expect(programOf({ ...(client && { client }) })).toEqual(words);
});

test.each([
  ['os:ann', 'ann'],
  ['oauth:ann%20lee:desk', 'ann lee'],
  ['os:100%', '100%'],
  ['local', 'local'],
])('names the person of the caller %s', (caller, name) => {
  expect(personOf({ caller })).toBe(name);
});

test.each([
  [59_000, 'less than a minute left'],
  [60_000, '1 minute left'],
  [599_000, '9 minutes left'],
])('tells the time left of %i ms', (ms, words) => {
  expect(timeLeft(ms)).toBe(words);
});

test('says who asks, for whom, and until when by the clock of the trip', () => {
  const body = shown({ caller: 'os:ann', client: { name: 'A & B', version: '' }, near: '2026-12-09T18:40:00+03:00' });
  expect(body).toContain('Asked by <strong>“A &amp; B”</strong> for <strong>ann</strong>.');
  expect(body).toContain(
    '<strong>10 minutes left</strong>: answer by <time datetime="1970-01-01T00:10:01.000Z">03:10 (UTC+3)</time>',
  );
});

test.each([
  ['payment', 'Payment', 'No, do not pay', 'Pay SAR 1.00'],
  ['change', 'Change', 'No, change nothing', 'Pay SAR 1.00'],
  ['cancellation', 'Cannot be undone', 'No, keep it as it is', 'Yes, pay SAR 1.00'],
] as const)('makes a %s look and sound like one, and puts no first', (nature, kind, no, yes) => {
  const body = shown({ nature, act: 'Pay SAR 1.00' });
  expect(body).toContain(`<body class="${nature}">`);
  expect(body).toContain(`</svg>${kind}</p>`);
  expect(body).toContain('<h1>Pay SAR 1.00</h1>');
  const buttons = [...body.matchAll(/<button[^>]*value="(\w+)"[^>]*>([^<]*)</g)].map(([, value, words]) => [
    value,
    words,
  ]);
  expect(buttons).toEqual([
    ['no', no],
    ['yes', yes],
  ]);
  expect(body).not.toContain('autofocus');
});

test('shows no words of programs, and the arithmetic only when it is opened', () => {
  const body = shown({ sections: [{ kind: 'computed', lines: ['2 × 3 = 6'] }] });
  expect(body).toMatch(/<details><summary>How this was computed<\/summary>\s*<p>2 × 3 = 6/);
  const words = body.replace(/<style>[\s\S]*<\/style>/, '').replace(/<[^>]*>/g, ' ');
  expect(words).not.toMatch(/pay_booking|\bterms\b|\boperation\b|e_[a-z]/i);
});
