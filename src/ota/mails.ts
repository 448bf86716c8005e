/**
 * Mail that the airline sends again (docs/wire/notes.md, Addressing). Sent once per call; a failure leaves it unknown.
 */
import type { Dispatch, Mails } from '../domain/airline.ts';
import type { Adapter } from './adapter.ts';
import { MAIL_PATHS, mailBody } from './messages/mail.ts';
import { gatewayAddress } from './transport/addresses.ts';

/** Mail is no operation of the journal: nothing depends on what became of it. */
const AT_ONCE: Dispatch = { mayStart: () => true, keep: async () => undefined };

export function createMails({ options, exchange }: Adapter): Mails {
  return {
    sendMail: async (mail) =>
      exchange.send(
        {
          operation: 'mail',
          url: gatewayAddress(options.gatewayUrl, MAIL_PATHS[mail.kind], {}),
          purpose: 'money',
          bare: true,
          mayBeEmpty: true,
          encode: () => mailBody(mail),
          decode: () => undefined,
        },
        AT_ONCE,
      ),
  };
}
