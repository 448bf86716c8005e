/**
 * The details page over HTTP: travellers enter there what the airline needs, so that no model sees it. Whoever has the address
 * may: it carries the details id, of which the state keeps a hash alone. Opening it never uses it up.
 */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../approvals/answer.ts';
import { own } from '../../core/own.ts';
import { addDays, utcDay } from '../../core/times.ts';
import { counted, listed } from '../../core/words.ts';
import { type DetailsStore, isComplete, type KeptDetails } from '../../details/ports.ts';
import { hashId, openCard, sealCard } from '../../details/seal.ts';
import { isFromOurPage, isOurHost, isToken } from '../approval-page/handler.ts';
import { notice, pageReply } from '../approval-page/page-reply.ts';
import { pageState } from '../approval-page/page-state.ts';
import type { Clerk, ClerkLog } from '../clerk.ts';
import { readBytes } from '../http/exchange.ts';
import { RequestRates } from '../http/request-rates.ts';
import {
  type CardWarning,
  type CheckedCard,
  checkCard,
  enteredKey,
  inOrder,
  isBlank,
  keptNumbers,
  numberKey,
  typedCard,
  typedKey,
} from './card.ts';
import { type CardAgain, formPage, type Mistake, refusedFormPage, type TypedCard } from './form.ts';
import { areMixed, columnMistakes, type ListedRow, listedRows, type OpenPlace, placeRows, readList } from './list.ts';
import { drawnList, type ListField, leftRows, leftText, type SentList, sentList } from './list-form.ts';
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
  const { page, send } = createForms(options);
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

  return (request) =>
    answer(request).catch((error) => {
      // A person who leaves while sending a form is not an error.
      if (!request.destroyed || request.complete) failed(error);
      return notice('details_failed', environment);
    });
}

/** What is sent from the page, and the page that follows. */
function createForms(options: DetailsHandlerOptions) {
  const { environment } = options;

  function page({ kept, path, token }: DetailsVisit, { said = [], again = new Map(), list = {} }: PageAgain): string {
    const open = openPlaces(kept, again).length;
    const hasList = open > 1 || list.text !== undefined;
    const { text = '' } = list;
    const drawn = isComplete(kept) ? leftRows(text) : drawnList({ text, open, ...list });
    return formPage({
      kept,
      path,
      token,
      environment,
      now: options.now(),
      said,
      again,
      list: hasList ? drawn : undefined,
    });
  }

  async function send(request: IncomingMessage, visit: DetailsVisit): Promise<Response> {
    if (!isFromOurPage(request, options.origins())) return refused(403, visit);
    const fields = await readDetails(request);
    if (typeof fields === 'number') return refused(fields, visit);
    if (!isToken(fields.get('token') ?? '', visit.token)) return refused(403, visit);
    const typed = new Map(visit.kept.form.cards.map((_, n) => [n, typedCard(fields, n)]));
    const [action = '', sent] = [fields.get('action') ?? '', sentList(fields)];
    const fills = FILL.exec(action)?.[1];
    if (fills !== undefined) return fill(visit, typed, { place: Number(fills) - 1, sent });
    // Whoever pastes a list and presses Enter or Send wants it read.
    const isListAlone = sent.text !== '' && [...typed.values()].every(isBlank);
    if (action === 'rows' && sent.isAsShown) return takeList(visit, typed, sent);
    if (action === 'list' || action === 'rows' || isListAlone) {
      const said = { rows: [LIST_CHANGED], send: sent.isAsShown ? [LIST_NOT_TAKEN] : [] };
      return showColumns(visit, typed, { sent, said: own(said, action) ?? [] });
    }
    return keep(visit, typed, sent);
  }

  const refused = (status: keyof typeof REFUSED, visit: DetailsVisit) =>
    pageReply(status, refusedFormPage({ ...visit, environment }, REFUSED[status]));

  /** The lines of one card fill its blank fields in; nothing is kept. */
  function fill(
    visit: DetailsVisit,
    typed: ReadonlyMap<number, TypedCard>,
    { place, sent }: { readonly place: number; readonly sent: SentList },
  ): Response {
    const again = typedAgain(visit.kept, typed);
    const card = visit.kept.cards.has(place) ? undefined : typed.get(place);
    // Undefined where somebody else sent this card meanwhile.
    const filled = card && fillFromLines(card, latestToday(options.now()));
    if (filled !== undefined) again.set(place, filled);
    const status = filled === undefined || filled.mistakes.length === 0 ? 200 : 422;
    return pageReply(status, page(visit, { again, list: listAgain(visit.kept, again, sent, options.now()) }));
  }

  /** Shows what the columns of a list hold; nothing is kept. */
  function showColumns(
    visit: DetailsVisit,
    typed: ReadonlyMap<number, TypedCard>,
    { sent, said }: { readonly sent: SentList; readonly said: readonly string[] },
  ): Response {
    const again = typedAgain(visit.kept, typed);
    const list = columnsIn(visit.kept, again, { sent, today: latestToday(options.now()) });
    return pageReply(
      list.problem === undefined ? 200 : 422,
      page(visit, { again, said: list.problem === undefined ? said : [], list }),
    );
  }

  async function takeList(
    visit: DetailsVisit,
    typed: ReadonlyMap<number, TypedCard>,
    sent: SentList,
  ): Promise<Response> {
    const keeping = { details: await options.details(), now: options.now };
    const taken = await takeRows(visit, typed, { sent, keeping });
    if (taken === undefined) return notice('details_not_kept', environment);
    const { cards = visit.kept.cards, again, said = [], list } = taken;
    const now = { ...visit, kept: { ...visit.kept, cards } };
    // Reloading the page sends no form again, and the browser forgets what was sent.
    const isPlain = again.size === 0 && said.length === 0 && list.text === undefined && !isComplete(now.kept);
    if (isPlain) return pageReply(303, null, { location: visit.path });
    const isWrong = (list.read?.mistakes.length ?? 0) + (list.problem?.length ?? 0) > 0 || areWrong(again);
    return pageReply(isWrong ? 422 : 200, page(now, { again, said, list }));
  }

  /** Keeps the cards that are right. What is wrong comes back with its mistakes, what is blank stays open. */
  async function keep(visit: DetailsVisit, typed: ReadonlyMap<number, TypedCard>, sent: SentList): Promise<Response> {
    const { kept, path } = visit;
    const taken = await keepCards(visit, typed, { details: await options.details(), now: options.now });
    if (taken === undefined) return notice('details_not_kept', environment);
    const { cards, again, notes } = taken;
    const now = { ...visit, kept: { ...kept, cards } };
    const said = [...wordsOf(notes, kept), ...(sent.text === '' ? [] : [LIST_NOT_TAKEN])];
    const list = listAgain(now.kept, again, sent, options.now());
    if (again.size > 0) return pageReply(areWrong(again) ? 422 : 200, page(now, { again, said, list }));
    if (cards.size === kept.cards.size && said.length === 0 && !isComplete(kept)) {
      return pageReply(422, page(now, { said: [NOTHING_TYPED] }));
    }
    // The call that waits may use the form at once, and then the address shows nothing any more.
    if (isComplete(now.kept) || sent.text !== '') return pageReply(200, page(now, { said, list }));
    // Reloading the page sends no form again, and the browser forgets what was sent.
    return pageReply(303, null, { location: `${path}${notes.length === 0 ? '' : `?said=${notes.join()}`}` });
  }

  return { page, send };
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const FILL = /^fill-(\d{1,2})$/;
const NOTHING_TYPED = 'Nothing is filled in yet. Fill in a card, then send.';
const LIST_CHANGED = 'The list is not the one whose columns were shown. Check them, then take the rows.';
const LIST_NOT_TAKEN = 'The list was not taken: read it, check its columns, then take its rows.';

/** What a form brings back to its page. */
interface PageAgain {
  readonly said?: readonly string[];
  readonly again?: ReadonlyMap<number, CardAgain>;
  readonly list?: Partial<ListField>;
}

/** Cards that are filled in and not kept, as they were typed. */
function typedAgain({ cards }: KeptDetails, typed: ReadonlyMap<number, TypedCard>): Map<number, CardAgain> {
  const open = [...typed].filter(([n, card]) => !cards.has(n) && !isBlank(card));
  return new Map(open.map(([n, card]) => [n, { typed: card, mistakes: [] }]));
}

/** Blank cards of travellers who have no name yet: of others, nobody could say which row is whose. */
function openPlaces({ form, cards }: KeptDetails, again: ReadonlyMap<number, CardAgain>): readonly OpenPlace[] {
  return form.cards.flatMap(({ type, asks }, place) => {
    const isUnnamed = asks === 'new' || asks === 'unnamed';
    return isUnnamed && !cards.has(place) && !again.has(place) ? [{ place, type }] : [];
  });
}

const areWrong = (again: ReadonlyMap<number, CardAgain>) =>
  [...again.values()].some(({ mistakes }) => mistakes.length > 0);

/** A list that was not taken: with its columns as a person left them, if they were shown. */
function listAgain(
  kept: KeptDetails,
  again: ReadonlyMap<number, CardAgain>,
  sent: SentList,
  now: number,
): Partial<ListField> {
  if (sent.text === '') return {};
  return sent.isAsShown ? columnsIn(kept, again, { sent, today: latestToday(now) }) : { text: sent.text };
}

interface ReadingList {
  readonly sent: SentList;
  readonly today: string;
}

/** The columns of a list: as a person left them, if these are the ones that were shown. */
function columnsIn(
  kept: KeptDetails,
  again: ReadonlyMap<number, CardAgain>,
  { sent: { text, ...sent }, today }: ReadingList,
): Partial<ListField> {
  const reading = readList(text, today);
  if (!reading.ok) return { text, problem: reading.words };
  const { list } = reading;
  const recognised = new Map(list.columns.map(({ place, kind }) => [place, kind]));
  const { chosen, hasHeadings } = sent.isAsShown ? sent : { chosen: recognised, hasHeadings: list.hasHeadings };
  const isMixed = areMixed(openPlaces(kept, again));
  return { text, read: { list, chosen, hasHeadings, mistakes: [], isMixed } };
}

interface TakenList extends PageAgain {
  /** All that are kept, sealed, if a row was looked at. */
  readonly cards?: ReadonlyMap<number, string>;
  readonly again: ReadonlyMap<number, CardAgain>;
  readonly list: Partial<ListField>;
}

/**
 * Each row becomes the next card that is open and blank, and is kept if it is right. Cards that were typed by hand come back as
 * they are. Undefined if the form is used, forgotten or over meanwhile.
 */
async function takeRows(
  visit: DetailsVisit,
  typed: ReadonlyMap<number, TypedCard>,
  { sent, keeping }: { readonly sent: SentList; readonly keeping: KeepingCards },
): Promise<TakenList | undefined> {
  const { id, kept } = visit;
  const { chosen, hasHeadings } = sent;
  const today = latestToday(keeping.now());
  const byHand = typedAgain(kept, typed);
  const shown = columnsIn(kept, byHand, { sent, today });
  if (shown.read === undefined) return { again: byHand, list: shown };
  const { list } = shown.read;
  const mistakes = columnMistakes(list, chosen);
  if (mistakes.length > 0) return { again: byHand, list: { ...shown, read: { ...shown.read, mistakes } } };
  const before = new Set([...kept.cards].map(([n, sealed]) => enteredKey(openCard(id, kept, n, sealed))));
  const all = listedRows(list, chosen, { hasHeadings, latestToday: today });
  const rows = all.filter((row) => !before.has(typedKey(row.typed)));
  const open = openPlaces(kept, byHand);
  const placed = placeRows(rows, open, kept.form.segments);
  const doubts = new Map([...placed.taken].map(([n, row]) => [n, row.mistakes]));
  const cards = new Map([...placed.taken].map(([n, row]) => [n, row.typed]));
  const taken = await keepCards(visit, cards, { ...keeping, doubts });
  if (taken === undefined) return undefined;
  const again = new Map(byHand);
  for (const [n, card] of taken.again) again.set(n, { ...card, row: placed.taken.get(n)?.number ?? 0 });
  const without = open.length - placed.taken.size;
  const said = [
    ...wordsOf(taken.notes, kept),
    ...notTaken(all, rows, placed),
    ...(without > 0 ? [`The list had no row for ${counted(without, 'card')}.`] : []),
  ];
  // Somebody else sent these cards just now, so that their rows are left too.
  const late = [...placed.taken]
    .filter(([n]) => taken.notes.includes(`${n + 1}.sent_before`))
    .map(([, row]) => ({ row }));
  const left = leftText(list, new Set([...placed.left, ...late].map(({ row }) => row.number)), hasHeadings);
  return { cards: taken.cards, again, said, list: left === '' ? {} : { text: left } };
}

/** Which rows have no card, and why. */
function notTaken(
  all: readonly ListedRow[],
  rows: readonly ListedRow[],
  { left }: Pick<ReturnType<typeof placeRows>, 'left'>,
): readonly string[] {
  const before = all.filter((row) => !rows.includes(row)).map((row) => ({ row, why: SAME_BEFORE }));
  return [...Map.groupBy([...before, ...left], ({ why }) => why)].map(([why, those]) => {
    const numbers = ranges(those.map(({ row }) => row.number));
    const isOne = those.length === 1;
    return `${isOne ? 'Row' : 'Rows'} ${listed(numbers)} ${isOne ? 'was' : 'were'} not taken: ${why}.`;
  });
}

/** `2`, `4 to 7`. */
function ranges(numbers: readonly number[]): readonly string[] {
  const firsts = numbers.filter((number) => !numbers.includes(number - 1));
  return firsts.map((first) => {
    let last = first;
    while (numbers.includes(last + 1)) last += 1;
    return last === first ? `${first}` : `${first} to ${last}`;
  });
}

const SAME_BEFORE = 'the same details were sent before';

/** What became of the cards of a form. */
interface TakenCards {
  /** All that are kept, sealed. */
  readonly cards: Map<number, string>;
  readonly again: Map<number, CardAgain>;
  /** `1.sent_before`: the traveller, and a name of {@link NOTES}. */
  readonly notes: string[];
}

interface KeepingCards {
  readonly details: DetailsStore;
  readonly now: () => number;
  /** Mistakes of a card that it does not show itself, by its place. */
  readonly doubts?: ReadonlyMap<number, readonly Mistake[]>;
}

/** Undefined if the form is used, forgotten or over meanwhile. */
async function keepCards(
  { id, kept }: DetailsVisit,
  typed: ReadonlyMap<number, TypedCard>,
  { details, now, doubts }: KeepingCards,
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
    const against = { form: kept.form, latestToday: latestToday(now()), numbers };
    const checked = withDoubts(checkCard(n, card, against), doubts?.get(n));
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

/** What the list does not say is the cause of what its card lacks. */
function withDoubts(checked: CheckedCard, doubts: readonly Mistake[] = []): CheckedCard {
  if (doubts.length === 0) return checked;
  const mistakes = checked.kind === 'wrong' ? checked.mistakes : [];
  const others = mistakes.filter(({ field }) => !doubts.some((one) => one.field === field));
  return { kind: 'wrong', mistakes: inOrder([...doubts, ...others]) };
}

/** The latest calendar date anywhere. */
function latestToday(now: number): string {
  return addDays(utcDay(now), 1);
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

/** Far more than 99 cards with names of 80 letters and a list of 60,000, each letter an escape of six signs: some 600,000. */
const MOST_BYTES = 768 * 1024;
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
