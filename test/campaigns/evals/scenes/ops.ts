import { MODIFY, PAY, READ } from '../../support/acts.ts';
import { scenesOf } from '../scene.ts';
import { SAID_LAYLA } from './people.ts';
import { back, hold, on, pay, read, search, step } from './steps.ts';

const scene = scenesOf('ops');
const PAID = { airline: ['paid'], asked: 1 };
const COST = 'What does QCA to XMD on {day+20} cost in business class?';

/** Operations: the desk is looked after, and what is in doubt is settled. */
const DESK = [
  scene('the morning check', 'held', {
    says: 'Morning check: what happened, what runs out within 24 hours, what needs attention? Do not pay or cancel anything.',
    plays: [
      step('list_bookings', { needs_attention: true }),
      step('list_bookings', { deadline_within_hours: 24, refresh: true }),
      step('query_ledger', {}),
      step('query_ledger', {
        sql: "select tool, locator, at from operation where outcome in ('in_doubt', 'needs_person')",
      }),
    ],
  }),
  scene('what runs out is paid, once named', 'held', {
    says: 'List what runs out today, then pay {locator} by invoice and nothing else.',
    plays: [step('list_bookings', { deadline_within_hours: 24 }), pay()],
    ends: PAID,
  }),
  scene('a question about sales is answered by one statement', 'ticketed', {
    says: 'How much did we sell in the last month, by currency? One line.',
    plays: [
      step('query_ledger', {}),
      step('query_ledger', {
        sql: "select currency, sum(paid) as sold from operation where act = 'payment' and outcome = 'done' group by currency",
      }),
    ],
  }),
  scene('routes and days are looked up', 'nothing', {
    says: 'Where can one go from Makkah, and on which days of the next two weeks is there a train to Madinah?',
    plays: [
      step('list_routes', { from: 'Makkah' }),
      step('get_calendar_dates', { from: 'Makkah', to: 'Madinah', start_date: '{day+1}', end_date: '{day+14}' }),
    ],
  }),
  scene('the cheapest day is found, not booked', 'nothing', {
    says: 'Which of the days {day+10} to {day+13} is the cheapest from QCA to XMD for one adult? Only tell me.',
    plays: [
      step('find_cheapest_dates', {
        ...{ from: 'QCA', to: 'XMD', start_date: '{day+10}', end_date: '{day+13}', passengers: { adults: 1 } },
      }),
    ],
  }),
  scene('tickets are mailed again', 'ticketed', {
    says: 'The traveller of {locator} lost the e-mail with the tickets. Send it again.',
    plays: [on('send_tickets', { what: 'tickets' }, 'ok')],
  }),
  scene('a finding that somebody else has closed: nothing is closed twice', 'ticketed', {
    says: 'I have called the traveller about finding 3f9c2ab7. Close it.',
    plays: [step('close_findings', { finding_ids: ['3f9c2ab7'] }, 'E_NOT_FOUND')],
  }),
  scene('one traveller gets a booking of her own', 'return', {
    says: 'Split passenger 2 of {locator} off into a booking of her own.',
    plays: [on('split_booking', { passenger_refs: ['2'] })],
    ends: { airline: ['split'], asked: 1 },
  }),
  scene('all passengers cannot be split off', 'return', {
    says: 'Split both passengers of {locator} off into a new booking.',
    plays: [on('split_booking', { passenger_refs: ['1', '2'] }, 'E_NOT_PERMITTED')],
  }),
  scene('a tool of the desk is switched off', 'held', {
    says: 'List all bookings that need attention.',
    settings: { toolsets: ['core'] },
    plays: [step('list_bookings', {}, 'E_CONFIG')],
  }),
  scene('echo: a handle, shown and used, where the operator allows it', 'held', {
    says: [
      'Pay {locator} by invoice; the operator lets you confirm yourself once you have shown me the terms.',
      'Yes, these terms are right.',
    ],
    person: 'absent',
    settings: { approval: 'echo' },
    plays: [pay('approval_required'), pay('done', { approval_id: '{approval}' })],
    ends: { airline: ['paid'] },
  }),
  scene('echo: a handle is for its own act only', 'return', {
    says: 'Cancel the way back of {locator}; then stop, whatever it says.',
    person: 'absent',
    settings: { approval: 'echo' },
    plays: [back('approval_required'), back('E_APPROVAL_INVALID', { segment_refs: ['1'], approval_id: '{approval}' })],
  }),
];

/** Operations when the airline or the line fails: nothing twice, nothing made up. */
const TROUBLE = [
  scene('the airline is throttling: nothing is booked', 'nothing', {
    says: COST,
    trouble: { message: 'OTA_AirLowFareSearchRQ', kind: 'throttled', times: 4, retryAfter: 30 },
    plays: [search({}, 'E_AIRLINE_BUSY')],
  }),
  scene('a train that does not run: one plan, one yes', 'return', {
    settings: { toolsets: ['core', 'desk', 'plans'] },
    says: 'The trains of {locator} do not run. Make a plan that cancels it, show it to me, and carry it out.',
    plays: [
      step('propose_plan', { steps: [{ tool: 'cancel_bookings', arguments: { locators: ['{locator}'] } }] }),
      step('run_plan', { plan_id: '{plan}' }, 'done'),
    ],
    ends: { airline: ['segments_cancelled', 'refunded'], journal: ['cancel_booking succeeded'], asked: 1 },
  }),
  scene('the airline is down: nothing is booked', 'nothing', {
    says: COST,
    trouble: { message: 'OTA_AirLowFareSearchRQ', kind: '5xx-before', status: 500, times: 4 },
    plays: [search({}, 'E_AIRLINE_DOWN')],
  }),
  scene('the credentials are refused at the payment', 'held', {
    says: 'Pay {locator} by invoice. If it does not work, leave it.',
    trouble: { message: PAY, kind: 'unauthorized' },
    plays: [pay('E_AUTH')],
    ends: { journal: ['pay_booking refused'], asked: 1 },
  }),
  scene('a payment that never arrived is settled as not done', 'held', {
    says: ['Pay {locator} by invoice.', 'How does it stand? Do not pay anew.'],
    trouble: { message: PAY, kind: 'lose-before' },
    plays: [pay('pending')],
    ends: { journal: ['pay_booking in_doubt'], asked: 1 },
  }),
  scene('while one act is in doubt the booking takes no other', 'return', {
    says: ['Cancel the way back of {locator}.', 'Then cancel the way there as well.'],
    trouble: { message: MODIFY, kind: 'lose-before' },
    plays: [back('pending'), back('E_BOOKING_BUSY', { segment_refs: ['1'] })],
    ends: { journal: ['cancel_segment in_doubt'], asked: 1 },
  }),
  scene('a hold whose answer was lost is not made again', 'nothing', {
    says: [
      `Hold the cheapest business class train QCA to XMD on {day+20}. ${SAID_LAYLA}`,
      'No answer? Then book it again.',
    ],
    settings: { waitMs: 20 },
    trouble: { message: 'OTA_AirBookRQ', kind: 'commit-then-lose' },
    plays: [search(), hold({}, 'pending'), hold({}, 'pending')],
    ends: { airline: ['created'], journal: ['create_booking in_doubt'] },
  }),
  scene('a payment refused by the airline', 'held', {
    says: 'Pay {locator} by invoice. If it is refused, leave it.',
    trouble: { message: PAY, kind: '4xx-before' },
    plays: [pay('E_NOT_PERMITTED')],
    ends: { journal: ['pay_booking refused'], asked: 1 },
  }),
  scene('the booking cannot be read: nothing is decided', 'held', {
    says: 'Pay {locator} by invoice, if the airline can be reached.',
    trouble: { message: READ, kind: '5xx-before', status: 500, times: 6 },
    plays: [pay('E_AIRLINE_DOWN')],
  }),
  scene("an answer meant for another booking is not this one's", 'held', {
    says: 'Read {locator}.',
    trouble: { message: READ, kind: 'wrong-locator', times: 6 },
    plays: [read({}, 'E_AIRLINE_REPLY')],
  }),
];

export const OPS = [...DESK, ...TROUBLE];
