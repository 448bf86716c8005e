/** Signs of how people are reached: the bookings that earlier versions stored have them too. */
import { expect, test } from 'vitest';
import { reachedSigns, signsOf } from '../../../src/domain/people/reached-signs.ts';
import { contactNamed, traveler } from '../../support/people.ts';

/** What is digested, in its order. */
function digested(make: (digest: (text: string) => string) => unknown): readonly string[] {
  const texts: string[] = [];
  make((text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

test('are made of the texts that earlier versions digested, each once', () => {
  const reached = {
    emails: ['Amelia.Davis@example.com', 'a***@example.com'],
    phones: [{ countryCode: '65', number: '8123 4567' }],
  };
  const contact = contactNamed('Amelia', 'Davis', reached);
  const travelers = [traveler('1', 'Amelia', 'Davis', reached)];
  expect(digested((digest) => reachedSigns({ contact, travelers }, digest))).toEqual([
    'reached|email|amelia.davis@example.com',
    'reached|phone|581234567',
    'reached|phone|81234567',
  ]);
});

test('are the same for a telephone however it is written, and none for what is too short', () => {
  const spellings = ['+966 (0)50 123-4567', '00966501234567', '0501234567', '٠٥٠١٢٣٤٥٦٧'];
  expect(digested((digest) => signsOf([...spellings, '101', ''], digest))).toEqual(['reached|phone|501234567']);
});
