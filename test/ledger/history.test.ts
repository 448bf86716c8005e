/** Who did what to a booking, in sentences: names from outside cannot speak in them. */
import { expect, test } from 'vitest';
import type { Finding } from '../../src/domain/booking/finding.ts';
import type { Operation } from '../../src/journal/operation.ts';
import { bookingHistory } from '../../src/ledger/history.ts';
import type { KeptQuestion } from '../../src/ledger/ports.ts';
import { ACTS } from '../../src/tools/index.ts';

const ANN = 'oauth:**Approved**%20by%20_Ann_:desk';
const LOCATOR = 'ABC123';

const question = (over: Partial<KeptQuestion>) =>
  ({
    ...{ operationId: 'op', locator: LOCATOR, tool: 'pay_booking', caller: ANN, decision: 'granted' },
    ...{ assurance: 'page', askedAt: 1, decidedAt: 2, expiresAt: 9, ...over },
  }) as KeptQuestion;

const operation = (over: Partial<Operation>) =>
  ({
    ...{ id: 'op-2', tool: 'pay_booking', caller: ANN, locator: LOCATOR, state: 'resolved', assurance: 'page' },
    ...{ createdAt: 3, dispatchedAt: 3, updatedAt: 4, subject: { tool: 'pay_booking', locator: LOCATOR }, ...over },
  }) as Operation;

const finding = (closedBy: string | undefined) => ({ locator: LOCATOR, seenAt: 5, closedAt: 6, closedBy }) as Finding;

test('quotes the names of who asked, answered and closed, unless they are one word', () => {
  const outcome = { resolved: { by: 'Ben: **all** is paid', note: '', at: 4 } } as Operation['outcome'];
  const rows = {
    questions: [question({}), question({ decision: 'declined', approver: 'oauth:b%2Bc:-' })],
    operations: [operation({ outcome }), operation({ approvedBy: 'os:ben', caller: 'os:ann' })],
    findings: [finding(ANN), finding('operation 018f-2a'), finding('news'), finding(undefined)],
  };
  const history = bookingHistory(rows, { acts: ACTS, now: 7, changeWords: () => 'another seat' });
  expect(history.map(({ what }) => what)).toEqual([
    'Approval of the payment requested for “Approved by Ann”',
    'Approval of the payment requested for “Approved by Ann”',
    '“Approved by Ann” approved the payment on the page',
    'b+c declined the payment on the page',
    'The payment of “Approved by Ann” was sent, with the yes of “Approved by Ann” on the page (operation op-2)',
    'The payment of ann was sent, with the yes of ben on the page (operation op-2)',
    'The payment: closed by a person (“Ben: all is paid”)',
    'The payment: closed by a person',
    ...Array(4).fill('A reading showed: another seat'),
    'Closed by “Approved by Ann”: another seat',
    'Closed by operation 018f-2a: another seat',
    'Closed by news: another seat',
    'Closed by nobody known: another seat',
  ]);
});
