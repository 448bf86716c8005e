import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdsCardNumber, refuseCardNumbers } from '../../../src/tools/rules/card-numbers.ts';

const CARD = '4111111111111111';

function refused(value: unknown): string {
  try {
    refuseCardNumbers(value);
  } catch (error) {
    return String(error);
  }
  return '';
}

describe('card numbers', () => {
  test.each([
    CARD,
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4111–1111–1111–1111',
    '4111\u00a01111\u20071111\u202f1111',
    '4111 1111 1111 1111 12/27',
    'visa 378282246310005 please',
    '４１１１１１１１１１１１１１１１',
    '٤١١١١١١١١١١١١١١١',
    '4111\u200b1111\u200b1111\u200b1111',
    '6304000000000000000',
  ])('detects a card number in %s', (text) => expect(holdsCardNumber(text)).toBe(true));

  test.each(['1725.00', 'Amal Haddad', '4111111111111112', '411111111111', '+966 55 123 4567', 'ap_0123456789abcdef'])(
    'detects no card number in %s',
    (text) => expect(holdsCardNumber(text)).toBe(false),
  );

  test('names the field that contains a card number, at any depth, without repeating the number', () => {
    const cases: [unknown, string][] = [
      [{ payment: { holder_name: `Amal ${CARD}` } }, 'payment.holder_name'],
      [{ payment: { card: { pan: Number(CARD) } } }, 'payment.card.pan'],
      [{ notes: ['x', CARD] }, 'notes[1]'],
      [{ [CARD]: 'x' }, 'a field name'],
      [{ payment: { [CARD]: 1 } }, 'payment (a field name)'],
      [CARD, 'arguments'],
    ];
    for (const [value, field] of cases) {
      const told = refused(value);
      expect(told).toContain(`${field}: `);
      expect(told).not.toContain('4111');
    }
  });

  test('detects a card number wherever it has spaces and dashes', () => {
    const withCheck = fc.stringMatching(/^[1-9]\d{11,17}$/).map((body) => {
      for (let check = 0; check < 10; check++) if (luhn(`${body}${check}`)) return `${body}${check}`;
      return body;
    });
    fc.assert(
      fc.property(
        withCheck,
        fc.array(fc.nat(18), { maxLength: 6 }),
        fc.constantFrom(' ', '-', '  '),
        (pan, cuts, gap) => {
          const split = [...pan].map((digit, i) => (cuts.includes(i) ? `${gap}${digit}` : digit)).join('');
          expect(holdsCardNumber(`x${split} y`)).toBe(true);
        },
      ),
    );
  });
});

/** An implementation independent of the code under test: doubles digits by table. */
function luhn(digits: string): boolean {
  const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    return total + (i % 2 === 0 ? Number(digit) : (doubled[Number(digit)] ?? 0));
  }, 0);
  return sum % 10 === 0;
}
