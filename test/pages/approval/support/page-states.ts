/** States of the page of a question: what was asked, and what became of it. The question is open from 1 s to 601 s after 1970. */
import type { pendingApproval } from '../../../support/approvals.ts';

type Approval = ReturnType<typeof pendingApproval>;

const SECTIONS: Approval['sections'] = [
  { kind: 'act', lines: ['Pay SAR 172.50 for booking ABC123'] },
  { kind: 'caution', lines: ['It may be paid already.'] },
  { kind: 'refund', lines: ['SAR 86.25 comes back.', 'After Tue nothing.'] },
  { kind: 'trip', lines: ['Train HHR101: MED → JED, Tue 1 Dec 08:00-10:10 (UTC+3)'] },
  { kind: 'people', lines: ['Amal Haddad'] },
  { kind: 'note', lines: ['Seats are not kept.'] },
  { kind: 'computed', lines: ['2 × 3 = 6'] },
];
const BACK = { minor: 8_625, currency: 'SAR' };
const REFUND = { args: {}, operation: { direction: 'refund', amount: BACK } };
const CANCEL = { verb: 'Cancel', object: 'every train', preposition: 'of', booking: 'ABC123' } as const;
const CLIENT = { name: 'A & B', version: '1.4.2' };

/** By a title that says what is asked. */
export const QUESTIONS: Readonly<Record<string, Partial<Approval>>> = {
  'of a payment': { caller: 'os:ann', client: CLIENT, near: '2026-12-09T18:40:00+03:00', sections: SECTIONS },
  'of a payment that replaced another question': {
    others: [
      {
        ...{ before: 'This question replaces an earlier one', about: 'Pay SAR 150.00', operationId: 'o1' },
        after: ', so approving that one does nothing.',
      },
    ],
  },
  'of a change': { nature: 'change', act: { verb: 'Change', object: 'names' }, caller: 'oauth:ann%20lee:desk' },
  'of a cancellation, by a program without a name': {
    ...{
      nature: 'cancellation',
      act: { verb: 'Cancel', object: 'every train' },
      caller: 'os:100%',
    },
    client: { name: ' \u202e\u0007 ', version: '9' },
    carried: REFUND,
  },
  'of a cancellation that moves no money, about a booking that it names': {
    ...{ nature: 'cancellation', act: { verb: 'Release', object: 'hold', booking: 'ABC123' }, caller: 'os:ann' },
    about: { people: ['Amal Haddad'], count: 1, airline: 'HHR, api.airline.example', agency: 'A1' },
  },
  'of a cancellation with a long sentence': {
    ...{ nature: 'cancellation', act: { ...CANCEL, sum: { moves: 'back', about: BACK } }, caller: 'os:ann' },
    carried: REFUND,
  },
  'of a cancellation whose refund depends on a condition': {
    ...{ nature: 'cancellation', caller: 'os:ann' },
    act: { ...CANCEL, sum: { moves: 'back', about: BACK, onCondition: BACK } },
    carried: REFUND,
    sections: [{ kind: 'refund', lines: ["The airline's condition: “Health reasons only”", 'SAR 86.25 comes back.'] }],
  },
  'of a change that costs at most a sum': {
    caller: 'os:ann',
    act: {
      ...{ verb: 'Change', object: 'train HHR101', preposition: 'of', booking: 'ABC123', to: 'HHR105' },
      sum: { moves: 'paid', atMost: { minor: 5_000, currency: 'SAR' } },
    },
  },
  'of a program with a long name, with a minute left': {
    ...{ expiresAt: 61_000, client: { name: 'x'.repeat(500), version: 'y'.repeat(500) } },
  },
  'at the last moment': { expiresAt: 60_000 },
};

export const entered = (state: string, outcome: object = {}) => ({
  ...{ id: 'op-1', state, locator: 'ABC123', outcome },
  subject: { kind: 'cancel_booking' },
});
const granted = { decision: 'granted' as const };
const stale = {
  ...{ decision: 'void' as const, voidWhy: 'terms_changed' as const },
  voidLines: ['Pay SAR 199.00 for booking ABC123'],
};
const error = {
  ...{ code: 'E_PAYMENT_DECLINED', effect: 'none', retry: 'never' },
  message: 'The airline declined the payment. Nothing was charged.',
  next: 'Call pay_booking again.',
  airline: { title: 'Declined <b>', correlationId: 'c-1' },
};

/** By a title that says what became of it: the question, and its operation if there is one. */
export const OUTCOMES: Readonly<Record<string, readonly [over: Partial<Approval>, operation?: object]>> = {
  declined: [{ decision: 'declined' }],
  'granted, and not begun': [granted],
  'granted, and void': [{ decision: 'void' }],
  'granted too late': [{ ...granted, expiresAt: 1_000 }],
  'nobody answered': [{ expiresAt: 1_000 }],
  'other terms': [stale],
  'about to be sent, however late it is': [{ ...granted, expiresAt: 1_000 }, entered('intent')],
  sent: [granted, entered('dispatched')],
  'in doubt': [granted, entered('in_doubt')],
  done: [granted, entered('succeeded')],
  'refused by the airline': [granted, entered('refused', { error })],
  'not carried out': [granted, entered('not_executed')],
  'not carried out, because of other terms': [stale, entered('not_executed')],
  'for a person to check': [granted, entered('needs_person', { check: 'Look.' })],
  'checked by a person': [granted, entered('resolved')],
};
