import type { Scene } from '../scene.ts';
import { CONTACT, LAYLA, OMAR, SAID_CHILDREN, SAID_LAYLA, SAID_OMAR, THERE_AND_BACK, YARA, ZAID } from './people.ts';
import { hold, pay, search } from './steps.ts';

/** A travel agent books: the trip is to be there, once, and paid as agreed. */
export const AGENT_BOOKS: readonly Scene[] = [
  {
    name: 'one way, held and paid',
    role: 'agent',
    stage: 'nothing',
    says: `Book the cheapest business class train from Makkah (QCA) to Madinah (XMD) on {day+20} and pay it by invoice. ${SAID_LAYLA}`,
    plays: [search, hold, pay],
    ends: {
      airline: ['created', 'paid'],
      journal: ['create_booking succeeded', 'pay_booking succeeded'],
      asked: 1,
      amounts: { paid: '{total}' },
    },
  },
  {
    name: 'held only, as asked',
    role: 'agent',
    stage: 'nothing',
    says: `Hold, but do not pay, the cheapest business class train QCA to XMD on {day+20}. ${SAID_LAYLA}`,
    plays: [search, hold],
    ends: { airline: ['created'], journal: ['create_booking succeeded'], asked: 0 },
  },
  {
    name: 'there and back for two',
    role: 'agent',
    stage: 'nothing',
    says: `Two of us, business class, QCA to XMD on {day+20} and back on {day+24}: book the cheapest and pay by invoice. ${SAID_LAYLA} ${SAID_OMAR}`,
    plays: [
      { call: 'search_fares', with: { ...THERE_AND_BACK, passengers: { adults: 2 } }, comes: 'ok' },
      { ...hold, with: { ...hold.with, passengers: [LAYLA, OMAR] } },
      pay,
    ],
    ends: { airline: ['created', 'paid'], journal: ['create_booking succeeded', 'pay_booking succeeded'], asked: 1 },
  },
  {
    name: 'a family with a child and an infant',
    role: 'agent',
    stage: 'nothing',
    says: `Hold the cheapest business class train QCA to XMD on {day+20} for an adult, a child and an infant. ${SAID_LAYLA} ${SAID_CHILDREN}`,
    plays: [
      { ...search, with: { ...search.with, passengers: { adults: 1, children: 1, infants: 1 } } },
      { ...hold, with: { ...hold.with, passengers: [LAYLA, YARA, ZAID] } },
    ],
    ends: { airline: ['created'], journal: ['create_booking succeeded'], asked: 0 },
  },
  {
    name: 'places by name',
    role: 'agent',
    stage: 'nothing',
    says: `Hold the cheapest business class train from Makkah to Madinah on {day+20}. ${SAID_LAYLA}`,
    plays: [{ ...search, with: { ...search.with, legs: [{ from: 'Makkah', to: 'Madinah', date: '{day+20}' }] } }, hold],
    ends: { airline: ['created'], journal: ['create_booking succeeded'], asked: 0 },
  },
  {
    name: 'a group without names',
    role: 'agent',
    stage: 'nothing',
    says: 'Hold three business class seats QCA to XMD on {day+20} for the group HADDAD TOURS; the names come later. Contact: Layla Haddad, layla@haddad.example.',
    plays: [
      { ...search, with: { ...search.with, passengers: { adults: 3 } } },
      {
        call: 'create_booking',
        with: { offer_ids: ['{offer}'], contact: CONTACT, passenger_counts: { adults: 3 }, group_name: 'HADDAD TOURS' },
        comes: 'done',
      },
    ],
    ends: { airline: ['created'], journal: ['create_booking succeeded'], asked: 0 },
  },
  {
    name: 'a hold is paid at its price',
    role: 'agent',
    stage: 'held',
    says: 'Pay booking {locator} by invoice. It should cost {total}.',
    plays: [{ ...pay, with: { ...pay.with, expected_total: '{total}' } }],
    ends: { airline: ['paid'], journal: ['pay_booking succeeded'], asked: 1, amounts: { paid: '{total}' } },
  },
  {
    name: 'a repeated order makes no second booking',
    role: 'agent',
    stage: 'nothing',
    says: [
      `Hold the cheapest business class train QCA to XMD on {day+20}. ${SAID_LAYLA}`,
      'I did not see an answer, so please book exactly that again.',
    ],
    plays: [search, hold, { ...hold, comes: 'already_done' }],
    ends: { airline: ['created'], journal: ['create_booking succeeded'], asked: 0 },
  },
  {
    name: 'the answer to a payment is lost: followed, not sent again',
    role: 'agent',
    stage: 'held',
    says: ['Pay booking {locator} by invoice.', 'Did it work? If not, try again.'],
    trouble: [{ message: 'OTA_AirDemandTicketRQ', kind: 'commit-then-lose' }],
    plays: [
      { ...pay, comes: 'pending' },
      { ...pay, with: { ...pay.with, approval_id: '{approval}' }, comes: 'done' },
    ],
    ends: { airline: ['paid'], journal: ['pay_booking succeeded'], asked: 1, amounts: { paid: '{total}' } },
  },
  {
    name: 'a late hold is still a hold',
    role: 'agent',
    stage: 'held',
    says: 'Please pay {locator} on invoice now.',
    plays: [{ ...pay, afterMinutes: 10 }],
    ends: { airline: ['paid'], journal: ['pay_booking succeeded'], asked: 1 },
  },
  {
    name: 'the payment of a group',
    role: 'agent',
    stage: 'group',
    says: 'The names of group booking {locator} are Layla Haddad (female, born 1991-04-17), Omar Haddad (male, born 1988-11-02) and Nora Haddad (female, born 1990-01-01), all adults. Put them in; do not pay yet.',
    plays: [
      {
        call: 'change_names',
        with: {
          locator: '{locator}',
          changes: [
            {
              passenger_ref: '1',
              given_name: 'Layla',
              surname: 'Haddad',
              gender: 'Female',
              birth_date: '1991-04-17',
              document: LAYLA.document,
            },
            {
              passenger_ref: '2',
              given_name: 'Omar',
              surname: 'Haddad',
              gender: 'Male',
              birth_date: '1988-11-02',
              document: OMAR.document,
            },
            {
              passenger_ref: '3',
              given_name: 'Nora',
              surname: 'Haddad',
              gender: 'Female',
              birth_date: '1990-01-01',
              document: YARA.document,
            },
          ],
        },
        comes: 'done',
      },
    ],
    ends: { airline: ['renamed'], journal: ['change_names succeeded'], asked: 0 },
  },
];
