/** The details page of a real clerk over real SQLite, on loopback or on a public address, and forms that are open on it. */

import { hashId, newDetailsId, openCard } from '../../../../src/details/seal.ts';
import { createLocalPage } from '../../../../src/pages/approval/local-page.ts';
import { mountPublicDetails, publicDetails } from '../../../../src/pages/approval/public-page.ts';
import { freePort } from '../../../http/support/openid.ts';
import { serve } from '../../../http/support/serve.ts';
import { testDesk } from '../../approval/support/desk-of.ts';
import { type Asked, fetchPage, type Page, tokenOf } from '../../approval/support/page-client.ts';

type Desk = Awaited<ReturnType<typeof testDesk>>;
export type Opened = Parameters<Desk['state']['details']['open']>[0];
export type Card = Opened['form']['cards'][number];
export type DetailsDesk = Awaited<ReturnType<typeof detailsDesk>>;

const DAY_MS = 86_400_000;
/** YYYY-MM-DD, so many days and years from today. */
export function day(days: number, years = 0): string {
  const date = new Date(Date.now() + days * DAY_MS);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date.toISOString().slice(0, 10);
}

/** Both flights of the trip. */
export const [OUT, HOME] = [day(60), day(70)];
const flight = (ref: string, from: string, to: string, date: string) => ({
  ...{ ref, optionRef: ref, flightNumber: `10${ref}`, from, to },
  ...{ departs: `${date}T08:00:00+03:00`, arrives: `${date}T10:00:00+03:00` },
});
export const TRIP = ['Jeddah (JED) → Riyadh (RUH)', 'Riyadh (RUH) → Jeddah (JED)'];

export const ADULT: Card = { type: 'ADT', asks: 'new' };

/** Fields of the form, by name. */
export type Fields = Readonly<Record<string, string>>;

/** A card that is right. @param n from 1 */
export function rightCard(n: number, over: Fields = {}): Fields {
  const [year = '', month, dayOfMonth] = day(30, 5).split('-');
  const fields = {
    ...{ given_name: `Amal`, middle_name: '', surname: 'Haddad', gender: 'Female' },
    ...{ birth_day: '27', birth_month: '3', birth_year: '1950' },
    ...{ document_type: 'passport', document_number: `L89890${n}C3`, nationality: 'Saudi Arabia' },
    ...{ expires_day: String(Number(dayOfMonth)), expires_month: String(Number(month)), expires_year: year },
    ...over,
  };
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [`${field}-${n}`, value]));
}

export async function detailsDesk(options: Parameters<typeof testDesk>[0] = {}) {
  const desk = await testDesk(options);
  const browser = { opened: [] as string[], isThere: true };
  const local = createLocalPage({
    available: () => browser.isThere,
    open: async (url) => browser.isThere && browser.opened.push(url) > 0,
  });
  local.serve(desk.clerk);
  const closing: (() => Promise<unknown>)[] = [() => local.close()];
  const find = (id: string) => desk.state.details.find(hashId(id), desk.now());
  return {
    ...{ desk, browser, local, find },
    /** Opens a form; returns its details id. */
    async form(cards: readonly Card[] = [ADULT], over: Partial<Opened> = {}) {
      const id = newDetailsId();
      const now = desk.now();
      const segments = [flight('1', 'JED', 'RUH', OUT), flight('2', 'RUH', 'JED', HOME)];
      const form = { trip: TRIP, segments, airline: 'Saudia', agency: 'Blue Travel', cards };
      const call = { tenant: 'sandbox', caller: 'os:ann', tool: 'create_booking', argsDigest: 'digest' };
      const opened = { idHash: hashId(id), ...call, form, createdAt: now, expiresAt: now + 30 * 60_000, ...over };
      await desk.state.details.open(opened);
      return id;
    },
    /** What was entered, by place from 0. */
    async entered(id: string) {
      const kept = await find(id);
      if (kept === undefined) return undefined;
      const cards = [...kept.cards].map(([n, sealed]) => [n, openCard(id, kept, n, sealed)] as const);
      return Object.fromEntries(cards);
    },
    /** The same page on a public address; `more` of the server. */
    async publicly(base = '', more: Parameters<typeof serve>[0] = {}) {
      const port = await freePort();
      const publicUrl = `http://127.0.0.1:${port}${base}`;
      const page = publicDetails(publicUrl);
      const mount = mountPublicDetails(publicUrl, 'live', desk.clerk);
      const served = await serve(
        { port, publicUrl, mounts: [mount], ...more },
        { clerk: desk.clerk, close: async () => undefined },
      );
      closing.push(() => served.close());
      return { ...served, page, publicUrl };
    },
    async close() {
      for (const close of closing.toReversed()) await close();
      await desk.close();
    },
  };
}

/** A traveller at an address. */
export async function visit(address: string) {
  const page = await fetchPage(address);
  const { origin } = new URL(address);
  const token = tokenOf(page);
  return {
    ...{ page, token, address },
    look: () => fetchPage(address),
    /** Sends the form as a browser does; headers and fields may be put wrong. */
    send(fields: Fields, { headers, ...wrong }: Asked = {}): Promise<Page> {
      return fetchPage(address, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ token, ...fields }).toString(),
        ...wrong,
      });
    },
  };
}

/** Mistakes at their fields: `surname-1: Enter the surname.` */
export function mistakesIn({ body }: Page): string[] {
  const found = body.matchAll(/<p class="mistake" id="([\w-]+)-mistake">[\s\S]*?<span>([\s\S]*?)<\/span>/g);
  return [...found].map(([, field, words]) => `${field}: ${words}`);
}
