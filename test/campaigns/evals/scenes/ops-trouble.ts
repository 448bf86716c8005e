import type { Scene } from '../scene.ts';
import { SAID_LAYLA } from './people.ts';
import { hold, pay, search } from './steps.ts';

const BOOK = 'OTA_AirBookRQ';
const PAY = 'OTA_AirDemandTicketRQ';
const READ = 'OTA_ReadRQ';

/** Operations when the airline or the line fails: nothing twice, nothing made up. */
export const OPS_TROUBLE: readonly Scene[] = [
  {
    name: 'the airline is throttling: nothing is booked',
    role: 'ops',
    stage: 'nothing',
    says: 'What does QCA to XMD on {day+20} cost in business class?',
    trouble: [{ message: 'OTA_AirLowFareSearchRQ', kind: 'throttled', times: 4, retryAfter: 30 }],
    plays: [{ ...search, comes: 'E_AIRLINE_BUSY' }],
    ends: { airline: [] },
  },
  {
    name: 'a train that does not run: one plan, one yes',
    role: 'ops',
    stage: 'return',
    settings: { plans: true },
    says: 'The trains of {locator} do not run. Make a plan that cancels it, show it to me, and carry it out.',
    plays: [
      {
        call: 'propose_plan',
        with: { steps: [{ tool: 'cancel_bookings', arguments: { locators: ['{locator}'] } }] },
        comes: 'ok',
      },
      { call: 'run_plan', with: { plan_id: '{plan}' }, comes: 'done' },
    ],
    ends: { airline: ['segments_cancelled', 'refunded'], journal: ['cancel_booking succeeded'], asked: 1 },
  },
  {
    name: 'the airline is down: nothing is booked',
    role: 'ops',
    stage: 'nothing',
    says: 'What does QCA to XMD on {day+20} cost in business class?',
    trouble: [{ message: 'OTA_AirLowFareSearchRQ', kind: '5xx-before', status: 500, times: 4 }],
    plays: [{ ...search, comes: 'E_AIRLINE_DOWN' }],
    ends: { airline: [] },
  },
  {
    name: 'the credentials are refused at the payment',
    role: 'ops',
    stage: 'held',
    says: 'Pay {locator} by invoice. If it does not work, leave it.',
    trouble: [{ message: PAY, kind: 'unauthorized' }],
    plays: [{ ...pay, comes: 'E_AUTH' }],
    ends: { airline: [], journal: ['pay_booking refused'], asked: 1 },
  },
  {
    name: 'a payment that never arrived is settled as not done',
    role: 'ops',
    stage: 'held',
    says: ['Pay {locator} by invoice.', 'How does it stand? Do not pay anew.'],
    trouble: [{ message: PAY, kind: 'lose-before' }],
    plays: [{ ...pay, comes: 'pending' }],
    ends: { airline: [], journal: ['pay_booking in_doubt'], asked: 1 },
  },
  {
    name: 'while one act is in doubt the booking takes no other',
    role: 'ops',
    stage: 'return',
    says: ['Cancel the way back of {locator}.', 'Then cancel the way there as well.'],
    trouble: [{ message: 'OTA_AirBookModifyRQ', kind: 'lose-before' }],
    plays: [
      { call: 'cancel_segment', with: { locator: '{locator}', segment_refs: ['2'] }, comes: 'pending' },
      { call: 'cancel_segment', with: { locator: '{locator}', segment_refs: ['1'] }, comes: 'E_BOOKING_BUSY' },
    ],
    ends: { airline: [], journal: ['cancel_segment in_doubt'], asked: 1 },
  },
  {
    name: 'a hold whose answer was lost is not made again',
    role: 'ops',
    stage: 'nothing',
    says: [
      `Hold the cheapest business class train QCA to XMD on {day+20}. ${SAID_LAYLA}`,
      'No answer? Then book it again.',
    ],
    settings: { waitMs: 20 },
    trouble: [{ message: BOOK, kind: 'commit-then-lose' }],
    plays: [search, { ...hold, comes: 'pending' }, { ...hold, comes: 'pending' }],
    ends: { airline: ['created'], journal: ['create_booking in_doubt'], asked: 0 },
  },
  {
    name: 'a payment refused by the airline',
    role: 'ops',
    stage: 'held',
    says: 'Pay {locator} by invoice. If it is refused, leave it.',
    trouble: [{ message: PAY, kind: '4xx-before' }],
    plays: [{ ...pay, comes: 'E_NOT_PERMITTED' }],
    ends: { airline: [], journal: ['pay_booking refused'], asked: 1 },
  },
  {
    name: 'the booking cannot be read: nothing is decided',
    role: 'ops',
    stage: 'held',
    says: 'Pay {locator} by invoice, if the airline can be reached.',
    trouble: [{ message: READ, kind: '5xx-before', status: 500, times: 6 }],
    plays: [{ ...pay, comes: 'E_AIRLINE_DOWN' }],
    ends: { airline: [], asked: 0 },
  },
  {
    name: "an answer meant for another booking is not this one's",
    role: 'ops',
    stage: 'held',
    says: 'Read {locator}.',
    trouble: [{ message: READ, kind: 'wrong-locator', times: 6 }],
    plays: [{ call: 'read_booking', with: { locator: '{locator}' }, comes: 'E_AIRLINE_REPLY' }],
    ends: { airline: [] },
  },
];
