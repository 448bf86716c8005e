/**
 * Payment messages as the airline receives them, over a socket (docs/wire/notes.md, Money and rules: payment message), and what is
 * read from the reply. golden-requests.test.ts holds the published ones.
 */
import { describe, expect, test } from 'vitest';
import { json } from '../support/answers.ts';
import { hear } from '../support/asked.ts';
import { at, serve } from '../support/harness.ts';
import type { OtaOptions, PaymentOrder, PaymentType } from '../support/port.ts';
import { confirmed, payReply, watchedDispatch } from '../support/samples.ts';
import { fixture } from './fixture.ts';
import { named } from './support/values.ts';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const ORDER: PaymentOrder = { locator: 'ABC123', paymentType: 'external', amount: EUR(12000), company: 'RR' };

async function sent(order: Partial<PaymentOrder>, options: Partial<OtaOptions> = {}) {
  const server = await serve(json(200, payReply()));
  await at(server.origin, options).pay(confirmed({ order: { ...ORDER, ...order } }, watchedDispatch()));
  const [request] = server.received;
  return { text: request?.text ?? '', detail: request?.body.demandTicketDetail };
}

const AIRLINE = { dialect: 'airline' } as const;
const setting = (payment: OtaOptions['payment'], more: Partial<OtaOptions> = {}): Partial<OtaOptions> => ({
  ...more,
  ...(payment && { payment }),
});
const AMOUNT = { currencyCode: 'EUR', amount: 120 };
const HOLDER = { creditCardInfo: [{ cardHolderName: 'ADA BERG' }] };
const CASH = { paymentType: 'cash', holderName: 'ADA BERG' } as const;

describe('a payment', () => {
  test.each<[PaymentType, string]>([
    ['external', '32'],
    ['credit_card', '5'],
    ['cash', '1'],
    ['debit_credit_account', '4'],
    ['invoice', '40'],
  ])('encodes the payment type %s as %s, with the company of the booking', async (paymentType, code) => {
    const { detail } = await sent({ paymentType });
    expect(detail).toEqual({
      messageFunction: [{ function: 'ET' }],
      bookingReferenceID: { id: 'ABC123', type: '14', companyName: { code: 'RR' } },
      paymentInfo: [{ paymentType: code }],
    });
  });

  test.each<[string, Partial<PaymentOrder>, Partial<OtaOptions>, object]>([
    ['no amount with rail', CASH, {}, { paymentType: '1', ...HOLDER }],
    [
      'the amount with rail if the setting says always',
      { paymentType: 'cash' },
      setting({ amount: 'always' }),
      { paymentType: '1', ...AMOUNT },
    ],
    ['the amount and no holder of airline cash', CASH, AIRLINE, { paymentType: '1', ...AMOUNT }],
    [
      'no amount of airline cash if the setting says never',
      CASH,
      setting({ amount: 'never' }, AIRLINE),
      { paymentType: '1' },
    ],
    ['only codes of an airline invoice', { paymentType: 'invoice' }, AIRLINE, { paymentType: '40' }],
    ['only codes of an airline payment elsewhere', {}, AIRLINE, { paymentType: '32' }],
    [
      'the given holder of an account if no account is set, with rail',
      { ...CASH, paymentType: 'debit_credit_account' },
      {},
      { paymentType: '4', ...HOLDER },
    ],
    [
      'the given holder of an account if no account is set, airline',
      { ...CASH, paymentType: 'debit_credit_account' },
      AIRLINE,
      { paymentType: '4', ...HOLDER },
    ],
    [
      'the account of the setting only in a payment from an account',
      { paymentType: 'cash' },
      setting({ amount: 'dialect', account: 'desk-account' }),
      { paymentType: '1' },
    ],
  ])('sends %s', async (_, order, options, paymentInfo) => {
    const { detail } = await sent(order, options);
    expect((detail as { paymentInfo: object }).paymentInfo).toEqual([paymentInfo]);
  });

  test('sends the approved amount as an exact number', async () => {
    const card = { paymentType: 'credit_card', holderName: 'ADA BERG' } as const;
    const textOf = async (minor: number, currency: string) =>
      (await sent({ ...card, amount: { minor, currency } }, AIRLINE)).text;
    expect(await textOf(1_000_000_010, 'EUR')).toContain('"amount":10000000.1}');
    expect(await textOf(12345, 'KWD')).toContain('"amount":12.345}');
  });

  test('names the company of the booking’s reference if it has one, and else none', async () => {
    const company = async (order: Partial<PaymentOrder>) =>
      ((await sent(order)).detail as { bookingReferenceID: object }).bookingReferenceID;
    const reference = { id: 'ABC123', type: '14' };
    expect(await company({})).toEqual({ ...reference, companyName: { code: 'RR' } });
    expect(await company({ company: undefined as never })).toEqual(reference);
  });

  test('never sends a card number', async () => {
    const { text } = await sent({ paymentType: 'credit_card', cardNumber: '4111111111111111' } as object);
    expect(text).not.toContain('4111');
  });
});

test('reads the published payment reply', async () => {
  expect(await hear('ticket', fixture('ticket-reply'))).toEqual({
    locator: 'K7M4QX',
    references: [{ id: 'K7M4QX', type: '14', system: 'W1', segmentRefs: [] }],
    items: [
      {
        ticketNumber: '2201234500017',
        ticketType: 'E_TICKET',
        name: named(['SARA'], 'HADDAD', { prefix: ['MS'], middle: ['ANNE'], suffix: ['II'], title: ['DR'] }),
        total: '355.5',
        net: '300',
        paymentType: '5',
        conjunctive: ['2201234500019'],
        links: [
          { href: 'https://rest.example/1' },
          { href: 'https://rest.example/3' },
          { href: 'https://rest.example/2' },
        ],
      },
      {
        ticketNumber: '2201234500018',
        ticketType: 'E_TICKET',
        total: '19.55',
        net: '2',
        paymentType: '4',
        conjunctive: [],
        links: [],
      },
    ],
  });
});
