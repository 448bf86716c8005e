/** Addresses and documents of a hold that nobody sent, beside one that was sent: in the call that sent them, and later by digests. */
import { expect, test } from 'vitest';
import { unsentAddresses, unsentEmails } from '../../../src/domain/booking/unsent-addresses.ts';
import { askedChange, askedPeople, type PeopleLayer } from '../../../src/domain/facts/asked-people.ts';
import { notAsOffered } from '../../../src/tools/views/not-as-offered.ts';
import type { Booking } from '../../support/bookings.ts';
import { AMAL, CONTACT, digest, hold, KEPT, OMAR, people, SENT } from '../booking/support/asked-hold.ts';

const IN_CALL: readonly PeopleLayer[] = [{ people: askedPeople(SENT), sent: SENT }];
const [PHONE] = CONTACT.phones;
const STRANGE = { countryCode: '44', number: '7700900123' };
const contact = (over: Partial<typeof CONTACT>): Partial<Booking> => ({ contact: { ...CONTACT, ...over } });
const BESIDE = { number: 'X1200345', docType: '2' };
const told = (over: Partial<Booking>, layers: readonly PeopleLayer[]) =>
  notAsOffered(unsentAddresses(hold(over), layers), { vehicle: 'train', areEntered: false });

test.each<[string, Partial<Booking>, string]>([
  [
    'an e-mail of the contact',
    contact({ emails: [...CONTACT.emails, 'eve@stranger.example'] }),
    'the other e-mail of the contact is not the one sent, but e***@stranger.example',
  ],
  [
    'an e-mail before the right one',
    contact({ emails: ['eve@stranger.example', ...CONTACT.emails] }),
    'the other e-mail of the contact is not the one sent, but e***@stranger.example',
  ],
  [
    'a telephone of the contact',
    contact({ phones: [...CONTACT.phones, STRANGE] }),
    'the other telephone of the contact is not the one sent, but ••••••••123',
  ],
  [
    'an e-mail of a passenger',
    people({}, { emails: [...OMAR.emails, 'eve@stranger.example'] }),
    'the other e-mail of passenger 2 is not the one sent, but e***@stranger.example',
  ],
  [
    'a document of a passenger',
    people({ otherDocuments: [BESIDE] }),
    'the other document number of passenger 1 is not the one sent, but •••••345',
  ],
  [
    'a document before the right one',
    people({ document: BESIDE, otherDocuments: [AMAL.document ?? {}] }),
    'the other document number of passenger 1 is not the one sent, but •••••345',
  ],
  [
    'another expiry of the right document',
    people({ otherDocuments: [{ ...AMAL.document, expires: '2041-01-31' }] }),
    'the other expiry of the document of passenger 1 is not the one sent, but •••••••-31',
  ],
  [
    'the same one of everybody',
    {
      ...contact({ emails: [...CONTACT.emails, 'eve@stranger.example'] }),
      ...people({}, { emails: [...OMAR.emails, 'eve@stranger.example'] }),
    },
    'the other e-mail of the contact is not the one sent, but e***@stranger.example',
  ],
])('%s that nobody sent is named, masked', (_, over, said) => {
  for (const layers of [IN_CALL, KEPT]) expect(told(over, layers)).toBe(`NOT AS OFFERED: ${said}.`);
});

test.each<[string, Partial<Booking>]>([
  ['those that were sent', {}],
  ['one in other letters', contact({ emails: CONTACT.emails.map((email) => ` ${email.toUpperCase()}`) })],
  ['that of somebody else who was sent', contact({ emails: [...CONTACT.emails, ...OMAR.emails] })],
  ['a telephone in two spellings', contact({ phones: [...CONTACT.phones, { number: `0${PHONE?.number}` }] })],
  ['the document of somebody else who was sent', people({ otherDocuments: [OMAR.document ?? {}] })],
  ['a document that the airline masks', people({ otherDocuments: [{ number: 'X•••••45' }] })],
  ['one that the airline masks', contact({ emails: [...CONTACT.emails, 'e***@example.com'] })],
  // That is another address, and told as one.
  ['none of those that were sent', contact({ emails: ['eve@stranger.example'] })],
])('nothing is said of %s', (_, over) => {
  for (const layers of [IN_CALL, KEPT]) expect(told(over, layers)).toBeUndefined();
});

test('nothing is known of a booking that was not made here, and what an act of ours changed since was sent too', () => {
  const strange = contact({ emails: [...CONTACT.emails, 'eve@stranger.example'] });
  const changed = { ...CONTACT, emails: ['eve@stranger.example'] };
  const people = askedChange(hold().reading, { travelers: [], contact: changed }, digest);
  expect(told(strange, [])).toBeUndefined();
  expect(told(strange, [{ people, digest }])).toBeUndefined();
  expect(told(strange, [{ people, digest }, ...KEPT])).toBeUndefined();
});

test('of the addresses of a mail those are known that nobody sent, unless nothing is known of the hold', () => {
  const mail = [...AMAL.emails, 'Omar@Example.com', 'eve@stranger.example', 'e***@example.com'];
  for (const layers of [IN_CALL, KEPT]) expect(unsentEmails(mail, layers)).toEqual(['eve@stranger.example']);
  const later = (text: string) => digest(`later ${text}`);
  const changed = askedChange(hold().reading, { travelers: [{ ...OMAR, emails: ['eve@stranger.example'] }] }, later);
  expect(unsentEmails(mail, [{ people: changed, digest: later }, ...KEPT])).toEqual([]);
  expect(unsentEmails(mail, [{ people: changed, digest: later }])).toBeUndefined();
  expect(unsentEmails(mail)).toBeUndefined();
});
