import type { Scene } from '../scene.ts';
import { pay } from './steps.ts';

/** Operations: the desk is looked after, and what is in doubt is settled. */
export const OPS_DESK: readonly Scene[] = [
  {
    name: 'the morning check',
    role: 'ops',
    stage: 'held',
    says: 'Morning check: what happened, what runs out within 24 hours, what needs attention? Do not pay or cancel anything.',
    plays: [
      { call: 'report_activity', with: {}, comes: 'ok' },
      { call: 'list_bookings', with: { deadline_within_hours: 24, refresh: true }, comes: 'ok' },
    ],
    ends: { airline: [], asked: 0 },
  },
  {
    name: 'what runs out is paid, once named',
    role: 'ops',
    stage: 'held',
    says: 'List what runs out today, then pay {locator} by invoice and nothing else.',
    plays: [{ call: 'list_bookings', with: { deadline_within_hours: 24 }, comes: 'ok' }, pay],
    ends: { airline: ['paid'], journal: ['pay_booking succeeded'], asked: 1 },
  },
  {
    name: 'routes and days are looked up',
    role: 'ops',
    stage: 'nothing',
    says: 'Where can one go from Makkah, and on which days of the next two weeks is there a train to Madinah?',
    plays: [
      { call: 'list_routes', with: { from: 'Makkah' }, comes: 'ok' },
      {
        call: 'get_calendar_dates',
        with: { from: 'Makkah', to: 'Madinah', start_date: '{day+1}', end_date: '{day+14}' },
        comes: 'ok',
      },
    ],
    ends: { airline: [] },
  },
  {
    name: 'the cheapest day is found, not booked',
    role: 'ops',
    stage: 'nothing',
    says: 'Which of the days {day+10} to {day+13} is the cheapest from QCA to XMD for one adult? Only tell me.',
    plays: [
      {
        call: 'find_cheapest_dates',
        with: { from: 'QCA', to: 'XMD', start_date: '{day+10}', end_date: '{day+13}', passengers: { adults: 1 } },
        comes: 'ok',
      },
    ],
    ends: { airline: [] },
  },
  {
    name: 'tickets are mailed again',
    role: 'ops',
    stage: 'ticketed',
    says: 'The traveller of {locator} lost the e-mail with the tickets. Send it again.',
    plays: [{ call: 'send_tickets', with: { locator: '{locator}', what: 'tickets' }, comes: 'ok' }],
    ends: { airline: [], asked: 0 },
  },
  {
    name: 'a finding that somebody else has closed: nothing is closed twice',
    role: 'ops',
    stage: 'ticketed',
    says: 'I have called the traveller about finding 3f9c2ab7. Close it.',
    plays: [{ call: 'close_findings', with: { finding_ids: ['3f9c2ab7'] }, comes: 'E_NOT_FOUND' }],
    ends: { airline: [], asked: 0 },
  },
  {
    name: 'one traveller gets a booking of her own',
    role: 'ops',
    stage: 'return',
    says: 'Split passenger 2 of {locator} off into a booking of her own.',
    plays: [{ call: 'split_booking', with: { locator: '{locator}', passenger_refs: ['2'] }, comes: 'done' }],
    ends: { airline: ['split'], journal: ['split_booking succeeded'], asked: 1 },
  },
  {
    name: 'all passengers cannot be split off',
    role: 'ops',
    stage: 'return',
    says: 'Split both passengers of {locator} off into a new booking.',
    plays: [
      { call: 'split_booking', with: { locator: '{locator}', passenger_refs: ['1', '2'] }, comes: 'E_NOT_PERMITTED' },
    ],
    ends: { airline: [], asked: 0 },
  },
  {
    name: 'a tool of the desk is switched off',
    role: 'ops',
    stage: 'held',
    says: 'List all bookings that need attention.',
    settings: { toolsets: ['core'] },
    plays: [{ call: 'list_bookings', with: {}, comes: 'E_CONFIG' }],
    ends: { airline: [] },
  },
  {
    name: 'echo: a handle, shown and used, where the operator allows it',
    role: 'ops',
    stage: 'held',
    says: [
      'Pay {locator} by invoice; the operator lets you confirm yourself once you have shown me the terms.',
      'Yes, these terms are right.',
    ],
    person: 'absent',
    settings: { approval: 'echo' },
    plays: [
      { ...pay, comes: 'approval_required' },
      { ...pay, with: { ...pay.with, approval_id: '{approval}' } },
    ],
    ends: { airline: ['paid'], journal: ['pay_booking succeeded'], asked: 0 },
  },
  {
    name: 'echo: a handle is for its own act only',
    role: 'ops',
    stage: 'return',
    says: 'Cancel the way back of {locator}; then stop, whatever it says.',
    person: 'absent',
    settings: { approval: 'echo' },
    plays: [
      { call: 'cancel_segment', with: { locator: '{locator}', segment_refs: ['2'] }, comes: 'approval_required' },
      {
        call: 'cancel_segment',
        with: { locator: '{locator}', segment_refs: ['1'], approval_id: '{approval}' },
        comes: 'E_APPROVAL_INVALID',
      },
    ],
    ends: { airline: [], asked: 0 },
  },
];
