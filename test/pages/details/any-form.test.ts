/** Whatever is typed on the details page: it is answered, nothing fails, and nothing typed becomes markup. */
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { ADULT, type Card, detailsDesk, rightCard, visit } from './support/details-desk.ts';

const desk = await detailsDesk();
afterAll(() => desk.close());

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '0', '31', '2', '2024', '<script>', '"><b>', '1950-02-30', '\u0662', '\u200f', 'A'.repeat(500)),
  fc.constantFrom('P<', 'I<\nI<\nI<', '<<<<<<', 'V<UTO', `${'<'.repeat(44)}\n${'<'.repeat(44)}`, 'P'.repeat(88)),
);
const FIELDS = Object.keys(rightCard(1));
const typed = fc.uniqueArray(fc.tuple(fc.constantFrom(...FIELDS), piece), {
  selector: ([field]) => field,
  maxLength: 8,
});
const cards = fc.constantFrom<Card>(ADULT, { type: 'INF', asks: 'unnamed' }, { type: 'CHD', asks: 'named' });

test('any text in any field of any card', async () => {
  await fc.assert(
    fc.asyncProperty(cards, fc.boolean(), typed, async (card, isRight, fields) => {
      // A caller may have so many forms open at once.
      const id = await desk.form([card, ADULT], { tenant: crypto.randomUUID() });
      const traveller = await visit((await desk.local.details.address(id)) ?? '');
      const page = await traveller.send({ ...(isRight ? rightCard(1) : {}), ...Object.fromEntries(fields) });
      expect([200, 303, 422]).toContain(page.status);
      expect(page.body).not.toMatch(/<script>|<b>/);
      expect(desk.desk.failures).toEqual([]);
      // A card is kept whole or not at all.
      const [kept] = Object.values((await desk.entered(id)) ?? {});
      if (kept !== undefined && card.asks === 'new')
        expect(Object.keys(kept)).toEqual(
          expect.arrayContaining(['given_name', 'surname', 'gender', 'birth_date', 'document']),
        );
    }),
    { numRuns: 120 },
  );
});
