/**
 * Serves the details page over HTTP: travellers enter there what the airline needs, so that no model sees it. Whoever has the
 * address may use it: it carries the details id, of which the state keeps only a hash. Opening the page never uses it up. In order: the
 * request, the form and its actions, the list of travellers, storing cards, messages.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../approvals/answer.ts';
import { keyedDigest, keyFor } from '../../approvals/digest.ts';
import { memoizeByObject } from '../../core/memoize.ts';
import { own } from '../../core/own.ts';
import { addDays, utcDay } from '../../core/times.ts';
import { counted, listed } from '../../core/words.ts';
import { type DetailsStore, isComplete, type KeptDetails } from '../../details/ports.ts';
import { hashId, openCard, sealCard } from '../../details/seal.ts';
import { isFromOurPage, isOurHost, isToken } from '../approval-page/handler.ts';
import { notice, pageReply } from '../approval-page/page-reply.ts';
import { pageState } from '../approval-page/page-state.ts';
import type { Clerk, ClerkLog } from '../clerk.ts';
import { logMistake } from '../context.ts';
import { readBytes } from '../http/exchange.ts';
import { RequestRates } from '../http/limits.ts';
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
import { formPage, type Mistake, type RefilledCard, refusedFormPage, type TypedCard } from './form.ts';
import {
  areMixed,
  columnMistakes,
  type LeftOverRow,
  type ListedRow,
  listedRows,
  type OpenPlace,
  placeRows,
  readList,
} from './list.ts';
import { drawnList, type ListField, leftRows, leftText, type SentList, sentList } from './list-form.ts';
import { fillFromLines } from './machine-readable-zone.ts';

/** Matches the button that fills a card in from its lines; its group is the card's number, from 1. */
const FILL = /^fill-(\d{1,2})$/;

const NOTHING_TYPED = 'Nothing is filled in yet. Fill in a card, then send.';

const LIST_CHANGED = 'The list is not the one whose columns were shown. Check them, then take the rows.';

const LIST_NOT_TAKEN = 'The list was not taken: read it, check its columns, then take its rows.';

const SAME_BEFORE = 'the same details were sent before';

/** What the page says about a card that was stored. */
const NOTES: Readonly<Record<CardWarning | 'sent_before', string>> = {
  expires_soon: 'the document expires less than 6 months after the trip. Some countries refuse entry with it.',
  other_letters: 'the airline takes the letters A to Z alone, so the name is sent in these.',
  sent_before: 'this card was sent before. What you entered on it just now was not kept.',
};

/** Matches a note: the traveller's number and a name of {@link NOTES}. */
const NOTE = new RegExp(`^([1-9]\\d?)\\.(${Object.keys(NOTES).join('|')})$`);

const REFUSED = {
  403: { title: 'Not taken', words: 'This form did not come from the page itself, and nothing of it was kept.' },
  413: { title: 'Too much was sent', words: 'The form was larger than it can be, and nothing of it was kept.' },
  415: { title: 'Not taken', words: 'Something other than the form was sent, and nothing of it was kept.' },
};

/** The largest form is some 600,000 bytes: 99 cards with names of 80 letters, a list of 60,000, each letter escaped to six bytes. */
const MOST_BYTES = 768 * 1024;

/** How much of a body that is too large is read and dropped: a browser shows the reply only after it could send all of it. */
const MOST_DRAINED_BYTES = 4 * 1024 * 1024;

/** Matches the path of the page; its group is the details id. */
const ADDRESS = /^\/details\/([\w-]{43})(?:\?|$)/;

/** How many requests for unknown addresses, all together, get their reply at once. */
const MISS_RATE = { burst: 20, perSecond: 1 };
/** How long the reply for an unknown address above that rate waits, milliseconds. Known addresses never wait. */
const MISS_DELAY_MS = 1_000;
/** At most so many replies wait at once: each holds a connection, and the whole server shares those. */
const MOST_DELAYED = 200;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

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

/** Returns the function that answers one request. It never rejects. */
export function createDetailsHandler(options: DetailsHandlerOptions): (request: IncomingMessage) => Promise<Response> {
  const { environment, log, base = '' } = options;
  const misses = new RequestRates(MISS_RATE);
  const { page, send } = createForms(options);
  let delayed = 0;
  const logFailure = (error: unknown) => logMistake(log, 'details page', error);

  async function answer(request: IncomingMessage): Promise<Response> {
    const { method = '' } = request;
    if (!METHODS.has(method)) return pageReply(405, null, { allow: 'GET, HEAD, POST' });
    if (!isOurHost(request, options.origins())) return notice('wrong_details_address', environment);
    const visit = await findVisit(request);
    if (visit === undefined) {
      if (misses.count('all') > 0 && delayed < MOST_DELAYED) await delayReply();
      return notice(method === 'POST' ? 'details_not_kept' : 'no_details', environment);
    }
    return method === 'POST'
      ? send(request, visit)
      : pageReply(200, page(visit, { messages: messagesIn(request, visit) }));
  }

  async function delayReply(): Promise<void> {
    delayed += 1;
    await sleep(MISS_DELAY_MS, undefined, { ref: false });
    delayed -= 1;
  }

  /** Undefined for an address that is unknown, used, forgotten or over: they get the same reply, so that guessing teaches nothing. */
  async function findVisit(request: IncomingMessage): Promise<DetailsVisit | undefined> {
    const url = request.url ?? '';
    const id = url.startsWith(base) ? ADDRESS.exec(url.slice(base.length))?.[1] : undefined;
    if (id === undefined) return undefined;
    if (options.isSameUser !== undefined && !(await options.isSameUser(request))) return undefined;
    const kept = await findUnused(id);
    if (kept === undefined) return undefined;
    return { id, kept, path: detailsPath(id, base), token: formToken(await options.secret(), kept.idHash) };
  }

  async function findUnused(id: string): Promise<KeptDetails | undefined> {
    const details = await options.details();
    const kept = await details.find(hashId(id), options.now());
    return kept?.operationId === undefined ? kept : undefined;
  }

  return (request) =>
    answer(request).catch((error) => {
      // A person who leaves while sending a form is not an error.
      if (!request.destroyed || request.complete) logFailure(error);
      return notice('details_failed', environment);
    });
}

/** Creates the functions that write the page and reply to its forms. */
function createForms(options: DetailsHandlerOptions) {
  const { environment } = options;

  function page(visit: DetailsVisit, { messages = [], refills = new Map(), list = {} }: FormRefill): string {
    const { kept, path, token } = visit;
    const open = openPlaces(kept, refills).length;
    const { text = '' } = list;
    const hasList = open > 1 || list.text !== undefined;
    const drawn = isComplete(kept) ? leftRows(text) : drawnList({ text, open, ...list });
    return formPage({
      kept,
      path,
      token,
      environment,
      now: options.now(),
      messages,
      refills,
      list: hasList ? drawn : undefined,
    });
  }

  async function send(request: IncomingMessage, visit: DetailsVisit): Promise<Response> {
    if (!isFromOurPage(request, options.origins())) return refuseForm(403, visit);
    const fields = await readDetails(request);
    if (typeof fields === 'number') return refuseForm(fields, visit);
    if (!isToken(fields.get('token') ?? '', visit.token)) return refuseForm(403, visit);
    const typed = new Map(visit.kept.form.cards.map((_, n) => [n, typedCard(fields, n)]));
    const sent = sentList(fields);
    const action = formAction(fields.get('action') ?? '', typed, sent);
    switch (action.kind) {
      case 'fill_card':
        return fillCard(visit, typed, { place: action.place, sent });
      case 'show_columns':
        return showColumns(visit, typed, { sent, messages: action.messages });
      case 'take_rows':
        return takeList(visit, typed, sent);
      case 'send_cards':
        return sendCards(visit, typed, sent);
    }
  }

  function refuseForm(status: keyof typeof REFUSED, visit: DetailsVisit): Response {
    return pageReply(status, refusedFormPage({ ...visit, environment }, REFUSED[status]));
  }

  /** Fills the blank fields of one card in from the lines of its document; stores nothing. */
  function fillCard(
    visit: DetailsVisit,
    typed: TypedCards,
    { place, sent }: { readonly place: number; readonly sent: SentList },
  ): Response {
    const refills = unkeptCards(visit.kept, typed);
    // Somebody else may have sent this card meanwhile: then there is nothing to fill in.
    const card = visit.kept.cards.has(place) ? undefined : typed.get(place);
    const filled = card && fillFromLines(card, latestToday(options.now()));
    if (filled !== undefined) refills.set(place, filled);
    const isRight = filled === undefined || filled.mistakes.length === 0;
    const list = refilledList(visit.kept, refills, sent, options.now());
    return pageReply(isRight ? 200 : 422, page(visit, { refills, list }));
  }

  /** Shows what the columns of a list hold; stores nothing. */
  function showColumns(
    visit: DetailsVisit,
    typed: TypedCards,
    { sent, messages }: { readonly sent: SentList; readonly messages: readonly string[] },
  ): Response {
    const refills = unkeptCards(visit.kept, typed);
    const list = readColumns(visit.kept, refills, { sent, today: latestToday(options.now()) });
    if (list.problem !== undefined) return pageReply(422, page(visit, { refills, list }));
    return pageReply(200, page(visit, { messages, refills, list }));
  }

  /** Stores the rows of a list that are right, and shows the others as cards to correct. */
  async function takeList(visit: DetailsVisit, typed: TypedCards, sent: SentList): Promise<Response> {
    const storing = { details: await options.details(), now: options.now };
    const result = await takeRows(visit, typed, { sent, storing });
    if (result === undefined) return notice('details_not_kept', environment);
    const { sealedCards = visit.kept.cards, refills, messages = [], list } = result;
    const visitNow = { ...visit, kept: { ...visit.kept, cards: sealedCards } };
    const hasNothingToShow = refills.size === 0 && messages.length === 0 && list.text === undefined;
    // Reloading the page sends no form again, and the browser forgets what was sent.
    if (hasNothingToShow && !isComplete(visitNow.kept)) return pageReply(303, null, { location: visit.path });
    const isListWrong = list.problem !== undefined || (list.read?.mistakes ?? []).length > 0;
    const status = isListWrong || haveMistakes(refills) ? 422 : 200;
    return pageReply(status, page(visitNow, { refills, messages, list }));
  }

  /** Stores the cards that are right. Wrong cards come back with their mistakes, blank ones stay open. */
  async function sendCards(visit: DetailsVisit, typed: TypedCards, sent: SentList): Promise<Response> {
    const { kept, path } = visit;
    const result = await storeCards(visit, typed, { details: await options.details(), now: options.now });
    if (result === undefined) return notice('details_not_kept', environment);
    const { sealedCards, refills, notes } = result;
    const visitNow = { ...visit, kept: { ...kept, cards: sealedCards } };
    const messages = noteTexts(notes, kept);
    if (sent.text !== '') messages.push(LIST_NOT_TAKEN);
    const list = refilledList(visitNow.kept, refills, sent, options.now());
    if (refills.size > 0) {
      return pageReply(haveMistakes(refills) ? 422 : 200, page(visitNow, { refills, messages, list }));
    }
    if (sealedCards.size === kept.cards.size && messages.length === 0 && !isComplete(kept)) {
      return pageReply(422, page(visitNow, { messages: [NOTHING_TYPED] }));
    }
    // The call that waits may use the form at once, and then its address shows nothing any more: no redirect.
    if (isComplete(visitNow.kept) || sent.text !== '') return pageReply(200, page(visitNow, { messages, list }));
    // Reloading the page sends no form again, and the browser forgets what was sent.
    return pageReply(303, null, { location: `${path}${notes.length === 0 ? '' : `?said=${notes.join()}`}` });
  }

  return { page, send };
}

/** The cards of a form as they were typed, by their place from 0. */
type TypedCards = ReadonlyMap<number, TypedCard>;

/** The action that the person chose by the button of the form. */
type FormAction =
  | { readonly kind: 'fill_card'; readonly place: number }
  | { readonly kind: 'show_columns'; readonly messages: readonly string[] }
  | { readonly kind: 'take_rows' }
  | { readonly kind: 'send_cards' };

/** Reads the action of a form. @param button the value of the button that sent it */
function formAction(button: string, typed: TypedCards, sent: SentList): FormAction {
  const fillNumber = FILL.exec(button)?.[1];
  if (fillNumber !== undefined) return { kind: 'fill_card', place: Number(fillNumber) - 1 };
  if (button === 'list') return { kind: 'show_columns', messages: [] };
  if (button === 'rows') {
    return sent.isAsShown ? { kind: 'take_rows' } : { kind: 'show_columns', messages: [LIST_CHANGED] };
  }
  // A person who pastes a list and presses Enter or Send wants it read.
  const isListAlone = sent.text !== '' && [...typed.values()].every(isBlank);
  if (!isListAlone) return { kind: 'send_cards' };
  return { kind: 'show_columns', messages: button === 'send' && sent.isAsShown ? [LIST_NOT_TAKEN] : [] };
}

/** The content of the page after a form was sent: messages, and the fields that it shows filled in again. */
interface FormRefill {
  readonly messages?: readonly string[];
  readonly refills?: ReadonlyMap<number, RefilledCard>;
  readonly list?: Partial<ListField>;
}

/** The cards that are filled in and not stored, as they were typed. */
function unkeptCards({ cards }: KeptDetails, typed: TypedCards): Map<number, RefilledCard> {
  const unkept = [...typed].filter(([n, card]) => !cards.has(n) && !isBlank(card));
  return new Map(unkept.map(([n, card]) => [n, { typed: card, mistakes: [] }]));
}

/** The blank cards that a list can fill. A card that has a name already is not filled: its row could be anybody's. */
function openPlaces({ form, cards }: KeptDetails, refills: ReadonlyMap<number, RefilledCard>): readonly OpenPlace[] {
  return form.cards.flatMap(({ type, asks }, place) => {
    const isUnnamed = asks === 'new' || asks === 'unnamed';
    return isUnnamed && !cards.has(place) && !refills.has(place) ? [{ place, type }] : [];
  });
}

const haveMistakes = (refills: ReadonlyMap<number, RefilledCard>) =>
  [...refills.values()].some(({ mistakes }) => mistakes.length > 0);

/** Fills the field of a list again that was not taken. If its columns were shown, the person's choices stay. */
function refilledList(
  kept: KeptDetails,
  refills: ReadonlyMap<number, RefilledCard>,
  sent: SentList,
  now: number,
): Partial<ListField> {
  if (sent.text === '') return {};
  return sent.isAsShown ? readColumns(kept, refills, { sent, today: latestToday(now) }) : { text: sent.text };
}

interface ReadingList {
  readonly sent: SentList;
  /** The latest calendar date anywhere, YYYY-MM-DD. */
  readonly today: string;
}

/** Reads the columns of a list. Takes the person's choices for them only if these columns were shown. */
function readColumns(
  kept: KeptDetails,
  refills: ReadonlyMap<number, RefilledCard>,
  { sent, today }: ReadingList,
): Partial<ListField> {
  const { text } = sent;
  const reading = readList(text, today);
  if (!reading.ok) return { text, problem: reading.words };
  const { list } = reading;
  const recognised = new Map(list.columns.map(({ place, kind }) => [place, kind]));
  const chosen = sent.isAsShown ? sent.chosen : recognised;
  const hasHeadings = sent.isAsShown ? sent.hasHeadings : list.hasHeadings;
  const isMixed = areMixed(openPlaces(kept, refills));
  return { text, read: { list, chosen, hasHeadings, mistakes: [], isMixed } };
}

/** The result of taking the rows of a list. */
interface ListResult extends FormRefill {
  /** All cards that are stored now, sealed. Absent if no row was read. */
  readonly sealedCards?: ReadonlyMap<number, string>;
  readonly refills: ReadonlyMap<number, RefilledCard>;
  readonly list: Partial<ListField>;
}

/**
 * Puts each row on the next open, blank card, and stores the cards that are right. Cards that were typed by hand come back as
 * they are. Undefined if the form is used, forgotten or over meanwhile.
 */
async function takeRows(
  visit: DetailsVisit,
  typed: TypedCards,
  { sent, storing }: { readonly sent: SentList; readonly storing: StoringCards },
): Promise<ListResult | undefined> {
  const { id, kept } = visit;
  const { chosen, hasHeadings } = sent;
  const today = latestToday(storing.now());
  const typedByHand = unkeptCards(kept, typed);
  const columns = readColumns(kept, typedByHand, { sent, today });
  if (columns.read === undefined) return { refills: typedByHand, list: columns };
  const { list } = columns.read;
  const mistakes = columnMistakes(list, chosen);
  if (mistakes.length > 0) {
    return { refills: typedByHand, list: { ...columns, read: { ...columns.read, mistakes } } };
  }
  const keysSentBefore = new Set([...kept.cards].map(([n, sealed]) => enteredKey(openCard(id, kept, n, sealed))));
  const allRows = listedRows(list, chosen, { hasHeadings, latestToday: today });
  const newRows = allRows.filter((row) => !keysSentBefore.has(typedKey(row.typed)));
  const open = openPlaces(kept, typedByHand);
  const { rowsByCard, rowsLeftOver } = placeRows(newRows, open, kept.form.segments);
  const rowMistakes = new Map([...rowsByCard].map(([n, row]) => [n, row.mistakes]));
  const cards = new Map([...rowsByCard].map(([n, row]) => [n, row.typed]));
  const result = await storeCards(visit, cards, { ...storing, rowMistakes });
  if (result === undefined) return undefined;
  const refills = new Map(typedByHand);
  for (const [n, card] of result.refills) refills.set(n, { ...card, row: rowsByCard.get(n)?.number ?? 0 });
  const messages = [...noteTexts(result.notes, kept), ...rowsNotTaken(allRows, newRows, rowsLeftOver)];
  const cardsWithoutRow = open.length - rowsByCard.size;
  if (cardsWithoutRow > 0) messages.push(`The list had no row for ${counted(cardsWithoutRow, 'card')}.`);
  const numbersLeftOver = new Set(rowsLeftOver.map(({ row }) => row.number));
  for (const [n, row] of rowsByCard) {
    // Somebody else sent this card just now: its row is left over too.
    if (result.notes.includes(`${n + 1}.sent_before`)) numbersLeftOver.add(row.number);
  }
  const text = leftText(list, numbersLeftOver, hasHeadings);
  return { sealedCards: result.sealedCards, refills, messages, list: text === '' ? {} : { text } };
}

/** Says which rows have no card, and why: `Rows 2 and 4 to 7 were not taken: no blank card is left.` */
function rowsNotTaken(
  allRows: readonly ListedRow[],
  newRows: readonly ListedRow[],
  rowsLeftOver: readonly LeftOverRow[],
): readonly string[] {
  const repeatedRows = allRows.filter((row) => !newRows.includes(row)).map((row) => ({ row, why: SAME_BEFORE }));
  const rowsByReason = Map.groupBy([...repeatedRows, ...rowsLeftOver], ({ why }) => why);
  return [...rowsByReason].map(([why, rows]) => {
    const numbers = ranges(rows.map(({ row }) => row.number));
    const isOne = rows.length === 1;
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

/** The result of storing the cards of a form. */
interface CardsResult {
  /** All cards that are stored now, sealed. */
  readonly sealedCards: Map<number, string>;
  readonly refills: Map<number, RefilledCard>;
  /** `1.sent_before`: the traveller's number, and a name of {@link NOTES}. */
  readonly notes: string[];
}

interface StoringCards {
  readonly details: DetailsStore;
  readonly now: () => number;
  /** Mistakes of the list's row of a card, by the card's place. */
  readonly rowMistakes?: ReadonlyMap<number, readonly Mistake[]>;
}

/** Seals and stores the cards that are right. Undefined if the form is used, forgotten or over meanwhile. */
async function storeCards(
  { id, kept }: DetailsVisit,
  typed: TypedCards,
  { details, now, rowMistakes }: StoringCards,
): Promise<CardsResult | undefined> {
  const numbers = keptNumbers(id, kept);
  const result: CardsResult = { sealedCards: new Map(kept.cards), refills: new Map(), notes: [] };
  const note = (n: number, names: readonly (keyof typeof NOTES)[]) =>
    result.notes.push(...names.map((name) => `${n + 1}.${name}`));
  for (const [n, card] of typed) {
    if (kept.cards.has(n)) {
      if (!isBlank(card)) note(n, ['sent_before']);
      continue;
    }
    const against = { form: kept.form, latestToday: latestToday(now()), numbers };
    const checked = withRowMistakes(checkCard(n, card, against), rowMistakes?.get(n));
    if (checked.kind !== 'right') {
      const refill = refilledCard(card, checked);
      if (refill !== undefined) result.refills.set(n, refill);
      continue;
    }
    const { entered, warnings } = checked;
    const sealed = sealCard(id, kept, n, entered);
    const isStored = await details.submit(kept.idHash, n, sealed, now());
    if (!isStored && (await details.find(kept.idHash, now()))?.cards.has(n) !== true) return undefined;
    result.sealedCards.set(n, sealed);
    if (isStored) numbers.set(numberKey(entered), n);
    // The card is stored, but not by this call: somebody else sent it just now.
    note(n, isStored ? warnings : ['sent_before']);
  }
  return result;
}

/** Replaces mistakes of the card by those of its row in the same field: the fault of the list causes that of the card. */
function withRowMistakes(checked: CheckedCard, rowMistakes: readonly Mistake[] = []): CheckedCard {
  if (rowMistakes.length === 0) return checked;
  const cardMistakes = checked.kind === 'wrong' ? checked.mistakes : [];
  const otherMistakes = cardMistakes.filter(({ field }) => !rowMistakes.some((mistake) => mistake.field === field));
  return { kind: 'wrong', mistakes: inOrder([...rowMistakes, ...otherMistakes]) };
}

/** The latest calendar date anywhere, YYYY-MM-DD. */
function latestToday(now: number): string {
  return addDays(utcDay(now), 1);
}

/** A card that was not stored, for the page. Undefined if it was left blank. */
function refilledCard(typed: TypedCard, checked: Exclude<CheckedCard, { kind: 'right' }>): RefilledCard | undefined {
  if (checked.kind === 'blank') return undefined;
  if (checked.kind === 'filled_in') return { typed: checked.typed, mistakes: [], isFilledIn: true };
  return { typed, mistakes: checked.mistakes };
}

/** The messages that a redirect after a form asks for: its address has names of notes, and nothing that was entered. */
function messagesIn({ url = '' }: IncomingMessage, { kept }: DetailsVisit): readonly string[] {
  return noteTexts((new URLSearchParams(url.split('?')[1]).get('said') ?? '').split(','), kept);
}

/** Writes notes out: `Traveller 1: …`. Leaves out what an address may have made up. */
function noteTexts(notes: readonly string[], { form }: KeptDetails): string[] {
  const mostNotes = form.cards.length * Object.keys(NOTES).length;
  return notes.slice(0, mostNotes).flatMap((note) => {
    const [, traveller, name] = NOTE.exec(note) ?? [];
    const words = own(NOTES, name);
    return words === undefined || Number(traveller) > form.cards.length ? [] : [`Traveller ${traveller}: ${words}`];
  });
}

/** Reads the fields of a form. @returns the HTTP status of the reply if the form is refused */
async function readDetails(request: IncomingMessage): Promise<URLSearchParams | 413 | 415> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const isForm = type === 'application/x-www-form-urlencoded' && request.headers['content-encoding'] === undefined;
  const body = isForm ? await readBytes(request, MOST_BYTES) : undefined;
  if (body !== undefined) return new URLSearchParams(body.toString('utf8'));
  request.resume();
  await readBytes(request, MOST_DRAINED_BYTES);
  return isForm ? 413 : 415;
}

/** The key of the forms' tokens. */
const formKey = memoizeByObject((secret: Uint8Array) => keyFor('fareclerk details page form', secret));

/** Binds the form to this address. The same for all instances, because a form of one may be sent to another. */
function formToken(secret: Uint8Array, idHash: string): string {
  return keyedDigest(formKey(secret), idHash);
}
