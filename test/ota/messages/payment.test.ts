/**
 * Payment messages as the airline receives them, over a socket (docs/wire/notes.md, money and rules: payment message).
 */
import { describe, expect, test } from 'vitest';
import type { PaymentOrder } from '../../../src/domain/booking/airline-requests.ts';
import type { OtaOptions } from '../../../src/ota/options.ts';
import { json } from '../support/answers.ts';
import { at, serve } from '../support/harness.ts';
import { confirmed, payReply, watchedDispatch } from '../support/samples.ts';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });

const ORDER: PaymentOrder = { locator: 'ABC123', paymentType: 'external', amount: EUR(12000), company: 'RR' };

async function sent(order: Partial<PaymentOrder>, options: Partial<OtaOptions> = {}) {
  const server = await serve(json(200, payReply()));
  await at(server.origin, options).pay(confirmed({ order: { ...ORDER, ...order } }, watchedDispatch()));
  const [request] = server.received;
  return { text: request?.text ?? '', body: request?.body as { pos: unknown; demandTicketDetail: object } };
}

async function detail(order: Partial<PaymentOrder>, options: Partial<OtaOptions> = {}) {
  return (await sent(order, options)).body.demandTicketDetail;
}

const message = (paymentInfo: object, code = 'RR') => ({
  messageFunction: [{ function: 'ET' }],
  bookingReferenceID: { id: 'ABC123', type: '14', companyName: { code } },
  paymentInfo: [paymentInfo],
});

const AIRLINE = { dialect: 'airline' } as const;

describe('a payment of the rail dialect', () => {
  test("names the company of the booking's own reference in a rail payment, without an amount", async () => {
    expect(await detail({})).toEqual(message({ paymentType: '32' }));
    expect(await detail({ paymentType: 'cash' })).toEqual(message({ paymentType: '1' }));
  });

  test('names the company of the setting in a rail payment if there is one', async () => {
    expect(await detail({}, { payment: { amount: 'dialect', company: 'TENANT' } })).toEqual(
      message({ paymentType: '32' }, 'TENANT'),
    );
  });

  test('names no company in a rail payment if neither booking nor setting has one', async () => {
    const { company: _, ...anonymous } = ORDER;
    const server = await serve(json(200, payReply()));
    await at(server.origin).pay(confirmed({ order: anonymous }, watchedDispatch()));
    expect(server.received[0]?.body.demandTicketDetail).toMatchObject({
      bookingReferenceID: { id: 'ABC123', type: '14' },
    });
    expect(server.received[0]?.text).not.toContain('companyName');
  });

  test('sends the approved amount in a rail payment if the setting says always', async () => {
    expect(await detail({ paymentType: 'cash' }, { payment: { amount: 'always' } })).toEqual(
      message({ paymentType: '1', currencyCode: 'EUR', amount: 120 }),
    );
  });
});

describe('a payment of the airline dialect', () => {
  test('sends the holder and the approved amount as an exact number in an airline payment by card', async () => {
    const card = { paymentType: 'credit_card', holderName: 'ADA BERG', amount: EUR(12345) } as const;
    expect(await detail(card, AIRLINE)).toEqual(
      message({
        paymentType: '5',
        creditCardInfo: [{ cardHolderName: 'ADA BERG' }],
        currencyCode: 'EUR',
        amount: 123.45,
      }),
    );
    expect((await sent({ ...card, amount: EUR(1_000_000_010) }, AIRLINE)).text).toContain('"amount":10000000.1}');
    expect((await sent({ ...card, amount: { minor: 12345, currency: 'KWD' } }, AIRLINE)).text).toContain(
      '"amount":12.345}',
    );
  });

  test('sends the amount and no holder in an airline payment by cash', async () => {
    expect(await detail({ paymentType: 'cash', holderName: 'ADA BERG' }, AIRLINE)).toEqual(
      message({ paymentType: '1', currencyCode: 'EUR', amount: 120 }),
    );
  });

  test('sends only codes in an airline payment by invoice or external', async () => {
    expect(await detail({ paymentType: 'invoice' }, AIRLINE)).toEqual(message({ paymentType: '40' }));
    expect(await detail({}, AIRLINE)).toEqual(message({ paymentType: '32' }));
  });

  test('sends no amount in an airline payment if the setting says never', async () => {
    expect(await detail({ paymentType: 'cash' }, { ...AIRLINE, payment: { amount: 'never' } })).toEqual(
      message({ paymentType: '1' }),
    );
  });
});

describe.each(['rail', 'airline'] as const)('a payment from an account, %s dialect', (dialect) => {
  const order = { paymentType: 'debit_credit_account', holderName: 'ADA BERG' } as const;

  test('names the account of the setting, neither the given holder nor an amount', async () => {
    const payment = { amount: 'dialect', account: 'desk-account' } as const;
    expect(await detail(order, { dialect, payment })).toEqual(
      message({ paymentType: '4', creditCardInfo: [{ cardHolderName: 'desk-account' }] }),
    );
  });

  test('names the given holder if no account is set', async () => {
    expect(await detail(order, { dialect })).toEqual(
      message({ paymentType: '4', creditCardInfo: [{ cardHolderName: 'ADA BERG' }] }),
    );
  });
});

test('names the account of the setting only in a payment from an account', async () => {
  const { text } = await sent({ paymentType: 'cash' }, { payment: { amount: 'dialect', account: 'desk-account' } });
  expect(text).not.toContain('desk-account');
});

test('names the country of sale in a payment if one is set', async () => {
  const { body } = await sent({}, AIRLINE);
  expect(body.pos).toMatchObject({
    source: [{ isocountry: 'SA', isoCurrency: 'SAR', bookingChannel: { type: 'OTA' } }],
  });
});
