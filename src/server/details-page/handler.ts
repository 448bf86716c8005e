/**
 * The details page over HTTP: travellers enter there what the airline needs, so that no model sees it. Whoever has the address
 * may: it carries the details id, of which the state keeps a hash alone. Opening it never uses it up.
 */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../approvals/answer.ts';
import { own } from '../../core/own.ts';
import { addDays, utcToday } from '../../core/times.ts';
import { type DetailsStore, isComplete, type KeptDetails } from '../../details/ports.ts';
import { hashId, sealCard } from '../../details/seal.ts';
import { isFromOurPage, isOurHost, isToken } from '../approval-page/handler.ts';
import { notice, pageReply } from '../approval-page/page-reply.ts';
import { pageState } from '../approval-page/page-state.ts';
import type { Clerk, ClerkLog } from '../clerk.ts';
import { readBytes } from '../http/exchange.ts';
import { RequestRates } from '../http/request-rates.ts';
import { type CardWarning, type CheckedCard, checkCard, isBlank, keptNumbers, numberKey, typedCard } from './card.ts';
import { type CardAgain, formPage, refusedFormPage, type TypedCard } from './form.ts';
import { fillFromLines } from './zone.ts';

export const DETAILS_PREFIX = '/details/';

/** Path of the page of a details id, below the base. */
export function detailsPath(id: string, base = ''): string {
  return `${base}${DETAILS_PREFIX}${id}`;
}

/** What the page reads and writes. */
export interface DetailsSource {
  details(): Promise<DetailsStore>;
  /** A secret of the installation, shared by its instances. */
  secret(): Promise<Uint8Array>;
  /** Milliseconds since 1970, by the clock by which forms are over. */
  now(): number;
  readonly environment: Environment;
  readonly log: Pick<ClerkLog, 'failure'>;
}

interface DetailsHandlerOptions extends DetailsSource {
  /** Accepted origins of the page: `http://127.0.0.1:4711`. */
  origins(): readonly string[];
  /** Path of the public address: `/desk`. Default: none. */
  readonly base?: string;
  /** Other users get the reply of an unknown address. Default: whoever has the address may. */
  isSameUser?(request: IncomingMessage): Promise<boolean>;
}

export function detailsSource(clerk: () => Clerk): Omit<DetailsSource, 'environment'> {
  const { state, now, log } = pageState(clerk);
  return {
    details: async () => (await state()).details,
    secret: async () => (await state()).digestKey,
    now,
    log,
  };
}

/** A request for a form that is open. */
interface DetailsVisit {
  readonly id: string;
  readonly kept: KeptDetails;
  readonly path: string;
  readonly token: string;
}

/** The details id; or an address of ours that cannot be one. */
const ADDRESS = /^\/details\/([\w-]{43})(?:\?|$)/;

/** Of unknown addresses, all together. */
const MISSES = { burst: 20, perSecond: 1 };
/** An unknown address above the rate waits so long for its reply; known ones never wait. */
const MISS_MS = 1_000;
/** Above that many at once nobody waits: replies that wait hold connections, which the whole server shares. */
const MOST_SLOWED = 200;

/** Returns the function that answers one request. It never rejects. */
export function createDetailsHandler(options: DetailsHandlerOptions): (request: IncomingMessage) => Promise<Response> {
  const { environment, log, base = '' } = options;
  const misses = new RequestRates(MISSES);
  let slowed = 0;
  const failed = (error: unknown) =>
    log.failure({ tool: 'details page', reference: crypto.randomUUID().slice(0, 8), error });

  async function answer(request: IncomingMessage): Promise<Response> {
    const { method = '' } = request;
    if (!METHODS.has(method)) return pageReply(405, null, { allow: 'GET, HEAD, POST' });
    if (!isOurHost(request, options.origins())) return notice('wrong_details_address', environment);
    const visit = await enter(request);
    if (visit === undefined) {
      if (misses.count('all') > 0 && slowed < MOST_SLOWED) await slowDown();
      return notice(method === 'POST' ? 'details_not_kept' : 'no_details', environment);
    }
    return method === 'POST' ? send(request, visit) : pageReply(200, page(visit, { said: saidIn(request, visit) }));
  }

  async function slowDown(): Promise<void> {
    slowed += 1;
    await sleep(MISS_MS, undefined, { ref: false });
    slowed -= 1;
  }

  /** Undefined for unknown, used and forgotten addresses, and for those whose time is over: they look alike. */
  async function enter(request: IncomingMessage): Promise<DetailsVisit | undefined> {
    const url = request.url ?? '';
    const id = url.startsWith(base) ? ADDRESS.exec(url.slice(base.length))?.[1] : undefined;
    if (id === undefined) return undefined;
    if (options.isSameUser !== undefined && !(await options.isSameUser(request))) return undefined;
    const kept = await find(id);
    if (kept === undefined) return undefined;
    return { id, kept, path: detailsPath(id, base), token: formToken(await options.secret(), kept.idHash) };
  }

  async function find(id: string): Promise<KeptDetails | undefined> {
    const details = await options.details();
    const kept = await details.find(hashId(id), options.now());
    return kept?.operationId === undefined ? kept : undefined;
  }

  function page(
    { kept, path, token }: DetailsVisit,
    more: { readonly said?: readonly string[]; readonly again?: ReadonlyMap<number, CardAgain> },
  ): string {
    return formPage({ kept, path, token, environment, now: options.now(), ...more });
  }

  async function send(request: IncomingMessage, visit: DetailsVisit): Promise<Response> {
    if (!isFromOurPage(request, options.origins())) return refused(403, visit);
    const fields = await readDetails(request);
    if (typeof fields === 'number') return refused(fields, visit);
    if (!isToken(fields.get('token') ?? '', visit.token)) return refused(403, visit);
    const { kept } = visit;
    const typed = new Map(kept.form.cards.map((_, n) => [n, typedCard(fields, n)]));
    const fills = FILL.exec(fields.get('action') ?? '')?.[1];
    return fills === undefined ? keep(visit, typed) : fill(visit, typed, Number(fills) - 1);
  }

  const refused = (status: keyof typeof REFUSED, visit: DetailsVisit) =>
    pageReply(status, refusedFormPage({ ...visit, environment }, REFUSED[status]));

  /** The lines of one card fill its blank fields in; nothing is kept. */
  function fill(visit: DetailsVisit, typed: ReadonlyMap<number, TypedCard>, place: number): Response {
    const open = [...typed].filter(([n]) => !visit.kept.cards.has(n));
    const again = new Map(open.map(([n, card]): [number, CardAgain] => [n, { typed: card, mistakes: [] }]));
    const card = again.get(place)?.typed;
    // Undefined where somebody else sent this card meanwhile.
    const filled = card && fillFromLines(card, latestToday(options.now()));
    if (filled !== undefined) again.set(place, filled);
    return pageReply(filled === undefined || filled.mistakes.length === 0 ? 200 : 422, page(visit, { again }));
  }

  /** Keeps the cards that are right. What is wrong comes back with its mistakes, what is blank stays open. */
  async function keep(visit: DetailsVisit, typed: ReadonlyMap<number, TypedCard>): Promise<Response> {
    const { kept, path } = visit;
    const taken = await keepCards(visit, typed, await options.details(), options.now);
    if (taken === undefined) return notice('details_not_kept', environment);
    const { cards, again, notes } = taken;
    const now = { ...visit, kept: { ...kept, cards } };
    const said = wordsOf(notes, kept);
    if (again.size > 0) {
      const status = [...again.values()].some(({ mistakes }) => mistakes.length > 0) ? 422 : 200;
      return pageReply(status, page(now, { again, said }));
    }
    if (cards.size === kept.cards.size && notes.length === 0 && !isComplete(kept)) {
      return pageReply(422, page(now, { said: [NOTHING_TYPED] }));
    }
    // The call that waits may use the form at once, and then the address shows nothing any more.
    if (isComplete(now.kept)) return pageReply(200, page(now, { said }));
    // Reloading the page sends no form again, and the browser forgets what was sent.
    return pageReply(303, null, { location: `${path}${notes.length === 0 ? '' : `?said=${notes.join()}`}` });
  }

  return (request) =>
    answer(request).catch((error) => {
      // A person who leaves while sending a form is not an error.
      if (!request.destroyed || request.complete) failed(error);
      return notice('details_failed', environment);
    });
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const FILL = /^fill-(\d{1,2})$/;
const NOTHING_TYPED = 'Nothing is filled in yet. Fill in a card, then send.';

/** What became of the cards of a form. */
interface TakenCards {
  /** All that are kept, sealed. */
  readonly cards: Map<number, string>;
  readonly again: Map<number, CardAgain>;
  /** `1.sent_before`: the traveller, and a name of {@link NOTES}. */
  readonly notes: string[];
}

/** Undefined if the form is used, forgotten or over meanwhile. */
async function keepCards(
  { id, kept }: DetailsVisit,
  typed: ReadonlyMap<number, TypedCard>,
  details: DetailsStore,
  now: () => number,
): Promise<TakenCards | undefined> {
  const numbers = keptNumbers(id, kept);
  const taken: TakenCards = { cards: new Map(kept.cards), again: new Map(), notes: [] };
  const note = (n: number, names: readonly (keyof typeof NOTES)[]) =>
    taken.notes.push(...names.map((name) => `${n + 1}.${name}`));
  for (const [n, card] of typed) {
    if (kept.cards.has(n)) {
      if (!isBlank(card)) note(n, ['sent_before']);
      continue;
    }
    const checked = checkCard(n, card, { form: kept.form, latestToday: latestToday(now()), numbers });
    if (checked.kind !== 'right') {
      const comesBack = cardAgain(card, checked);
      if (comesBack !== undefined) taken.again.set(n, comesBack);
      continue;
    }
    const { entered, warnings } = checked;
    const sealed = sealCard(id, kept, n, entered);
    const isKept = await details.submit(kept.idHash, n, sealed, now());
    if (!isKept && (await details.find(kept.idHash, now()))?.cards.has(n) !== true) return undefined;
    taken.cards.set(n, sealed);
    if (isKept) numbers.set(numberKey(entered), n);
    // Somebody else sent this card just now.
    note(n, isKept ? warnings : ['sent_before']);
  }
  return taken;
}

/** The latest calendar date anywhere. */
function latestToday(now: number): string {
  return addDays(utcToday(now), 1);
}

/** Undefined: it was left blank, and stays open. */
function cardAgain(typed: TypedCard, checked: Exclude<CheckedCard, { kind: 'right' }>): CardAgain | undefined {
  if (checked.kind === 'blank') return undefined;
  if (checked.kind === 'filled_in') return { typed: checked.typed, mistakes: [], isFilledIn: true };
  return { typed, mistakes: checked.mistakes };
}

const NOTES: Readonly<Record<CardWarning | 'sent_before', string>> = {
  expires_soon: 'the document expires less than 6 months after the trip. Some countries refuse entry with it.',
  other_letters: 'the airline takes the letters A to Z alone, so the name is sent in these.',
  sent_before: 'this card was sent before. What you entered on it just now was not kept.',
};
const NOTE = new RegExp(`^([1-9]\\d?)\\.(${Object.keys(NOTES).join('|')})$`);

/** In the address of the page that follows a form: which notes, and nothing that was entered. */
function saidIn({ url = '' }: IncomingMessage, { kept }: DetailsVisit): readonly string[] {
  return wordsOf((new URLSearchParams(url.split('?')[1]).get('said') ?? '').split(','), kept);
}

function wordsOf(notes: readonly string[], { form }: KeptDetails): readonly string[] {
  return notes.slice(0, form.cards.length * Object.keys(NOTES).length).flatMap((note) => {
    const [, traveller, name] = NOTE.exec(note) ?? [];
    const words = own(NOTES, name);
    return words === undefined || Number(traveller) > form.cards.length ? [] : [`Traveller ${traveller}: ${words}`];
  });
}

const REFUSED = {
  403: { title: 'Not taken', words: 'This form did not come from the page itself, and nothing of it was kept.' },
  413: { title: 'Too much was sent', words: 'The form was larger than it can be, and nothing of it was kept.' },
  415: { title: 'Not taken', words: 'Something other than the form was sent, and nothing of it was kept.' },
};

/** Far more than nine cards, each letter in an escape. */
const MOST_BYTES = 64 * 1024;
/** A browser shows the reply only after it could send all of a body that is too large. */
const MOST_DRAINED_BYTES = 4 * 1024 * 1024;

/** @returns the HTTP status of the reply if the form is refused */
async function readDetails(request: IncomingMessage): Promise<URLSearchParams | 413 | 415> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const isForm = type === 'application/x-www-form-urlencoded' && request.headers['content-encoding'] === undefined;
  const body = isForm ? await readBytes(request, MOST_BYTES) : undefined;
  if (body !== undefined) return new URLSearchParams(body.toString('utf8'));
  request.resume();
  await readBytes(request, MOST_DRAINED_BYTES);
  return isForm ? 413 : 415;
}

/** Binds the form to this address. The same for all instances, because a form of one may be sent to another. */
function formToken(secret: Uint8Array, idHash: string): string {
  // HKDF-Extract (RFC 5869, section 2.2) with the purpose as the salt.
  const key = createHmac('sha256', 'fareclerk details page form').update(secret).digest();
  return createHmac('sha256', key).update(idHash).digest('base64url');
}
