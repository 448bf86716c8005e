/** The embedded sandbox's desk: bookings and questions, as another process made them. */
import { dirname, join } from 'node:path';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { CONTACT, dateIn, newPassenger } from '../support/people.ts';
import { type Person, ran, stateFile } from './screen.ts';

/** An airline's settings that are complete; nothing answers there. */
export const LIVE = {
  FARECLERK_BASE_URL: 'https://air.invalid/ota',
  FARECLERK_CREDENTIALS: 'key',
  FARECLERK_API_KEY: 'k',
  FARECLERK_AGENT_ID: 'a',
  FARECLERK_AGENCY_ID: 'b',
  FARECLERK_CURRENCY: 'SAR',
};

type Env = Readonly<Record<string, string>>;

/** The state of the embedded sandbox, made if there is none. */
export const openState = (env: Env) =>
  openSqliteState(stateFile(env), { airline: 'sandbox', secondRecords: join(dirname(stateFile(env)), 'witness') });

/** A call with JSON, and its JSON. */
export async function call(env: Env, tool: string, args: object = {}, more: readonly string[] = [], person?: Person) {
  const seen = await ran(env, ['call', tool, JSON.stringify(args), ...more], person);
  return { ...seen, result: seen.json() };
}

type Call = (tool: string, args: object) => Promise<ReturnType<typeof JSON.parse>>;

/** Books one new traveller on a train in 20 days, unpaid. Returns the locator. */
export async function held(run: Call): Promise<string> {
  const legs = [{ from: 'QCA', to: 'XMD', date: dateIn(Date.now(), 20) }];
  const found = await run('search_fares', { legs, passengers: { adults: 1 }, booking_classes: ['C'] });
  const booking = { offer_ids: [found.offers[0].offer_id], contact: CONTACT, passengers: [newPassenger()] };
  return (await run('create_booking', booking)).booking.locator;
}

export const heldIn = (env: Env): Promise<string> => held(async (tool, args) => (await call(env, tool, args)).result);

export const payment = (locator: string) => ({ locator, payment: { type: 'invoice' } });
