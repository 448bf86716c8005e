/**
 * Serves the details page over HTTP: travellers enter there what the airline needs, so that no model sees it. Whoever has the
 * address may use it: it carries the details id, of which the state keeps only a hash. Opening the page never uses it up. In order: the
 * request, the form, the notes about stored cards, the form's fields and token.
 *
 * A card is known by its place in the form, from 0, and passes through these:
 *
 * | name          | what it holds                                                                    |
 * | ------------- | -------------------------------------------------------------------------------- |
 * | `kept.cards`  | the cards that were stored before this request, sealed                           |
 * | `typedCards`  | all cards as this form sent them                                                 |
 * | `sealedCards` | the cards that are stored now, sealed                                            |
 * | `refills`     | the cards that are filled in and not stored: the page shows them filled in again |
 */

import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../approvals/answer.ts';
import { keyedDigest, keyFor } from '../../approvals/digest.ts';
import type { Clerk, ClerkLog } from '../../clerk/clerk.ts';
import { logMistake } from '../../clerk/context.ts';
import { RequestRates } from '../../clerk/request-rates.ts';
import { memoizeByObject } from '../../core/memoize.ts';
import { own } from '../../core/own.ts';
import { MOST_CHARACTERS } from '../../core/text-limits.ts';
import { isComplete, type KeptDetails } from '../../details/details-form.ts';
import type { DetailsStore } from '../../details/ports.ts';
import { hashId } from '../../details/seal.ts';
import { readForm } from '../../http/exchange.ts';
import { isFromOurPage, isOurHost, isToken } from '../approval/page-access.ts';
import { pageState } from '../approval/page-state.ts';
import { notice, pageReply } from '../browser/page-reply.ts';
import { CARD_NOTES, type CardNote, isBlank, type OpenForm, storeCards, type TypedCards, typedCard } from './card.ts';
import { FIELDS, formPage, inputName, MOST_OF_FIELD, type RefilledCard, refusedFormPage } from './form.ts';
import { listField } from './list.ts';

const NOTHING_TYPED = 'Nothing is filled in yet. Fill in a card, then send.';

const NOTHING_KEPT =
  'Nothing of this form was kept, because what is too long was not read. Correct it, then send again.';

const LOST = 'What was entered here before was lost. Please enter every traveller again.';

const NOT_STORED = 'This could not be kept now. Leave the page open, and send it again in a minute.';

/** Matches the name of a field of a card. */
const CARD_FIELD = /^([a-z_]{1,20})-\d{1,2}$/;

/** Matches a note in an address: the traveller's number and a name of {@link CARD_NOTES}, `1.sent_before`. */
const NOTE = new RegExp(`^([1-9]\\d?)\\.(${Object.keys(CARD_NOTES).join('|')})$`);

const REFUSED = {
  403: { title: 'Not accepted', words: 'This form did not come from the page itself, so nothing of it was kept.' },
  413: { title: 'Too much was sent', words: 'The form was too large, so nothing of it was kept.' },
  415: { title: 'Not accepted', words: 'What was sent is not this form, so nothing of it was kept.' },
};

/** The largest form is some 400,000 bytes: 99 cards with names of 80 letters, each letter escaped to nine bytes. */
export const MOST_FORM_BYTES = 512 * 1024;

/** Fields of a form, at most: more than those of 99 cards. */
const MOST_FIELDS = 1_500;

const AMPERSAND = 0x26;

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
}

/** Reads what the page needs from the clerk. */
export function detailsSource(clerk: Clerk): Omit<DetailsSource, 'environment'> {
  const { state, now, log } = pageState(clerk);
  return {
    details: async () => (await state()).details,
    secret: async () => (await state()).digestKey,
    now,
    log,
  };
}

/** A request for a form that is open. */
interface DetailsVisit extends OpenForm {
  readonly path: string;
  readonly token: string;
}

/** Returns the function that answers one request. It never rejects. */
export function createDetailsHandler(options: DetailsHandlerOptions): (request: IncomingMessage) => Promise<Response> {
  const { environment, log, base = '' } = options;
  const misses = new RequestRates(MISS_RATE);
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
    if (method === 'POST') return replyToForm(options, request, visit);
    const messages = noteTexts(notesInUrl(request, visit.kept));
    return pageReply(200, drawPage(options, visit, { messages }));
  }

  async function delayReply(): Promise<void> {
    delayed += 1;
    await sleep(MISS_DELAY_MS, undefined, { ref: false });
    delayed -= 1;
  }

  /** Finds the open form. Undefined for an address that is unknown, used, forgotten or over: they get the same reply, so that guessing teaches nothing. */
  async function findVisit(request: IncomingMessage): Promise<DetailsVisit | undefined> {
    const url = request.url ?? '';
    const id = url.startsWith(base) ? ADDRESS.exec(url.slice(base.length))?.[1] : undefined;
    if (id === undefined) return undefined;
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

function drawPage(options: DetailsHandlerOptions, visit: DetailsVisit, refill: FormRefill): string {
  const { messages = [], refills } = refill;
  const { kept, path, token } = visit;
  const { environment } = options;
  const now = options.now();
  const above = kept.isLost ? [LOST, ...messages] : messages;
  return formPage({ kept, path, token, environment, now, messages: above, refills, list: listField(kept) });
}

/** A form as it was sent. */
interface SentForm {
  readonly visit: DetailsVisit;
  readonly typedCards: TypedCards;
}

async function replyToForm(
  options: DetailsHandlerOptions,
  request: IncomingMessage,
  visit: DetailsVisit,
): Promise<Response> {
  if (!isFromOurPage(request, options.origins())) return refuseForm(403, visit, options);
  const fields = await readDetails(request);
  if (typeof fields === 'number') return refuseForm(fields, visit, options);
  const longFields = takeOutLong(fields);
  if (!isToken(fields.get('token') ?? '', visit.token)) return refuseForm(403, visit, options);
  const typedCards = new Map(visit.kept.form.cards.map((_, place) => [place, typedCard(fields, place)]));
  const sentForm = { visit, typedCards };
  if (longFields.size > 0) return replyToLongFields(options, sentForm, longFields);
  return replyToCards(options, sentForm).catch((error) => replyUnstored(options, sentForm, error));
}

/** Shows a form again that the store could not take, as on a full disk: nobody types a passport twice. */
function replyUnstored(options: DetailsHandlerOptions, { visit, typedCards }: SentForm, error: unknown) {
  logMistake(options.log, 'details page', error);
  const refills = cardsNotStored(visit.kept, typedCards);
  return pageReply(503, drawPage(options, visit, { messages: [NOT_STORED], refills }));
}

function refuseForm(
  status: keyof typeof REFUSED,
  visit: DetailsVisit,
  { environment }: Pick<DetailsHandlerOptions, 'environment'>,
): Response {
  return pageReply(status, refusedFormPage({ ...visit, environment }, REFUSED[status]));
}

/**
 * Takes the fields out of a form that are longer than they can be, before anything reads them: the `maxlength` of a page binds browsers
 * alone. @returns their names
 */
function takeOutLong(fields: URLSearchParams): ReadonlySet<string> {
  const longFields = new Set([...fields].flatMap(([name, value]) => (value.length > mostOf(name) ? [name] : [])));
  for (const name of longFields) fields.delete(name);
  return longFields;
}

/** Characters of a field of the form, at most. */
function mostOf(name: string): number {
  const [, field] = CARD_FIELD.exec(name) ?? [];
  return own(MOST_OF_FIELD, field) ?? MOST_CHARACTERS.formField;
}

/** Shows a form again of which some fields were too long to be read; stores nothing. */
function replyToLongFields(
  options: DetailsHandlerOptions,
  { visit, typedCards }: SentForm,
  longFields: ReadonlySet<string>,
): Response {
  const refills = cardsNotStored(visit.kept, typedCards);
  for (const [place, typed] of typedCards) {
    const long = FIELDS.filter((field) => longFields.has(inputName(field, place)));
    if (long.length === 0 || visit.kept.cards.has(place)) continue;
    const mistakes = long.map((field) => ({ field, words: longFieldWords(MOST_OF_FIELD[field]) }));
    refills.set(place, { typed, mistakes });
  }
  return pageReply(422, drawPage(options, visit, { messages: [NOTHING_KEPT], refills }));
}

function longFieldWords(most: number): string {
  return `This field holds at most ${most} characters. What stood here was longer and was not read, so enter it again.`;
}

/**
 * Stores the cards that are right. Blank ones stay open. The reply, first match first:
 *
 * | what was sent             | the page                                           |
 * | ------------------------- | -------------------------------------------------- |
 * | a card that is not stored | has this card again, with its mistakes             |
 * | nothing                   | says so                                            |
 * | the last card             | thanks                                             |
 * | a card                    | comes by a redirect, with the notes in its address |
 */
async function replyToCards(options: DetailsHandlerOptions, { visit, typedCards }: SentForm): Promise<Response> {
  const { kept, path } = visit;
  const stored = await storeCards(visit, typedCards, { details: await options.details(), now: options.now });
  if (stored === undefined) return notice('details_not_kept', options.environment);
  const { sealedCards, refills, notes } = stored;
  const visitNow = withCards(visit, sealedCards);
  const messages = noteTexts(notes);
  if (refills.size > 0) {
    return pageReply(haveMistakes(refills) ? 422 : 200, drawPage(options, visitNow, { refills, messages }));
  }
  const isNothingStored = sealedCards.size === kept.cards.size;
  if (isNothingStored && messages.length === 0 && !isComplete(kept)) {
    return pageReply(422, drawPage(options, visitNow, { messages: [NOTHING_TYPED] }));
  }
  // The call that waits may use the form at once, and then its address shows nothing any more: no redirect.
  if (isComplete(visitNow.kept)) return pageReply(200, drawPage(options, visitNow, { messages }));
  return redirectTo(`${path}${noteQuery(notes)}`);
}

/** The visit with the cards that are stored now. */
function withCards(visit: DetailsVisit, cards: KeptDetails['cards']): DetailsVisit {
  const isLost = visit.kept.isLost && cards.size === visit.kept.cards.size;
  return { ...visit, kept: { ...visit.kept, cards, isLost } };
}

/** Shows the page by a redirect: reloading it sends no form again, and the browser forgets what was sent. */
function redirectTo(location: string): Response {
  return pageReply(303, null, { location });
}

/** The content of the page after a form was sent: messages, and the fields that it shows filled in again. */
interface FormRefill {
  readonly messages?: readonly string[];
  readonly refills?: ReadonlyMap<number, RefilledCard>;
}

/** The cards that are filled in and not stored, as they were typed. */
function cardsNotStored({ cards }: KeptDetails, typedCards: TypedCards): Map<number, RefilledCard> {
  const notStored = [...typedCards].filter(([place, typed]) => !cards.has(place) && !isBlank(typed));
  return new Map(notStored.map(([place, typed]) => [place, { typed, mistakes: [] }]));
}

const haveMistakes = (refills: ReadonlyMap<number, RefilledCard>) =>
  [...refills.values()].some(({ mistakes }) => mistakes.length > 0);

/** The query of a page's address that carries notes: their names, and nothing that was entered. Empty without notes. */
function noteQuery(notes: readonly CardNote[]): string {
  return notes.length === 0 ? '' : `?said=${notes.map(({ place, name }) => `${place + 1}.${name}`).join()}`;
}

/** Reads the notes of {@link noteQuery}. Leaves out what somebody may have made up. */
function notesInUrl({ url = '' }: IncomingMessage, { form }: KeptDetails): readonly CardNote[] {
  const said = (new URLSearchParams(url.split('?')[1]).get('said') ?? '').split(',');
  const mostNotes = form.cards.length * Object.keys(CARD_NOTES).length;
  return said.slice(0, mostNotes).flatMap((text) => {
    const [, traveller, name] = NOTE.exec(text) ?? [];
    if (name === undefined || Number(traveller) > form.cards.length) return [];
    return [{ place: Number(traveller) - 1, name: name as CardNote['name'] }];
  });
}

/** `Traveller 1: this card was sent before. …` */
function noteTexts(notes: readonly CardNote[]): string[] {
  return notes.map(({ place, name }) => `Traveller ${place + 1}: ${CARD_NOTES[name]}`);
}

/** Reads the fields of a form. @returns the HTTP status of the reply if the form is refused */
async function readDetails(request: IncomingMessage): Promise<URLSearchParams | 413 | 415> {
  const body = await readForm(request, MOST_FORM_BYTES);
  if (!Buffer.isBuffer(body)) return body;
  return hasTooManyFields(body) ? 413 : new URLSearchParams(body.toString('utf8'));
}

/** Counts fields before anything takes them apart. */
function hasTooManyFields(body: Buffer): boolean {
  let count = 1;
  for (let at = body.indexOf(AMPERSAND); at >= 0; at = body.indexOf(AMPERSAND, at + 1)) {
    count += 1;
    if (count > MOST_FIELDS) return true;
  }
  return false;
}

/** The key of the forms' tokens. */
const formKey = memoizeByObject((secret: Uint8Array) => keyFor('fareclerk details page form', secret));

/** Binds the form to this address. The same for all instances, because a form of one may be sent to another. */
function formToken(secret: Uint8Array, idHash: string): string {
  return keyedDigest(formKey(secret), idHash);
}
