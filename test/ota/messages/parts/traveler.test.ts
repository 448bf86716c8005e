import { expect, test } from 'vitest';
import { contactOf } from '../../../../src/domain/people/traveler.ts';
import { readTravelers } from '../../../../src/ota/messages/parts/traveler.ts';

test('an e-mail address of blanks is no address, and makes nobody the contact', () => {
  const wire = (value: string) => [{ passengerTypeCode: 'ADT', personName: { surname: 'HADDAD' }, email: [{ value }] }];
  expect(contactOf(readTravelers(wire(' ')))).toBeUndefined();
  expect(contactOf(readTravelers(wire('amina@example.com')))?.emails).toEqual(['amina@example.com']);
});
