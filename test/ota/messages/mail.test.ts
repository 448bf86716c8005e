import { describe, expect, test } from 'vitest';
import type { BookingMail } from '../../../src/domain/booking/airline-requests.ts';
import { MAIL_PATHS, mailBody } from '../../../src/ota/messages/mail.ts';
import { named, SARA } from './values.ts';

const TO = { locator: 'K7M4QX', emails: ['lina@example.com'] };

describe('mail sent again', () => {
  test('sends each kind of mail to its own address', () => {
    expect(MAIL_PATHS).toEqual({
      tickets: '/notifications/email',
      cancellation: '/notifications/cancellation-email',
    });
  });

  test('names the passengers in ticket mail', () => {
    const mail: BookingMail = {
      ...TO,
      kind: 'tickets',
      names: [named(['SARA', 'ANNE'], 'HADDAD'), named(['OMAR'], 'HADDAD', { middle: ['ALI'] })],
    };
    expect(mailBody(mail)).toEqual({
      emails: ['lina@example.com'],
      ccEmails: [],
      bccEmails: [],
      recordLocator: 'K7M4QX',
      passengers: [
        { firstName: 'SARA ANNE', lastName: 'HADDAD' },
        { firstName: 'OMAR', middleName: 'ALI', lastName: 'HADDAD' },
      ],
    });
  });

  test('names flight, stations and local date of each segment in cancellation mail', () => {
    const segment = {
      ref: '1',
      optionRef: '1',
      flightNumber: '0120',
      operating: { carrier: 'HHR', number: '0120' },
      from: 'MKX',
      to: 'DMX',
      departs: '2026-12-01T00:30:00.000+03:00',
      arrives: '2026-12-01T02:55:00.000+03:00',
    };
    const utc = { ...segment, departs: '2026-11-30T21:30:00.000Z', journeyDate: '2026-12-01' };
    const expected = { flightDesignator: 'HHR0120', departure: 'MKX', arrival: 'DMX', departureDate: '2026-12-01' };
    expect(mailBody({ ...TO, kind: 'cancellation', segments: [segment, utc] })).toEqual({
      emails: ['lina@example.com'],
      ccEmails: [],
      bccEmails: [],
      recordLocator: 'K7M4QX',
      segments: [expected, expected],
    });
  });

  test('lets the airline list all that was cancelled if no segments are given', () => {
    expect(mailBody({ ...TO, kind: 'cancellation', segments: [] })).toEqual({
      emails: ['lina@example.com'],
      ccEmails: [],
      bccEmails: [],
      recordLocator: 'K7M4QX',
    });
  });

  test.each<[string, BookingMail]>([
    ['no recipient', { ...TO, emails: [], kind: 'tickets', names: SARA.name ? [SARA.name] : [] }],
    ['no passenger', { ...TO, kind: 'tickets', names: [] }],
  ])('rejects a mail with %s', (_name, mail) => expect(() => mailBody(mail)).toThrow());
});
