import { describe, expect, test } from 'vitest';
import { foldName, identityText } from '../../../src/domain/people/identity-text.ts';
import { expectChangedNames } from '../../../src/tools/acts/people-evidence.ts';
import { held } from '../../support/bookings.ts';
import { bareTraveler, type PersonName, personName, type Traveler } from '../../support/people.ts';

const name = (changes: Partial<PersonName> = {}) => personName('Anne', 'Müller', { middle: ['Marie'], ...changes });
const traveler = (changes: Partial<Traveler> = {}) =>
  bareTraveler('1', { name: name(), birthDate: '1990-02-03', ...changes });
const document = { number: 'P100', docType: '2', nationality: 'SA', expires: '2031-01-01' };

test('folds a name without case, diacritics, hyphens and spaces', () => {
  expect(foldName("Anne-Märit O'Neil")).toBe('ANNEMARITONEIL');
  expect(foldName('ﬁnn  STRAßE')).toBe('FINNSTRASSE');
});

type Changes = Partial<Traveler>;
const SAME_BY_NAME: Record<string, Changes> = {
  'another ref': { ref: '7' },
  'a middle name merged into the given name': { name: name({ given: ['ANNE MARIE'], middle: [] }) },
  'another spelling': { name: name({ given: ['anne'], surname: 'MULLER' }) },
  'a title': { name: name({ title: ['Dr'], prefix: ['Ms'] }) },
};
const OTHER_BY_NAME: Record<string, Changes> = {
  'another given name': { name: name({ given: ['Anna'] }) },
  'another surname': { name: name({ surname: 'Meyer' }) },
  'names divided elsewhere': { name: name({ given: ['AnneM'], middle: ['arieM'], surname: 'üller' }) },
};
const OTHER: Record<string, Changes> = {
  'another birth date': { birthDate: '1990-02-04' },
  'another type': { type: 'CHD' },
};

describe('an identity by name', () => {
  const one = traveler();
  test.each(Object.entries(SAME_BY_NAME))('is the same with %s', (_what, changes) =>
    expect(identityText({ ...one, ...changes })).toBe(identityText(one)),
  );
  test.each(Object.entries({ ...OTHER_BY_NAME, ...OTHER }))('is another one with %s', (_what, changes) =>
    expect(identityText({ ...one, ...changes })).not.toBe(identityText(one)),
  );
});

test('identifies a passenger without a name by the type', () => {
  const { name: _, ...unnamed } = traveler();
  expect(identityText({ ...unnamed, ref: '4' })).toBe(identityText(unnamed));
  expect(identityText(unnamed)).not.toBe(identityText({ ...unnamed, type: 'CHD' }));
  const { birthDate: __, ...undated } = traveler();
  expect(identityText(undated)).not.toBe(identityText(traveler()));
});

test('expects the differences of a change of names as canonical texts, empty where the airline shows none', () => {
  const wanted = traveler({
    name: name({ given: ['ANNA'], title: ['Dr.'], prefix: ['ms'] }),
    gender: 'Female',
    document: { ...document, number: 'p 123-4', nationality: 'sa' },
  });
  const { changes } = expectChangedNames(held({ travelers: [traveler()] }), [wanted], (text) => text);
  expect(changes).toEqual([
    {
      ref: '1',
      who: ['person|ANNEMARIE/MULLER|ADT|1990-02-03', 'person|ANNAMARIE/MULLER|ADT|1990-02-03'],
      details: ['name', 'title', 'gender', 'document'],
      was: 'name=ANNEMARIE/MULLER|title=|gender=|document=///',
      wanted: 'name=ANNAMARIE/MULLER|title=DRMS|gender=FEMALE|document=P1234/2/SA/2031-01-01',
    },
  ]);
});
