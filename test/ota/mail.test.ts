import { describe, expect, it } from 'vitest';
import { personName } from '../support/people.ts';
import { json } from './support/answers.ts';
import { at, failureOf, serve } from './support/harness.ts';
import type { BookingMail } from './support/port.ts';

const MAIL: BookingMail = {
  kind: 'tickets',
  locator: 'K7M4QX',
  emails: ['lina@example.com'],
  names: [personName('SARA', 'HADDAD')],
};

describe('mail', () => {
  it.each([
    [204, ''],
    [200, { sent: true }],
  ])(
    'goes to the gateway, with credentials and without an OTA envelope, and is sent after HTTP %i',
    async (status, reply) => {
      const server = await serve(json(status, reply));
      await expect(at(server.origin).sendMail(MAIL)).resolves.toBeUndefined();
      expect(server.received).toMatchObject([
        { method: 'POST', path: '/gateway/notifications/email', headers: { 'x-api-key': 'key-1' } },
      ]);
      const [request] = server.received;
      expect(request?.headers).not.toHaveProperty('local-name');
      const passengers = [{ firstName: 'SARA', lastName: 'HADDAD' }];
      expect(request?.body).toEqual({
        emails: MAIL.emails,
        ccEmails: [],
        bccEmails: [],
        recordLocator: MAIL.locator,
        passengers,
      });
    },
  );

  it('was not sent if the airline refuses it', async () => {
    const server = await serve(json(404, { status: 404, code: '97', title: 'unknown' }));
    expect(await failureOf(at(server.origin).sendMail(MAIL))).toMatchObject({ code: 'E_NOT_FOUND', effect: 'none' });
  });

  it('is in doubt if the airline does not answer, and is not tried again', async () => {
    const server = await serve((_, socket) => socket.destroy());
    const error = await failureOf(at(server.origin).sendMail(MAIL));
    expect(error).toMatchObject({
      effect: 'unknown',
      retry: 'never',
      next: expect.stringContaining('look for the mail'),
    });
    expect(server.received).toHaveLength(1);
  });

  it('needs a gateway in the settings', async () => {
    const airline = at('https://airline.invalid', { gatewayUrl: undefined as never });
    expect(await failureOf(airline.sendMail(MAIL))).toMatchObject({ code: 'E_CONFIG', effect: 'none' });
  });
});
