/** What an airline's refusal proves, for a few acts and answers; refused-acts.slow.test.ts has all of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { ACTS } from '../../campaigns/support/acts.ts';
import { CALLER, codeOf, type Office, type State } from '../../campaigns/support/office.ts';
import {
  ANSWERS,
  BOOK,
  carryOut,
  casesOf,
  effectOf,
  newBooking,
  officeAt,
  openRefusing,
  problemsOf,
  type RefusingAirline,
} from './refused-acts.ts';

const PAY = 'OTA_AirDemandTicketRQ';
const REFUSED = { status: 422, body: { status: 422, code: '172', title: 'Payment received, ticketing failed' } };
const SOLD_OUT = { status: 422, body: { status: 422, code: '1053', title: 'Not enough seats' } };
const payArgs = (locator: string) => ({ locator, payment: { type: 'invoice' } });

let world: RefusingAirline;
let office: Office;
let state: State;

beforeAll(async () => {
  world = await openRefusing('rail');
  state = await openSqliteState(':memory:');
  office = await officeAt(world, 'rail', { state });
});
afterAll(async () => {
  await office.close();
  await world.close();
});

const acts = [undefined, ...ACTS.filter(({ name }) => ['pay_booking', 'change_names'].includes(name))];
const answers = ANSWERS.filter(({ name }) => ['422', 'an unlisted code', 'sold out'].includes(name));

test.each(
  casesOf(answers, acts).map((one) => [one.act?.name ?? 'create_booking', one.answer.name, one.acted, one] as const),
)('takes %s, answered with %s, as the airline did it or not: %s', async (_, __, ___, one) => {
  expect(await problemsOf(world, office, one)).toEqual([]);
});

describe('a payment that is refused', () => {
  test('ends at once without a reading where the refusal proves that nothing was done, and can be tried again', async () => {
    const { locator } = await world.stock.held();
    const question = await office.question('pay_booking', payArgs(locator));
    world.refuse(locator, PAY, { acted: false, answer: SOLD_OUT });
    const refused = await office.yes('pay_booking', payArgs(locator), question);
    expect([codeOf(refused), world.reachedFrom(locator, PAY)]).toEqual(['E_SOLD_OUT', 1]);
    await office.question('pay_booking', payArgs(locator));
  });

  test('reads once where it proves nothing, frees the booking, and says so in text and structure', async () => {
    const { locator } = await world.stock.held();
    const question = await office.question('pay_booking', payArgs(locator));
    world.refuse(locator, PAY, { acted: false, answer: REFUSED });
    const refused = await office.yes('pay_booking', payArgs(locator), question);
    const seen = [codeOf(refused), effectOf(refused), world.reachedFrom(locator, PAY)];
    expect(seen).toEqual(['E_NOT_PERMITTED', 'none', 2]);
    expect(refused.structured.error).toMatchObject({
      message:
        'The airline says that this change is not possible. The booking shows no change. Until another reading shows the same, limits count its amount.',
    });
    expect(refused.text).toContain('The booking shows no change');
    await office.question('pay_booking', payArgs(locator));
  });

  test('counts against the limit of a day if the airline took it, and until a second reading if it did not', async () => {
    const [first, second, third] = [await world.stock.held(), await world.stock.held(), await world.stock.held()];
    const total = first.pricing?.total?.total;
    if (total === undefined) throw new Error('no price');
    const perDay = { ...total, minor: Math.floor(total.minor * 1.5) };
    const limited = await officeAt(world, 'rail', { limits: { perDay } });
    try {
      for (const [{ locator }, acted] of [
        [first, false],
        [second, true],
      ] as const)
        world.refuse(locator, PAY, { acted, answer: REFUSED });
      const refused = await carryOut(limited, 'pay_booking', payArgs(first.locator));
      expect(refused.text).toContain('The booking shows no change');
      const sum = await carryOut(limited, 'pay_booking', payArgs(second.locator));
      expect([codeOf(sum), world.reached(second.locator, PAY)]).toEqual(['E_LIMIT', 0]);

      await expect
        .poll(async () => {
          await limited.parts.journal.reconcile();
          const [operation] = await limited.parts.state.operations.list({ locator: first.locator });
          return [operation?.state, operation?.outcome?.provisional];
        })
        .toEqual(['refused', undefined]);

      const paid = await carryOut(limited, 'pay_booking', payArgs(second.locator));
      expect([codeOf(paid), world.times('paid', second.locator)]).toEqual(['done', 1]);
      expect(paid.text).toContain('The airline refused it');
      expect(codeOf(await carryOut(limited, 'pay_booking', payArgs(third.locator)))).toBe('E_LIMIT');
      expect(world.reached(third.locator, PAY)).toBe(0);
    } finally {
      await limited.close();
    }
  });

  test('goes to a person if the second reading shows that it was taken after all', async () => {
    const { locator } = await world.stock.held();
    const question = await office.question('pay_booking', payArgs(locator));
    world.refuse(locator, PAY, { acted: false, answer: REFUSED });
    await office.yes('pay_booking', payArgs(locator), question);
    await world.stock.pay(locator);
    await expect
      .poll(async () => {
        await office.parts.journal.reconcile();
        return (await office.parts.state.operations.list({ locator }))[0]?.state;
      })
      .toBe('needs_person');
  });
});

describe('a booking that is refused', () => {
  const named = (locator: string) => ({
    status: 400,
    body: { status: 400, code: '320', title: `Host PNR ${locator} has been created` },
  });

  test('is found by the locator that the refusal names, and tells it', async () => {
    const { args, surname } = await newBooking(world, office);
    let locator = '';
    world.refuseNaming(surname, BOOK, (made) => {
      locator = made;
      return named(made);
    });
    const result = await office.result('create_booking', args);
    expect([codeOf(result), (result.structured.booking as { locator: string }).locator]).toEqual(['done', locator]);
    expect(result.text).toContain('The airline refused it');
    expect(codeOf(await office.result('create_booking', args))).toBe('already_done');
    expect(world.reached(surname, BOOK)).toBe(1);
  });

  test("is never another's booking that the refusal names, and a person learns of it", async () => {
    const other = await world.stock.held();
    const { args, surname } = await newBooking(world, office);
    world.refuse(surname, BOOK, { acted: false, answer: named(other.locator) });
    const result = await office.result('create_booking', args);
    expect([codeOf(result), result.structured.booking]).toEqual(['needs_person', undefined]);
    expect(result.text).toContain(`names booking ${other.locator}`);
    // The reading of it is neither kept nor watched.
    expect(await state.watches.get(CALLER.tenant, other.locator)).toBeUndefined();
  });

  test('blocks the same trip of the same people, and no other', async () => {
    const { args, surname } = await newBooking(world, office);
    world.refuse(surname, BOOK, {
      acted: false,
      answer: { status: 409, body: { status: 409, code: '96', title: 'x' } },
    });
    expect(codeOf(await office.result('create_booking', args))).toBe('needs_person');
    expect(codeOf(await office.result('create_booking', args))).toBe('needs_person');
    expect(world.reached(surname, BOOK)).toBe(1);
    const { args: others } = await newBooking(world, office);
    expect(codeOf(await office.result('create_booking', others))).toBe('done');
  });
});
