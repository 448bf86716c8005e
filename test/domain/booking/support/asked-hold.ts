/** A hold of two people on two flights, what was asked for, and what is said of a hold that differs. */
import { hash } from 'node:crypto';
import { type AddedToHold, askedPeople, type PeopleLayer } from '../../../../src/domain/facts/asked-people.ts';
import type { FirstSaid } from '../../../../src/domain/facts/booking-rows.ts';
import {
  type ChosenOffer,
  chosenOffer,
  heldDifferences,
} from '../../../../src/domain/facts/compare-hold-with-offer.ts';
import { keptRules } from '../../../../src/domain/refund/rules-in-force.ts';
import { vehicleOf } from '../../../../src/tools/definition/define.ts';
import { notAsOffered, viewDifferences } from '../../../../src/tools/views/not-as-offered.ts';
import { BACK, type Booking, faresOf, held, NOW, OUT, sar } from '../../../support/bookings.ts';
import { contactNamed, type Traveler, traveler } from '../../../support/people.ts';

export const AMAL = traveler('1', 'Amal Noor', 'Al Zein', { emails: ['amal@example.com'], gender: 'Female' });
export const OMAR = traveler('2', 'Omar', 'Haddad', {
  type: 'CHD',
  document: { number: 'P7654321', docType: '2', nationality: 'EG', expires: '2033-05-05' },
  birthDate: '2019-02-03',
  emails: ['omar@example.com'],
  phones: [{ countryCode: '20', number: '01001234567' }],
});
export const CONTACT = contactNamed('Amal', 'Al Zein', { phones: [{ countryCode: '966', number: '551234567' }] });
export const SENT = { travelers: [AMAL, OMAR], contact: CONTACT };
export const OFFER = chosenOffer([OUT, BACK], {
  ...{ total: sar(69000), party: { ADT: 1, CHD: 1 }, baggage: ['1 PC'] },
  rules: keptRules([OUT, BACK], faresOf(), NOW),
});
const IN_CALL: readonly PeopleLayer[] = [{ people: askedPeople(SENT), sent: SENT }];
export const digest = (text: string) => hash('sha256', `operation|${text}`);
export const KEPT: readonly PeopleLayer[] = [{ people: askedPeople(SENT, digest), digest }];

export const hold = (over: Partial<Booking> = {}): Booking =>
  held({ travelers: [AMAL, OMAR], contact: CONTACT, ...over });
export const people = (amal: Partial<Traveler>, omar: Partial<Traveler> = {}): Partial<Booking> => ({
  travelers: [
    { ...AMAL, ...amal },
    { ...OMAR, ...omar },
  ],
});

export interface Case {
  readonly offer?: ChosenOffer | undefined;
  readonly layers?: readonly PeopleLayer[];
  readonly first?: FirstSaid | undefined;
  readonly added?: readonly AddedToHold[];
  readonly now?: number;
  readonly areEntered?: boolean;
  readonly dialect?: 'rail' | 'airline';
}

/** What is said of a hold that differs in this: the words, and the fields. */
export function tell(over: Partial<Booking>, options: Case = {}) {
  const { layers = IN_CALL, areEntered = false, dialect = 'airline', first, added, now = NOW } = options;
  const offer = 'offer' in options ? options.offer : OFFER;
  const asked = { offer, layers, first, digest, ...(added && { added }) };
  const differences = heldDifferences(asked, hold(over), now);
  const readers = { vehicle: vehicleOf({ dialect }), areEntered };
  return {
    text: notAsOffered(differences, readers)?.replace(/^NOT AS OFFERED: (.*)\.$/s, '$1'),
    fields: viewDifferences(differences, readers),
  };
}

export const document = (over: object) => ({ document: { ...AMAL.document, ...over } });
