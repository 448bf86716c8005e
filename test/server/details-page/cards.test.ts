/** What a traveller does on the details page: right cards are kept, wrong ones come back, and nothing is shown again. */
import { afterAll, describe, expect, test } from 'vitest';
import { headingOf, visible } from '../approval-page/support/page-client.ts';
import { ADULT, detailsDesk, mistakesIn, rightCard, TRIP, visit } from './support/details-desk.ts';

const desk = await detailsDesk();
afterAll(() => desk.close());

const open = async (...cards: Parameters<typeof desk.form>) => {
  const id = await desk.form(...cards);
  return { id, traveller: await visit((await desk.local.details.address(id)) ?? '') };
};

describe('a form', () => {
  test('shows the trip, airline and agency, a card for each traveller, and no name', async () => {
    const { traveller } = await open([ADULT, { type: 'CHD', asks: 'new' }, { type: 'INF', asks: 'new' }]);
    const { page } = traveller;
    expect([page.status, headingOf(page)]).toEqual([200, 'Passenger details']);
    const text = visible(page);
    for (const words of [
      ...TRIP,
      'Saudia',
      'Blue Travel',
      'Traveller 1, adult',
      'Traveller 2, child',
      'Traveller 3, infant',
    ])
      expect(text).toContain(words);
    expect(page.body.match(/<button type="submit" name="action" value="send" class="yes">/g)).toHaveLength(1);
    expect(page.body).not.toMatch(/<input type="text"[^>]* value="[^"]/);
  });

  test('keeps a card that is right, sealed, and shows it no more', async () => {
    const { id, traveller } = await open();
    const sent = await traveller.send(rightCard(1));
    expect([sent.status, headingOf(sent)]).toEqual([200, 'Thank you']);
    expect(await desk.entered(id)).toEqual({
      0: {
        given_name: 'Amal',
        surname: 'Haddad',
        gender: 'Female',
        birth_date: '1950-03-27',
        document: { type: 'passport', number: 'L898901C3', nationality: 'SA', expires: expect.any(String) },
      },
    });
    for (const page of [sent, await traveller.look()])
      for (const secret of ['Amal', 'Haddad', '1950', 'L898901C3', 'Saudi']) expect(page.body).not.toContain(secret);
    expect(mistakesIn(sent)).toEqual([]);
  });
});
