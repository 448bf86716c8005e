/**
 * A desk in front of an airline that answers everything after fifteen seconds: everything here, the limits of the adapter
 * too, takes a third of its time.
 */
import { expect, it, onTestFinished } from 'vitest';
import { airlineAt, openAirline } from '../campaigns/support/airline.ts';
import { openOffice } from '../campaigns/support/office.ts';
import { startRelay } from '../campaigns/support/relay.ts';
import { failureOf } from '../ota/support/harness.ts';

const FASTER = 3;
const ANSWERS_AFTER_MS = 15_000 / FASTER;
const PAYMENTS = 8;

type Airline = ReturnType<typeof airlineAt>;
type Settings = Parameters<typeof airlineAt>[0]['settings'];

/** How long the adapter waits for an answer by default. */
async function patienceFor(settings: Settings, ask: (airline: Airline) => Promise<unknown>): Promise<number> {
  let waits = 0;
  const send = async ({ deadlineMs }: { deadlineMs: number }) => {
    waits = deadlineMs;
    return { status: 404, text: '' };
  };
  const transport = { exchange: send, replaceConnections() {}, close: async () => undefined };
  await failureOf(ask(airlineAt({ settings, mode: 'key', transport, now: () => 0 })));
  return waits / FASTER;
}

it('pays every hold at an airline that answers each message after fifteen seconds', async () => {
  const { settings, stock, times, close } = await openAirline({}, { people: 1 });
  const relay = await startRelay(settings);
  const read = await patienceFor(settings, (airline) => airline.read('ABC123'));
  const routes = await patienceFor(settings, (airline) => airline.routes());
  const desk = airlineAt({ settings: relay.settings, deadlines: { read, routes } });
  const office = await openOffice({ airline: desk });
  onTestFinished(async () => {
    await office.close();
    await desk.close();
    await relay.close();
    await close();
  });
  const holds = await Promise.all(Array.from({ length: PAYMENTS }, () => stock.held()));
  // The login comes from another server.
  await desk.routes();
  relay.interfere(async ({ name }) => {
    if (name !== 'token') await new Promise((resolve) => setTimeout(resolve, ANSWERS_AFTER_MS));
    return false;
  });
  const pay = async ({ locator }: { readonly locator: string }) => {
    const args = { locator, payment: { type: 'external' } };
    const { structured } = await office.yes('pay_booking', args, await office.question('pay_booking', args));
    return [structured.status, times('paid', locator)];
  };
  expect(await Promise.all(holds.map(pay))).toEqual(holds.map(() => ['done', 1]));
});
