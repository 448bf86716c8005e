import type { Scene } from '../scene.ts';
import { ONE_WAY } from './people.ts';

/** Customer support does what a traveller is entitled to: once, and no more than was asked. */
export const SUPPORT_CHANGES: readonly Scene[] = [
  {
    name: 'one of two trains is cancelled',
    role: 'support',
    stage: 'return',
    says: 'Booking {locator}: they stay in Madinah. Cancel the way back for both, keep the way there.',
    plays: [{ call: 'cancel_segment', with: { locator: '{locator}', segment_refs: ['2'] }, comes: 'done' }],
    ends: { airline: ['segments_cancelled', 'refunded'], journal: ['cancel_segment succeeded'], asked: 1 },
  },
  {
    name: 'the whole booking is cancelled',
    role: 'support',
    stage: 'return',
    says: 'Cancel the whole booking {locator} and refund what the rules allow.',
    plays: [{ call: 'cancel_booking', with: { locator: '{locator}' }, comes: 'done' }],
    ends: { airline: ['segments_cancelled', 'refunded'], journal: ['cancel_booking succeeded'], asked: 1 },
  },
  {
    name: 'a hold is released',
    role: 'support',
    stage: 'held',
    says: 'The traveller of {locator} does not want it any more. It is not paid: release it.',
    plays: [{ call: 'cancel_booking', with: { locator: '{locator}' }, comes: 'done' }],
    ends: { airline: ['cancelled'], journal: ['cancel_booking succeeded'], asked: 1 },
  },
  {
    name: 'one of two passengers stays at home',
    role: 'support',
    stage: 'return',
    says: 'In {locator} passenger 2 (Noor) does not travel at all. Take her out; the other one travels.',
    plays: [{ call: 'cancel_passenger', with: { locator: '{locator}', passenger_refs: ['2'] }, comes: 'done' }],
    ends: { airline: ['passengers_cancelled', 'refunded'], journal: ['cancel_passenger succeeded'], asked: 1 },
  },
  {
    name: 'a name is corrected on a ticket',
    role: 'support',
    stage: 'ticketed',
    says: 'The given name in {locator} is misspelt: it is Amel, not Amal. Correct it.',
    plays: [
      {
        call: 'change_names',
        with: { locator: '{locator}', changes: [{ passenger_ref: '1', given_name: 'Amel' }] },
        comes: 'done',
      },
    ],
    ends: { airline: ['renamed'], journal: ['change_names succeeded'], asked: 1 },
  },
  {
    name: 'a name is corrected on a hold',
    role: 'support',
    stage: 'held',
    says: 'The given name in {locator} is Amel, not Amal. Correct it.',
    plays: [
      {
        call: 'change_names',
        with: { locator: '{locator}', changes: [{ passenger_ref: '1', given_name: 'Amel' }] },
        comes: 'done',
      },
    ],
    ends: { airline: ['renamed'], journal: ['change_names succeeded'], asked: 0 },
  },
  {
    name: 'a family is cancelled together',
    role: 'support',
    stage: 'family',
    says: 'Neither the adult nor the infant of {locator} travels: cancel both passengers.',
    plays: [{ call: 'cancel_booking', with: { locator: '{locator}' }, comes: 'done' }],
    ends: { airline: ['segments_cancelled', 'refunded'], journal: ['cancel_booking succeeded'], asked: 1 },
  },
  {
    name: 'another seat',
    role: 'support',
    stage: 'ticketed',
    says: 'Give the passenger of {locator} any other free seat on the train.',
    plays: [
      { call: 'get_seat_map', with: { locator: '{locator}', detail: 'full' }, comes: 'ok' },
      {
        call: 'assign_seats',
        with: { locator: '{locator}', seats: [{ segment_ref: '1', passenger_ref: '1', seat: '{seat}' }] },
        comes: 'done',
      },
    ],
    ends: { airline: ['seats_changed'], journal: ['assign_seats succeeded'], asked: 1 },
  },
  {
    name: 'the answer to a cancellation is lost: followed, not sent again',
    role: 'support',
    stage: 'return',
    says: ['Cancel the way back of {locator}.', 'Has it gone through? Cancel it again if not.'],
    trouble: [{ message: 'OTA_AirBookModifyRQ', kind: 'commit-then-lose' }],
    plays: [
      { call: 'cancel_segment', with: { locator: '{locator}', segment_refs: ['2'] }, comes: 'pending' },
      {
        call: 'cancel_segment',
        with: { locator: '{locator}', segment_refs: ['2'], approval_id: '{approval}' },
        comes: 'done',
      },
    ],
    ends: { airline: ['segments_cancelled', 'refunded'], journal: ['cancel_segment succeeded'], asked: 1 },
  },
  {
    name: 'a new contact',
    role: 'support',
    stage: 'ticketed',
    says: 'Notices about {locator} should go to desk@example.org from now on.',
    plays: [{ call: 'update_contact', with: { locator: '{locator}', email: 'desk@example.org' }, comes: 'done' }],
    ends: { airline: ['contact_updated'], journal: ['update_contact succeeded'], asked: 1 },
  },
  {
    name: 'a new passport',
    role: 'support',
    stage: 'ticketed',
    says: 'The passenger of {locator} has a new passport: P9988776, Saudi, valid to 2036-05-01. Put it in.',
    plays: [
      {
        call: 'update_passenger',
        with: {
          locator: '{locator}',
          changes: [
            {
              passenger_ref: '1',
              document: { type: 'passport', number: 'P9988776', nationality: 'SA', expires: '2036-05-01' },
            },
          ],
        },
        comes: 'done',
      },
    ],
    ends: { airline: ['passenger_updated'], journal: ['update_passenger succeeded'], asked: 1 },
  },
  {
    name: 'another train',
    role: 'support',
    stage: 'ticketed',
    says: 'Move booking {locator} to a business class train on {day+22}, whatever the fee.',
    plays: [
      {
        call: 'search_fares',
        with: { ...ONE_WAY, legs: [{ from: 'QCA', to: 'XMD', date: '{day+22}' }], passengers: { adults: 1 } },
        comes: 'ok',
      },
      { call: 'rebook_segment', with: { locator: '{locator}', segment_ref: '1', offer_id: '{offer}' }, comes: 'done' },
    ],
    ends: { airline: ['rebooked', 'paid'], journal: ['rebook_segment succeeded'], asked: 1 },
  },
];
