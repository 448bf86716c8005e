/**
 * Plays a booking of three through the details page: whatever a host does with its address, the travellers enter their details, and
 * the model is done after four calls at most.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { rightCard, visit } from '../../pages/details/support/details-desk.ts';
import { CONTACT, dateIn, inLetters } from '../../support/people.ts';
import type { Message } from '../support/stdio-client.ts';
import { SILENCE_MS } from './hosts.ts';
import type { Client, Lane } from './lane.ts';

/** What a host does with an address that it is to open: the person fills the page in, or not. */
interface AddressHost {
  readonly name: string;
  readonly elicitation?: object;
  readonly opens?: boolean;
  readonly action?: 'accept' | 'decline' | 'cancel' | 'nothing';
  /** The model is shown this half of a result alone. */
  readonly onlyHalf?: 'text' | 'structured';
}

export const ADDRESS_HOSTS: readonly AddressHost[] = [
  { name: 'opens no addresses' },
  { name: 'opens addresses', elicitation: { url: {} }, opens: true, action: 'accept' },
  { name: 'declines addresses', elicitation: { form: {}, url: {} }, action: 'decline' },
  { name: 'accepts addresses at once, never opens them', elicitation: { url: {} }, action: 'accept' },
  ...(['text', 'structured'] as const).map((onlyHalf) => ({
    ...{ name: `its window for addresses stays blank: ${onlyHalf}`, elicitation: { url: {} }, onlyHalf },
    action: 'nothing' as const,
  })),
];

const MOST_CALLS = 4;
const SEVEN_DAYS = 7;
/** A host whose window stays blank gives up, where the call is the dialog, milliseconds. */
const PATIENCE_MS = SILENCE_MS * 1.5;
/** A person types. */
const TYPES_MS = 700;

/** Where the page is, and how the call goes on. */
const WHERE = /this address: (\S+)\. .* details: "([\w-]+)"/s;

export type DetailsPlayed = Awaited<ReturnType<typeof playDetails>>;

/** @param created how often the airline made this booking */
export async function playDetails(host: AddressHost, lane: Lane, nth: number, created: (locator: string) => number) {
  const problems: string[] = [];
  const capabilities = host.elicitation === undefined ? {} : { elicitation: host.elicitation };
  const client: Client = { capabilities, info: { name: host.name, version: '1' } };
  let calls = 0;
  let reached = '';

  /** The travellers, at the address that they were given. */
  async function fillIn(where: string, url: string): Promise<void> {
    reached ||= where;
    await wait(TYPES_MS);
    const page = await visit(url);
    const cards = [1, 2, 3].map((n) =>
      rightCard(n, { surname: `Haddad ${inLetters(nth * 3 + n)}`, document_number: `P${1_000_000 + nth * 3 + n}` }),
    );
    const sent = await page.send(Object.assign({}, ...cards));
    if (!sent.body.includes('Thank you')) problems.push(`the page answered ${sent.status}`);
  }

  const answerTo = (url: string) => {
    if (host.opens === true) void fillIn('client', url).catch((error) => problems.push(String(error)));
    // What never comes.
    return host.action === 'nothing' ? new Promise<never>(() => {}) : { action: host.action };
  };

  async function call(name: string, args: object, more: object = {}): Promise<Message> {
    const { reply } = lane.call({ name, arguments: args, ...more }, client);
    // What has no id is a notification: the page is complete.
    lane.onRequest = async ({ id, params }) =>
      id !== undefined && lane.send({ id, result: await answerTo(params.url) });
    const { result, error } = await reply;
    if (error !== undefined) problems.push(`an error of the protocol: ${error.message}`);
    if (result?.resultType !== 'input_required') return result ?? {};
    const { requestState, inputRequests } = result as { requestState: string; inputRequests: Record<string, Message> };
    const answers = Object.entries(inputRequests).map(async ([key, { params }]) => [key, await answerTo(params.url)]);
    const answered = await Promise.race([Promise.all(answers), wait(PATIENCE_MS)]);
    // The host gives up: its model hears nothing.
    return answered === undefined
      ? {}
      : call(name, args, { requestState, inputResponses: Object.fromEntries(answered) });
  }

  /** A call as the model makes it. */
  const modelCall = (name: string, args: object) => {
    calls += 1;
    return call(name, args);
  };

  if (lane.era === 'stdio 2025') await lane.initialize(client.capabilities, client.info, '2025-11-25');
  // The cheapest seats of one day are not enough for all parties.
  const legs = [{ from: 'QCA', to: 'XMD', date: dateIn(Date.now(), 20 + (nth % SEVEN_DAYS)) }];
  const found = await modelCall('search_fares', { legs, passengers: { adults: 3 }, max_results: 1 });
  const offer_ids = [found.structuredContent?.offers?.[0]?.offer_id];
  const args = { offer_ids, contact: CONTACT, passenger_counts: { adults: 3 } };
  let details = 'page';
  let told: Message;
  do {
    const result = await modelCall('create_booking', { ...args, details });
    told = result.structuredContent ?? {};
    if (told.status !== 'details_required') continue;
    const halves = { text: String(result.content[0].text), structured: String(told.next) };
    for (const [half, words] of Object.entries(halves)) {
      const lacks = [told.details.url, `details: "${told.details.id}"`].filter((each) => !words.includes(each));
      if (lacks.length > 0) problems.push(`no ${lacks.join(', no ')} in the ${half} half`);
    }
    const [, url = '', id = ''] = WHERE.exec(halves[host.onlyHalf ?? 'structured']) ?? [];
    if (reached === '') await fillIn('conversation', url);
    details = id;
  } while (told.status !== 'done' && told.error === undefined && calls < MOST_CALLS);
  const { locator, passengers = [] } = told.booking ?? {};
  if (told.status !== 'done') problems.push(`came to ${told.error?.code ?? told.status} after ${calls} calls`);
  else if (passengers.length !== 3 || created(locator) !== 1) problems.push('is not one booking of three');
  return { where: `${lane.era}, ${host.name}`, reached, calls, problems };
}
