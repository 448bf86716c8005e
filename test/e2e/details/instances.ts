/** Instances with a details page, beside an airline that remembers, and what a caller and a traveller do there. */
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startIssuer } from '../../auth/callers/issuer.ts';
import { newFolder } from '../../campaigns/support/folders.ts';
import { type Cluster, startCluster } from '../../campaigns/support/postgres.ts';
import { type Relay, startRelay } from '../../campaigns/support/relay.ts';
import { ended, type Settings, sandboxProcess, startMember, tokenFor } from '../../campaigns/support/stage.ts';
import { freePort } from '../../http/support/openid.ts';
import { visit } from '../../pages/details/support/details-desk.ts';
import { type Fields, type McpCaller, mcpCaller } from '../../support/mcp-http.ts';
import { CONTACT, dateIn } from '../../support/people.ts';
import { cardFor, NINE } from './travellers.ts';

export const BOOK = 'OTA_AirBookRQ';
/** Seconds after which a hold without an answer is settled. */
const SETTLES = '2';

/** Called at the top of a file. */
export function instances() {
  let cluster: Cluster;
  let relay: Relay;
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  const books = join(newFolder('airline'), 'airline.sqlite');
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
    closing.push(() => cluster.close());
    const sandbox = await sandboxProcess(books);
    closing.push(() => sandbox.close());
    relay = await startRelay(sandbox.settings);
    closing.push(() => relay.close());
    issuer = await startIssuer();
    closing.push(() => issuer.close());
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  /** Instances that share a state and a public address, which is the first one's. */
  async function fleet(size: number, database: string | undefined) {
    const ports = await Promise.all(Array.from({ length: size }, () => freePort()));
    const publicUrl = `http://127.0.0.1:${ports[0]}`;
    const settings: Settings = {
      ...relay.settings,
      ...{ FARECLERK_PUBLIC_URL: publicUrl, FARECLERK_ISSUER: issuer.issuer, REHEARSAL: SETTLES },
      ...(database !== undefined && { FARECLERK_DATABASE_URL: database }),
    };
    const folders = ports.map(() => newFolder('instance'));
    const members = await Promise.all(ports.map((port, i) => startMember(settings, folders[i], port)));
    for (const member of members) closing.push(() => ended(member.process));
    const token = await tokenFor(issuer, publicUrl, 'ann');
    const callers = ports.map((port) => mcpCaller(`http://127.0.0.1:${port}/mcp`, token));
    for (const caller of callers) closing.push(() => caller.close());
    return { members, callers, folders };
  }

  return { cluster: () => cluster, relay: () => relay, books, fleet };
}

/** Arguments of a hold for two whose details come from the page. */
export async function hold(caller: McpCaller, days: number): Promise<Fields> {
  const [route] = (await caller.call('list_routes')).structured.routes;
  const legs = [{ from: route.from, to: route.to[0], date: dateIn(Date.now(), days) }];
  const found = await caller.call('search_fares', { legs, passengers: { adults: 2 }, max_results: 3 });
  return { offer_ids: [found.structured.offers[0].offer_id], contact: CONTACT, passenger_counts: { adults: 2 } };
}

/** Fills in one card, as a traveller does whose companion comes later. */
export async function enterCard(url: string, card: number, who: number): Promise<void> {
  const page = await visit(url);
  const typed = Object.entries(cardFor(NINE[who] ?? { name: '' }, who));
  await page.send(Object.fromEntries(typed.map(([name, value]) => [`${name}-${card}`, value])));
}
