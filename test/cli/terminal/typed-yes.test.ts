/**
 * The question in a terminal: what it shows at which width, and which answers count.
 */
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Terminal } from '../../../src/cli/commands/command.ts';
import { askingLine, questionText } from '../../../src/cli/terminal/question-text.ts';
import { askTyped } from '../../../src/cli/terminal/typed-yes.ts';
import { pendingApproval } from '../../support/approvals.ts';

const NINE = Array.from({ length: 9 }, (_, n) => `Passenger ${n + 1}: “${'Abdulrahman '.repeat(4)}Haddad”, adult`);
const question = pendingApproval({
  locator: 'ACPVAH',
  act: 'Pay SAR 1,423.00',
  caller: 'os:ann',
  client: { name: 'claude-ai', version: '1' },
  near: '2026-12-09T18:40:00+03:00',
  sections: [
    { kind: 'act', lines: ['Pay SAR 1,423.00 for booking ACPVAH and issue its tickets.'] },
    { kind: 'trip', lines: ['Train HHR101: Makkah (QCA) → Madinah (XMD), Wed 9 Dec 18:40-20:45 (UTC+3)'] },
    { kind: 'people', lines: NINE },
    { kind: 'refund', lines: ['Estimated refund: SAR 562.00 until Mon 7 Dec 12:20 (UTC+3).'] },
    { kind: 'computed', lines: ['2 × 3'] },
    { kind: 'caution', lines: ['It may be paid \u001b[2Jalready.'] },
  ],
});

/** Types each answer when it is asked. */
async function asked(...answers: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  const left = [...answers];
  let said = '';
  stderr.on('data', (chunk) => {
    said += chunk;
    if (String(chunk).includes('no for no: ')) stdin.write(left.shift() ?? '\u0003');
  });
  const answer = await askTyped({ stdin, stderr } as unknown as Terminal, question, 1_000);
  return { answer, said, times: said.split('no for no: ').length - 1 };
}

test.each<[string, boolean | undefined]>([
  ['ACPVAH\n', true],
  [' acpvah \n', true],
  ['no\n', false],
  ['N\n', false],
  ['\u0003', undefined],
  ['\u0004', undefined],
])('takes %j as %s', async (typed, expected) => {
  expect((await asked(typed)).answer).toBe(expected);
});

test('asks again for anything else, and after three times takes it as no answer', async () => {
  const late = await asked('yes\n', '\n', 'ACPVAH\n');
  expect(late).toMatchObject({ answer: true, times: 3 });
  expect(late.said).toContain('That is neither ACPVAH nor no. Nothing was decided.');
  expect(await asked('y\n', 'ok\n', 'ACPVA\n', 'ACPVAH\n')).toMatchObject({ answer: undefined, times: 3 });
});

test('repeats act and amount in the line that asks, so that nine passengers cannot scroll it away', async () => {
  const { said } = await asked('no\n');
  const lines = stripVTControlCharacters(said).split('\n');
  expect(lines.find((line) => line.includes('no for no:'))).toContain(
    'Pay SAR 1,423.00? Type ACPVAH for yes, no for no: ',
  );
  expect(askingLine({ act: 'Hold 2 seats' }, screen(80))).toBe('Hold 2 seats? Type yes or no: ');
});

const screen = (columns: number) =>
  Object.assign(new PassThrough(), { isTTY: true, columns }) as unknown as NodeJS.WriteStream;

test.each([40, 80, 300])('fits a window of %i columns, and obeys no control character', (columns) => {
  const text = questionText(question, screen(columns), 1_000);
  expect(text).not.toContain('\u001b[2J');
  const lines = stripVTControlCharacters(text).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(Math.min(columns, 101));
});

test('shows cautions before the trip, the arithmetic last, who asks and until when', () => {
  const text = stripVTControlCharacters(questionText(question, screen(80), 1_000));
  const order = [
    'Pay SAR 1,423.00',
    '! It may be paid',
    'Estimated refund',
    'Train HHR101',
    'Passenger 9',
    'How this was computed:',
  ];
  const places = order.map((words) => text.indexOf(words));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(text).toContain('Asked by “claude-ai” 1 for ann.');
  expect(text).toContain('10 minutes left: answer by 03:10 (UTC+3).');
  expect(text).not.toContain('CANNOT BE UNDONE');
  expect(questionText({ ...question, nature: 'cancellation' }, screen(80), 0)).toContain('CANNOT BE UNDONE');
});
