import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { airlineName, GIVEN_NAME, SURNAME } from '../../../src/domain/people/airline-name.ts';
import { hasSurname } from '../../../src/domain/people/name-keys.ts';
import { held } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

describe('names in the form that an airline accepts', () => {
  test.each([
    ['Jörg', 'Joerg'],
    ['MÜLLER', 'MUELLER'],
    ['Ångström', 'Aangstroem'],
    ['Weiß', 'Weiss'],
    ['Nuñez', 'Nunez'],
    ['Þór', 'Thor'],
    ['Æsa', 'Aesa'],
    ['Guðrún', 'Gudrun'],
    ['Łukasz', 'Lukasz'],
    ['Dvořák', 'Dvorak'],
    ['Нгуен Щедрин', 'Nguen Shchedrin'],
    ['O’Brien', "O'Brien"],
    ['Anne–Marie', 'Anne-Marie'],
    ['St. John', 'St John'],
    ['e\u0301lan', 'elan'],
  ])('sends the name %s as %s', (written, name) => {
    expect(airlineName(written, GIVEN_NAME)).toEqual({ ok: true, name, changed: true });
  });

  test('leaves plain names unchanged', () => {
    expect(airlineName("Mary-Jane O'Neil", GIVEN_NAME)).toEqual({ ok: true, name: "Mary-Jane O'Neil", changed: false });
  });

  test('refuses digits and letters without a transliteration, and never repeats them', () => {
    for (const written of ['أمل', '花子', 'X Æ A12']) {
      const result = airlineName(written, GIVEN_NAME);
      expect(result.ok).toBe(false);
      if (!result.ok) expect(result.problem).not.toContain(written);
    }
  });

  test('limits the length of the name as sent', () => {
    expect(airlineName('X', SURNAME).ok).toBe(false);
    expect(airlineName('X', GIVEN_NAME).ok).toBe(true);
    expect(airlineName('Ö', SURNAME)).toMatchObject({ ok: true, name: 'OE' });
    expect(airlineName('a'.repeat(30), SURNAME).ok).toBe(true);
    expect(airlineName('ß'.repeat(16), SURNAME).ok).toBe(false);
    expect(airlineName("-'-", SURNAME).ok).toBe(false);
  });

  test('converts names only to characters that airlines accept, and does not change them again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (written) => {
        const result = airlineName(written, GIVEN_NAME);
        if (!result.ok) return;
        expect(result.name).toMatch(/^[A-Za-z '-]{1,30}$/);
        expect(airlineName(result.name, GIVEN_NAME)).toEqual({ ok: true, name: result.name, changed: false });
      }),
    );
  });
});

describe('surname of a booking', () => {
  const booking = held({ travelers: [traveler('1', 'Jorg', 'Mueller'), traveler('2', 'Ana', 'De la Cruz')] });

  test.each(['MUELLER', 'Müller', 'dela cruz', 'De La Cruz'])('finds the surname %s on the booking', (surname) =>
    expect(hasSurname(booking, surname)).toBe(true),
  );

  test.each(['Muell', 'Cruz', '', '-', 'Jorg', 'Haddad'])('does not find the surname %j on the booking', (surname) =>
    expect(hasSurname(booking, surname)).toBe(false),
  );

  test("compares with the contact's surname while no passenger is named", () => {
    const { name: _, ...unnamed } = traveler('1', 'x', 'y');
    expect(hasSurname(held({ travelers: [unnamed] }), 'haddad')).toBe(true);
    expect(hasSurname(held({ travelers: [unnamed] }), 'Smith')).toBe(false);
  });
});
