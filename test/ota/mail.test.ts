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
  it('posts mail to the gateway, with credentials and without an OTA envelope', async () => {
    const server = await serve(json(204, ''));
    await expect(at(server.origin).sendMail(MAIL)).resolves.toBeUndefined();
    expect(server.received).toHaveLength(1);
    const [request] = server.received;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/gateway/notifications/email',
      body: {
        emails: ['lina@example.com'],
        recordLocator: 'K7M4QX',
        passengers: [{ firstName: 'SARA', lastName: 'HADDAD' }],
      },
    });
    expect(request?.headers['x-api-key']).toBe('key-1');
    expect(request?.headers).not.toHaveProperty('local-name');
    expect(Object.keys(request?.body ?? {})).not.toContain('version');
  });

  it('accepts a 200 as success of a mail', async () => {
    const server = await serve(json(200, { sent: true }));
    await expect(at(server.origin).sendMail(MAIL)).resolves.toBeUndefined();
  });

  it('says that no mail was sent if the airline refuses it', async () => {
    const server = await serve(json(404, { status: 404, code: '97', title: 'unknown' }));
    expect(await failureOf(at(server.origin).sendMail(MAIL))).toMatchObject({ code: 'E_NOT_FOUND', effect: 'none' });
  });

  it('leaves a mail in doubt if the airline does not answer, and does not try again', async () => {
    const server = await serve((_, socket) => socket.destroy());
    const error = await failureOf(at(server.origin).sendMail(MAIL));
    expect(error).toMatchObject({ effect: 'unknown', retry: 'never' });
    expect(error.next).toContain('look for the mail');
    expect(server.received).toHaveLength(1);
  });

  it('reports a settings error for mail if no gateway is set', async () => {
    const server = await serve((_, socket) => socket.destroy());
    const airline = at(server.origin, { gatewayUrl: undefined as never });
    expect(await failureOf(airline.sendMail(MAIL))).toMatchObject({ code: 'E_CONFIG', effect: 'none' });
    expect(server.received).toHaveLength(0);
  });
});
