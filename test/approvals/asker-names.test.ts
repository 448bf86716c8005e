/** Who asks and until when, as page and terminal show it. */
import { expect, test } from 'vitest';
import { programName } from '../../src/approvals/asker-names.ts';
import { answerBy, timeLeft } from '../../src/approvals/expiry.ts';
import { callerName } from '../../src/domain/people/caller-names.ts';

test.each([
  [undefined, 'os:ann', 'an assistant'],
  [{ name: ' \u0007 ', version: '1' }, 'os:ann', 'an assistant'],
  [{ name: 'Claude Desktop', version: '1.4.2' }, 'oauth:ann:desk', '“Claude Desktop” 1.4.2'],
  [{ name: 'Claude Desktop', version: '' }, 'os:ann', '“Claude Desktop”'],
  [{ name: '', version: '' }, 'oauth:ann:my%20desk', '“my desk”'],
  [undefined, 'oauth:ann:desk', '“desk”'],
  [undefined, 'oauth:ann:%07', 'an assistant'],
  [undefined, 'oauth:ann:-', 'an assistant'],
])('the program %j of the caller %s is called %s', (client, caller, name) => {
  expect(programName({ caller, ...(client && { client }) })).toBe(name);
});

test.each([
  ['os:ann', 'ann'],
  ['oauth:ann%20lee:desk', '“ann lee”'],
  ['os:100%', '“100%”'],
  ['os:a-1@b', 'a-1@b'],
  ['oauth:**Approved**%20by%20_Ann_:desk', '“Approved by Ann”'],
  ['oauth:**Approved**:desk', '“Approved”'],
  ['oauth::desk', '“”'],
  ['ann', 'ann'],
  ['Desk: **done** by Bo', '“Desk: done by Bo”'],
])('the caller %s is called %s', (caller, name) => {
  expect(callerName(caller)).toBe(name);
});

test.each([
  [59_999, 'less than a minute left'],
  [60_000, '1 minute left'],
  [599_999, '9 minutes left'],
])('%i ms are %s', (ms, words) => {
  expect(timeLeft(ms)).toBe(words);
});

test('the end of a question is shown by the clock of the trip', () => {
  const expiresAt = Date.parse('2026-12-07T15:42:00Z');
  expect(answerBy({ expiresAt, near: '2026-12-09T18:40:00+03:00' })).toBe('18:42 (UTC+3)');
});
