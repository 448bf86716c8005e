/** Names in the form that an airline accepts, ages at the local date of departure, and the surname that opens a booking. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { held, option, segment } from '../../support/bookings.ts';
import { CONTACT, traveler } from '../../support/people.ts';
import { callsOf, offer, openDesk, shelved } from '../../tools/support/desk.ts';

const person = (number: string, over: object = {}) => ({
  ...{ type: 'ADT', given_name: 'Noor', surname: 'Haddad', gender: 'Female', birth_date: '1990-04-12' },
  document: { type: 'passport', number, nationality: 'SA', expires: '2036-01-01' },
  ...over,
});

/** Books an adult and this passenger: the name that is sent and the warnings, or the refusal. */
async function booked(over: object, ...segments: ReturnType<typeof segment>[]) {
  const options = (segments.length > 0 ? segments : [segment('1')]).map((one) => option(one));
  const { type = 'ADT' } = over as { type?: string };
  const counts = { adults: type === 'ADT' ? 2 : 1, children: Number(type === 'CHD'), infants: Number(type === 'INF') };
  const desk = await openDesk({
    offers: [shelved({ offer: offer({ options }), passengers: counts })],
    airline: { create: async (sent) => held({ options: sent.options, travelers: sent.travelers }) },
  });
  const passengers = [person('P1000001'), person('P2000002', over)];
  const args = { offer_ids: ['o000001'], contact: CONTACT, passengers };
  const { structured, text } = await desk.result('create_booking', args);
  const [sent] = desk.sent();
  const { name: { given: [given] = [], surname } = {}, document } = sent?.travelers[1] ?? {};
  const { error } = structured as { error?: { code: string; message: string } };
  const warnings = (structured.warnings ?? []) as string[];
  return { given, surname, nationality: document?.nationality, error, text, warnings };
}

describe('a name', () => {
  test.each(
    Object.entries({
      ...{ Jörg: 'Joerg', MÜLLER: 'MUELLER', Ångström: 'Aangstroem', Weiß: 'Weiss', Nuñez: 'Nunez', Þór: 'Thor' },
      ...{ Æsa: 'Aesa', Guðrún: 'Gudrun', Łukasz: 'Lukasz', Dvořák: 'Dvorak', 'Нгуен Щедрин': 'Nguen Shchedrin' },
      ...{ 'O’Brien': "O'Brien", 'Anne–Marie': 'Anne-Marie', 'St. John': 'St John', 'e\u0301lan': 'elan' },
    }),
  )('is sent with the letters of the airline: %s as %s', async (written, name) => {
    const { given, warnings } = await booked({ given_name: written });
    expect([given, warnings]).toEqual([name, [expect.stringContaining(`is sent as “${name}”`)]]);
  });

  test('is sent as it is if it is plain', async () => {
    const plain = "Mary-Jane O'Neil";
    expect(await booked({ given_name: plain })).toMatchObject({ given: plain, warnings: [] });
  });

  test('is refused with digits and letters without a transliteration, which are never repeated', async () => {
    for (const written of ['أمل', '花子', 'X Æ A12']) {
      const { error } = await booked({ given_name: written });
      expect(error).toMatchObject({ code: 'E_INPUT', message: expect.stringContaining('passengers[1].given_name') });
      expect(error?.message).not.toContain(written);
    }
  });

  test.each<[object, string]>([
    [{ given_name: 'Mr. Jan' }, 'passengers[1].given_name: expected a name without a title; write MR in title'],
    [{ surname: 'PARKER MRS' }, 'passengers[1].surname: expected a name without a title; write MRS in title'],
    [{ given_name: 'JANE MSTR ADT' }, 'write MSTR in title'],
    [{ middle_name: 'dr anna' }, 'passengers[1].middle_name: expected a name without a title; write DR in title'],
    [{ given_name: 'Mr.Jan' }, 'write MR in title'],
    [{ given_name: 'Mr' }, 'write MR in title'],
  ])('is refused with a title in it, which an airline would print: %o', async (written, message) => {
    expect((await booked(written)).error).toMatchObject({ code: 'E_INPUT', message: expect.stringContaining(message) });
  });

  test('may have the letters of a title, and be initials or a name of families', async () => {
    for (const name of ['Drake', 'Msizi', 'St John', 'Miss', 'MS', 'Mrad', 'Anne-Ms', 'Adams'])
      expect([name, (await booked({ given_name: name })).error]).toEqual([name, undefined]);
  });

  test('may be the same twice, as airlines have it of somebody with one name', async () => {
    const { error, text } = await booked({ given_name: 'Suharto', surname: 'Suharto' });
    expect(error).toBeUndefined();
    expect(text).toContain('adult  Suharto Suharto');
    expect(text).not.toContain('is not the one sent');
  });

  test('of a contact is refused with a title too, for which it has no field', async () => {
    const contact = { ...CONTACT, given_name: 'Mrs Amal' };
    const desk = await openDesk({ offers: [shelved({ passengers: { adults: 1, children: 0, infants: 0 } })] });
    const args = { offer_ids: ['o000001'], contact, passengers: [person('P1000001')] };
    const { error } = (await desk.result('create_booking', args)).structured as { error?: { message: string } };
    expect(error?.message).toMatch(/contact\.given_name: expected a name without a title\. /);
  });

  test('has a limited length as it is sent', async () => {
    expect(await booked({ given_name: 'X' })).toMatchObject({ given: 'X' });
    expect(await booked({ surname: 'Ö' })).toMatchObject({ surname: 'OE' });
    expect(await booked({ surname: 'a'.repeat(30) })).toMatchObject({ surname: 'a'.repeat(30) });
    for (const surname of ['X', 'ß'.repeat(16), "-'-"]) expect((await booked({ surname })).error?.code).toBe('E_INPUT');
  });

  test('has only characters that airlines accept, and does not change again, whatever is written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 30 }), async (written) => {
        const { given } = await booked({ given_name: written });
        if (given === undefined) return;
        expect(given).toMatch(/^[A-Za-z '-]{1,30}$/);
        expect(await booked({ given_name: given })).toMatchObject({ given, warnings: [] });
      }),
    );
  });
});

test('a nationality in three letters is sent in two, and none is guessed', async () => {
  const { document } = person('P2000002');
  const of = (nationality: string) => booked({ document: { ...document, nationality } });
  const pairs = {
    SAU: 'SA',
    AUT: 'AT',
    AUS: 'AU',
    DEU: 'DE',
    CHE: 'CH',
    GBR: 'GB',
    AND: 'AD',
    ZWE: 'ZW',
    ARE: 'AE',
    'Saudi Arabia': 'SA',
  };
  for (const [three, two] of Object.entries(pairs)) expect(await of(three)).toMatchObject({ nationality: two });
  for (const none of ['XYZ', 'ADA', 'SAUD']) expect((await of(none)).error?.code).toBe('E_INPUT');
});

describe('the age of a passenger', () => {
  const born = (birth_date: string, type: string, ...segments: ReturnType<typeof segment>[]) =>
    booked({ birth_date, type }, ...segments).then(({ error }) => error?.message ?? 'fits');
  const at = (departs: string, over = {}) => {
    const arrives = `${departs.slice(0, 11)}23:59:00${departs.slice(-6)}`;
    return segment('1', { departs, arrives, ...over });
  };
  const AUCKLAND = at('2026-12-02T00:30:00.000+13:00');

  test('counts from the birthday on, by the date at the airport and not in UTC', async () => {
    // In UTC it is still 1 December, the day before the second birthday.
    expect(await born('2024-12-02', 'CHD', AUCKLAND)).toBe('fits');
    expect(await born('2024-12-02', 'INF', AUCKLAND)).toContain('is 2 years old on Wed 2 Dec');
    expect(await born('2024-12-03', 'INF', AUCKLAND)).toBe('fits');
    expect(await born('2024-12-03', 'CHD', AUCKLAND)).toContain('is 1 year old');
    const [day, leap] = [at('2027-02-28T08:00:00.000+03:00'), at('2027-03-01T08:00:00.000+03:00')];
    expect(await born('2024-02-29', 'CHD', day)).toBe('fits');
    for (const [one, type] of [
      [day, 'INF'],
      [leap, 'CHD'],
    ] as const)
      expect(await born('2025-03-01', type, one)).toBe('fits');
  });

  test('is that of each flight: a traveller may be younger on the second one, across the date line', async () => {
    const out = at('2026-12-02T06:00:00.000+13:00', { to: 'HNL' });
    const on = segment('2', {
      ...{ from: 'HNL', to: 'RUH', departs: '2026-12-01T22:00:00.000-10:00', arrives: '2026-12-02T23:00:00.000-10:00' },
    });
    const first = { ...out, arrives: '2026-12-01T15:00:00.000-10:00' };
    expect(await born('2024-12-02', 'CHD', first, on)).toContain(
      'is 1 year old on Tue 1 Dec, the departure of segment 2',
    );
  });

  test('counts on the journey date for a time in UTC', async () => {
    const [infant] = [traveler('1', 'Noor', 'Haddad', { type: 'INF', birthDate: '2024-12-09' })];
    const evening = segment('1', { departs: '2026-12-01T22:30:00Z', journeyDate: '2026-12-02' });
    const desk = await openDesk({ bookings: [held({ travelers: [infant], options: [option(evening)] })] });
    // On their second birthday, and before they are born.
    for (const birth_date of ['2024-12-02', '2026-12-03']) {
      const changes = [{ passenger_ref: '1', birth_date }];
      const { message } = await desk.refused('update_passenger', { locator: 'ABC123', changes });
      expect(message).toContain('expected the age of INF on 2026-12-02');
    }
  });
});

describe('the surname of a booking', () => {
  const reading = callsOf('read_booking', { locator: 'ABC123' });
  const opens = async (booking: Parameters<typeof reading.read>[0], surname: string) => {
    const desk = await openDesk({ bookings: [booking ?? held()] });
    const { isError } = await desk.result('read_booking', { locator: 'ABC123', surname });
    return !isError;
  };
  const booking = held({ travelers: [traveler('1', 'Jorg', 'Mueller'), traveler('2', 'Ana', 'De la Cruz')] });

  test('is found in any spelling, and no part of it', async () => {
    for (const surname of ['MUELLER', 'Müller', 'dela cruz', 'De La Cruz'])
      expect([surname, await opens(booking, surname)]).toEqual([surname, true]);
    for (const surname of ['Muell', 'Cruz', '-', 'Jorg', 'Haddad'])
      expect([surname, await opens(booking, surname)]).toEqual([surname, false]);
  });

  test('is that of the contact while no passenger is named', async () => {
    const { name: _, ...unnamed } = traveler('1', 'x', 'y');
    expect(await opens(held({ travelers: [unnamed] }), 'haddad')).toBe(true);
    expect(await opens(held({ travelers: [unnamed] }), 'Smith')).toBe(false);
  });
});
