import { describe, expect, test } from 'vitest';
import {
  detailsText,
  documentIdentityText,
  foldName,
  identityText,
  type TravelerDetail,
} from '../../../src/domain/people/identity-text.ts';
import { expectChangedNames } from '../../../src/tools/acts/change-names/evidence.ts';
import { bareTraveler, type PersonName, personName, type Traveler } from '../../support/people.ts';

const name = (changes: Partial<PersonName> = {}) => personName('Anne', 'Müller', { middle: ['Marie'], ...changes });
const traveler = (changes: Partial<Traveler> = {}) =>
  bareTraveler('1', { name: name(), birthDate: '1990-02-03', ...changes });

test('folds a name without case, diacritics, hyphens and spaces', () => {
  expect(foldName("Anne-Märit O'Neil")).toBe('ANNEMARITONEIL');
  expect(foldName('ﬁnn  STRAßE')).toBe('FINNSTRASSE');
});

describe('an identity by document', () => {
  const document = { number: 'P100', docType: '2', nationality: 'SA', expires: '2031-01-01' };
  const same = documentIdentityText(traveler({ document }));

  test.each<[string, Partial<Traveler>]>([
    ['another name', { document, name: name({ given: ['Anna'], surname: 'Meyer' }) }],
    ['the number written in another way', { document: { ...document, number: 'p-100' } }],
    ['another expiry', { document: { ...document, expires: '2035-01-01' } }],
  ])('identifies a passenger as the same with %s', (_what, changes) => {
    expect(documentIdentityText(traveler(changes))).toBe(same);
  });

  test.each<[string, Partial<Traveler>]>([
    ['another number', { document: { ...document, number: 'P101' } }],
    ['another kind of document', { document: { ...document, docType: '5' } }],
    ['another nationality', { document: { ...document, nationality: 'DE' } }],
    ['another birth date', { document, birthDate: '1990-02-04' }],
    ['another type', { document, type: 'CHD' }],
  ])('identifies a passenger as another with %s', (_what, changes) => {
    expect(documentIdentityText(traveler(changes))).not.toBe(same);
  });

  test('identifies a passenger without a document by name', () => {
    expect(documentIdentityText(traveler())).toBe(identityText(traveler()));
    expect(documentIdentityText(traveler({ document: { docType: '2' } }))).toBe(identityText(traveler()));
  });
});

describe('an identity', () => {
  const same = identityText(traveler());

  test.each<[string, Partial<Traveler>]>([
    ['another ref', { ref: '7' }],
    ['a middle name merged into the given name', { name: name({ given: ['ANNE MARIE'], middle: [] }) }],
    ['another spelling', { name: name({ given: ['anne'], surname: 'MULLER' }) }],
    ['a title', { name: name({ title: ['Dr'], prefix: ['Ms'] }) }],
  ])('identifies a passenger as the same with %s', (_what, changes) => {
    expect(identityText(traveler(changes))).toBe(same);
  });

  test.each<[string, Partial<Traveler>]>([
    ['another given name', { name: name({ given: ['Anna'] }) }],
    ['another surname', { name: name({ surname: 'Meyer' }) }],
    ['names divided elsewhere', { name: name({ given: ['AnneM'], middle: ['arieM'], surname: 'üller' }) }],
    ['another birth date', { birthDate: '1990-02-04' }],
    ['another type', { type: 'CHD' }],
  ])('identifies a passenger as another with %s', (_what, changes) => {
    expect(identityText(traveler(changes))).not.toBe(same);
  });

  test('identifies a passenger without a name by the type', () => {
    const { name: _, ...unnamed } = traveler();
    expect(identityText({ ...unnamed, ref: '4' })).toBe(identityText(unnamed));
    expect(identityText(unnamed)).not.toBe(identityText({ ...unnamed, type: 'CHD' }));
    const { birthDate: __, ...undated } = traveler();
    expect(identityText(undated)).not.toBe(same);
  });
});

describe('details', () => {
  const text = (details: TravelerDetail[], changes: Partial<Traveler> = {}) => detailsText(traveler(changes), details);

  test('writes details as canonical texts', () => {
    const document = { number: 'p 123-4', docType: '2', nationality: 'sa', expires: '2030-01-01' };
    const all = text(['name', 'title', 'gender', 'birth_date', 'document'], {
      name: name({ title: ['Dr.'], prefix: ['ms'] }),
      gender: 'Female',
      document,
    });
    expect(all).toBe(
      'name=ANNEMARIE/MULLER|title=DRMS|gender=FEMALE|birth_date=1990-02-03|document=P1234/2/SA/2030-01-01',
    );
  });

  test('leaves details empty that the airline does not show', () => {
    const { name: _, birthDate: __, ...bare } = traveler();
    const all = detailsText(bare, ['name', 'title', 'gender', 'birth_date', 'document']);
    expect(all).toBe('name=|title=|gender=|birth_date=|document=///');
  });
});

describe('a change of names', () => {
  const digest = (text: string) => text;
  const none = { references: [], options: [], tickets: [], orders: [], services: [], emds: [] };
  const booking = { ...none, locator: 'ABC123', travelers: [traveler()] };

  test('expects only the differences of a change of names', () => {
    const wanted = traveler({ name: name({ given: ['ANNA'] }), gender: 'Female' });
    expect(expectChangedNames(booking, [wanted], digest)).toEqual({
      kind: 'change_names',
      changes: [
        {
          ref: '1',
          details: ['name', 'gender'],
          was: 'name=ANNEMARIE/MULLER|gender=',
          wanted: 'name=ANNAMARIE/MULLER|gender=FEMALE',
        },
      ],
    });
  });

  test('expects nothing of a change without a difference or of an unknown traveller', () => {
    const wanted = [traveler(), traveler({ ref: '9' })];
    expect(expectChangedNames(booking, wanted, digest)).toEqual({ kind: 'change_names', changes: [] });
  });
});
