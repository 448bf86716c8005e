/** Two people of one name are two people, and one person under two names is one. */
import { describe, expect, test } from 'vitest';
import { comparePeople, isNamedOtherwise, personSigns } from '../../../src/domain/booking/same-people.ts';
import type { Traveler } from '../../../src/domain/people/traveler.ts';
import { traveler } from '../../support/people.ts';

const digest = (text: string) => `#${text}`;
type Over = Partial<Traveler>;
const ali = (birthDate?: string, number?: string, over: Over = {}): Traveler => {
  const { document: _, birthDate: __, ...named } = traveler('1', 'Mohamed', 'Ali', { emails: ['ali@one.example'] });
  return { ...named, ...(birthDate && { birthDate }), ...(number && { document: { number, docType: '2' } }), ...over };
};
const signs = (...people: readonly Traveler[]) => people.map((one) => personSigns(one, digest));
const FIRST = ali('1980-01-01', 'A1111111');
const aly: Over = { name: traveler('1', 'Mohammed', 'Aly').name as NonNullable<Traveler['name']> };

function compared(asked: readonly Traveler[], booked: readonly Traveler[], shown?: readonly Traveler[]) {
  const people = comparePeople({ signs: signs(...asked), travelers: asked }, { signs: signs(...booked), shown });
  return people && [people.kind, people.pairs.some(isNamedOtherwise)];
}

describe('a traveller is compared with the one who is booked', () => {
  test.each<[string, Traveler, Traveler, unknown]>([
    ['the same details', FIRST, FIRST, ['same', false]],
    ['another e-mail address', ali('1980-01-01', 'A1111111', { emails: ['b@two.example'] }), FIRST, ['same', false]],
    ['the same document, another name', ali('1980-01-01', 'A1111111', aly), FIRST, ['same', true]],
    ['the same document, another birth date', ali('1990-02-02', 'A1111111'), FIRST, ['same', true]],
    ['another birth date, another document', ali('1990-02-02', 'B2222222'), FIRST, ['others', false]],
    ['another birth date, no document', ali('1990-02-02'), FIRST, ['others', false]],
    ['another birth date, a document on one side', ali('1990-02-02', 'B2222222'), ali('1980-01-01'), ['others', false]],
    ['the same birth date, another document', ali('1980-01-01', 'B2222222'), FIRST, ['unsure', false]],
    ['no birth date, another document', ali(undefined, 'B2222222'), FIRST, ['unsure', false]],
    ['neither birth date nor document', ali(), FIRST, ['same', false]],
    ['another name, another document', ali('1980-01-01', 'B2222222', aly), FIRST, undefined],
    ['another type of traveller', ali('1980-01-01', 'B2222222', { type: 'CHD' }), FIRST, undefined],
  ])('%s', (_, asked, booked, expected) => {
    expect(compared([asked], [booked])).toEqual(expected);
  });

  test('by what the airline shows now too: details are corrected', () => {
    const corrected = ali('1990-02-02', 'B2222222');
    expect(compared([corrected], [FIRST], [corrected])).toEqual(['same', false]);
    expect(compared([ali('1990-02-02')], [FIRST], [ali('1990-02-02')])).toEqual(['same', false]);
    // A call that is repeated has the details of before.
    expect(compared([FIRST], [FIRST], [corrected])).toEqual(['same', false]);
    const renamed = ali('1980-01-01', 'A1111111', aly);
    expect(compared([renamed], [FIRST], [renamed])).toEqual(['same', false]);
  });

  test('by what was sent where the airline masks it', () => {
    const masked = ali(undefined, 'XXXX1111');
    expect(compared([ali('1980-01-01', 'B2222222')], [FIRST], [masked])).toEqual(['unsure', false]);
    expect(compared([FIRST], [FIRST], [masked])).toEqual(['same', false]);
    expect(compared([ali(undefined, 'B2222222')], [FIRST], [FIRST])).toEqual(['unsure', false]);
    expect(compared([ali()], [FIRST], [FIRST])).toEqual(['same', false]);
    expect(compared([ali('1990-02-02')], [FIRST], [masked])).toEqual(['others', false]);
  });
});

test('a party is the same in any order, and two of one name in it are told apart', () => {
  const second = ali('1990-02-02', 'B2222222');
  expect(compared([second, FIRST], [FIRST, second])).toEqual(['same', false]);
  expect(compared([second], [ali('2000-03-03', 'C3333333')])).toEqual(['others', false]);
  expect(compared([ali(undefined)], [FIRST, second])).toBeUndefined();
});

test('a party has a traveller of another one by the document alone, whoever else is in it', () => {
  const second = ali('1990-02-02', 'B2222222');
  const third = ali('2000-03-03', 'C3333333');
  expect(compared([second, FIRST], [FIRST, third])).toEqual(['partly', false]);
  expect(compared([FIRST], [FIRST, second])).toEqual(['partly', false]);
  expect(compared([third, FIRST], [second, FIRST, ali('1970-07-07', 'D4444444', aly)])).toEqual(['partly', false]);
  expect(compared([FIRST, second], [ali('1980-01-01', 'A1111111', aly)])).toEqual(['partly', true]);

  const asked = [third, FIRST];
  const people = comparePeople({ signs: signs(...asked), travelers: asked }, { signs: signs(FIRST, second) });
  expect(people?.pairs.map((pair) => pair.asked)).toEqual([FIRST]);
});

test('a child on the passport of its parent is the child, in any order', () => {
  const child = ali('2019-05-05', 'A1111111', { type: 'CHD', name: traveler('1', 'Sara', 'Ali').name as never });
  expect(compared([FIRST, child], [child, FIRST])).toEqual(['same', false]);
  expect(compared([FIRST, child], [child, FIRST], [child, FIRST])).toEqual(['same', false]);
});

test('of several of one name, none is another person who can be one whose birth date is not known', () => {
  const [unknown, later] = [ali(), ali('1990-02-02')];
  for (const asked of [
    [unknown, ali('1980-01-01')],
    [ali('1980-01-01'), unknown],
  ]) {
    expect(compared(asked, [unknown, later])).toEqual(['same', false]);
    expect(compared(asked, [later, unknown])).toEqual(['same', false]);
  }
  // The birth dates came later: the airline shows them.
  const both = [ali('1980-01-01'), later];
  expect(compared([unknown, ali('1980-01-01')], [unknown, unknown], both)).toEqual(['same', false]);
});

test('a sign is no text that anybody can read', () => {
  expect(personSigns(ali('1980-01-01'), () => 'digest')).toEqual({ name: 'digest', born: 'digest' });
  expect(signs(FIRST)[0]?.born).toContain('MOHAMED/ALI');
});
