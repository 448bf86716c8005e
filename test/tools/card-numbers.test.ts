/** Card numbers are refused unread; test/server/calls/input.test.ts asks every tool. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDesk } from './support/desk.ts';

const CARD = '4111111111111111';
/** pay_booking lets nothing pass for a ticket number. */
const saying = async () => {
  const desk = await openDesk();
  return async (note: string) => (await desk.result('pay_booking', { note })).text;
};
const REFUSED = 'looks like a card number, and was not read';

test('detects a card number in any form, and no other number', async () => {
  const said = await saying();
  for (const text of [
    CARD,
    '4111 1111 1111 1111 12/27',
    '4111-1111-1111-1111',
    '4111–1111–1111–1111',
    '4111\u00a01111\u20071111\u202f1111',
    'visa 378282246310005 please',
    '４１１１１１１１１１１１１１１１',
    '٤١١١١١١١١١١١١١١١',
    '4111\u200b1111\u200b1111\u200b1111',
    '6304000000000000000',
  ])
    expect([text, await said(text)]).toEqual([text, expect.stringContaining(REFUSED)]);
  for (const text of [
    '1725.00',
    'Amal Haddad',
    '4111111111111112',
    '411111111111',
    '+966 55 123 4567',
    'ap_0123456789abcdef',
  ])
    expect([text, await said(text)]).toEqual([text, expect.not.stringContaining(REFUSED)]);
});

test('names the field that contains a card number, at any depth, without repeating the number', async () => {
  const desk = await openDesk();
  const cases: [object, string][] = [
    [{ payment: { holder_name: `Amal ${CARD}` } }, 'payment.holder_name'],
    [{ payment: { card: { pan: Number(CARD) } } }, 'payment.card.pan'],
    [{ notes: ['x', CARD] }, 'notes[1]'],
    [{ [CARD]: 'x' }, 'a field name'],
    [{ payment: { [CARD]: 1 } }, 'payment (a field name)'],
  ];
  for (const [args, field] of cases) {
    const { message } = await desk.refused('pay_booking', args);
    expect(message).toContain(`${field}: `);
    expect(message).not.toContain('4111');
  }
});

test('detects a card number wherever it has spaces and dashes', async () => {
  const said = await saying();
  const withCheck = fc.stringMatching(/^[1-9]\d{11,17}$/).map((body) => {
    for (let check = 0; check < 10; check++) if (luhn(`${body}${check}`)) return `${body}${check}`;
    return body;
  });
  const gaps = fc.constantFrom(' ', '-', '  ');
  await fc.assert(
    fc.asyncProperty(withCheck, fc.array(fc.nat(18), { maxLength: 6 }), gaps, async (pan, cuts, gap) => {
      const split = [...pan].map((digit, i) => (cuts.includes(i) ? `${gap}${digit}` : digit)).join('');
      expect(await said(`x${split} y`)).toContain(REFUSED);
    }),
  );
});

/** An implementation independent of the code under test: doubles digits by table. */
function luhn(digits: string): boolean {
  const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    return total + (i % 2 === 0 ? Number(digit) : (doubled[Number(digit)] ?? 0));
  }, 0);
  return sum % 10 === 0;
}
