import { describe, expect, test } from 'vitest';
import type { PaymentType } from '../../../src/domain/booking/airline-requests.ts';
import type { PaymentReceipt } from '../../../src/domain/booking/booking.ts';
import { decodeTicketReply, encodeTicketRequest, TICKET, type TicketOrder } from '../../../src/ota/messages/ticket.ts';
import { fixture } from './fixture.ts';
import { named } from './values.ts';

const ORDER: TicketOrder = {
  locator: 'K7M4QX',
  paymentType: 'credit_card',
  holderName: 'LINA HADDAD',
  companyName: { code: 'W1', shortName: 'Western' },
};

describe('payment request', () => {
  test('uses OTA_AirDemandTicketRQ for payments', () => expect(TICKET).toBe('OTA_AirDemandTicketRQ'));
  test('encodes a payment as the published message', () =>
    expect(encodeTicketRequest(ORDER)).toEqual(fixture('ticket-request')));

  test.each<[PaymentType, string]>([
    ['external', '32'],
    ['credit_card', '5'],
    ['cash', '1'],
    ['debit_credit_account', '4'],
    ['invoice', '40'],
  ])('encodes the payment type %s as %s', (paymentType, code) => {
    const order = { locator: 'K7M4QX', paymentType };
    const wire = encodeTicketRequest(order);
    expect(wire.demandTicketDetail).toEqual({
      messageFunction: [{ function: 'ET' }],
      bookingReferenceID: { id: 'K7M4QX', type: '14' },
      paymentInfo: [{ paymentType: code }],
    });
  });

  test('never sends a card number', () => {
    const order = { ...ORDER, cardNumber: '4111111111111111' };
    expect(JSON.stringify(encodeTicketRequest(order))).not.toContain('4111');
  });
});

const RECEIPT: PaymentReceipt = {
  locator: 'K7M4QX',
  references: [{ id: 'K7M4QX', type: '14', system: 'W1', segmentRefs: [] }],
  items: [
    {
      ticketNumber: '2201234500017',
      ticketType: 'E_TICKET',
      itemNumber: '1',
      name: named(['SARA'], 'HADDAD', { prefix: ['MS'], middle: ['ANNE'], suffix: ['II'], title: ['DR'] }),
      passengerType: 'ADT',
      total: '355.5',
      net: '300',
      paymentType: '5',
      conjunctive: ['2201234500019'],
      links: [
        { href: 'https://rest.example/1', rel: 'downloadTicket' },
        { href: 'https://rest.example/3', rel: 'downloadTicket' },
        { href: 'https://rest.example/2' },
      ],
    },
    {
      ticketNumber: '2201234500018',
      ticketType: 'E_TICKET',
      passengerType: 'INF',
      total: '19.55',
      net: '2',
      paymentType: '4',
      conjunctive: [],
      links: [],
    },
  ],
  retransmission: false,
  answeredAt: '2026-11-20T09:10:19.653Z',
};

describe('payment reply', () => {
  test('decodes the published payment reply', () =>
    expect(decodeTicketReply(fixture('ticket-reply'))).toEqual(RECEIPT));
});
