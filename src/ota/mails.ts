/**
 * Has the airline send a mail again (docs/wire/notes.md, Addressing). Sent once per call; a failure leaves it unknown.
 */
import type { Dispatch, Mails } from '../domain/airline.ts';
import { MAIL_PATHS, mailBody } from './messages/mail.ts';
import { gatewayAddress } from './transport/addresses.ts';
import type { Exchange } from './transport/exchange.ts';

/** Mail is not in the journal: nothing depends on its outcome. */
const AT_ONCE: Dispatch = { mayStart: () => true, keep: async () => undefined };

export function createMails(exchange: Exchange): Mails {
  return {
    sendMail: async (mail) =>
      exchange.send(AT_ONCE, {
        operation: 'mail',
        url: gatewayAddress(exchange.options.gatewayUrl, MAIL_PATHS[mail.kind], {}),
        bare: true,
        mayBeEmpty: true,
        encode: () => mailBody(mail),
        decode: () => undefined,
      }),
  };
}
