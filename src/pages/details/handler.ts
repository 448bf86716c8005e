/**
 * Serves the details page over HTTP: travellers enter there what the airline needs, so that no model sees it. Whoever has the
 * address may use it: it carries the details id, of which the state keeps only a hash. Opening the page never uses it up. In order: the
 * request, the form, its token.
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
import type { Environment } from '../../approvals/answer.ts';
import { keyedDigest, keyFor } from '../../approvals/digest.ts';
import type { Clerk, ClerkLog } from '../../clerk/clerk.ts';
import { logMistake } from '../../clerk/context.ts';
import { memoizeByObject } from '../../core/memoize.ts';
import { isComplete, type KeptDetails } from '../../details/details-form.ts';
import type { DetailsStore } from '../../details/ports.ts';
import { hashId } from '../../details/seal.ts';
import { readForm } from '../../http/exchange.ts';
import { isFromOurPage, isOurHost, isToken } from '../approval/page-access.ts';
import { pageState } from '../approval/page-state.ts';
import { notice, pageReply, stepPage } from '../browser/page-reply.ts';
import { CARD_NOTES, isBlank, type OpenForm, storeCards, type TypedCards, typedCard } from './card.ts';
import { formPage, type RefilledCard } from './form.ts';
import { listField } from './list.ts';

const NOTHING_TYPED = 'Nothing is filled in yet. Fill in a card, then send.';

const LOST = 'What was entered here before was lost. Please enter every traveller again.';

const NOT_STORED = 'This could not be kept now. Leave the page open, and send it again in a minute.';

const REFUSED = {
  403: { title: 'Not accepted', words: 'This form did not come from the page itself, so nothing of it was kept.' },
  413: { title: 'Too much was sent', words: 'The form was too large, so nothing of it was kept.' },
  415: { title: 'Not accepted', words: 'What was sent is not this form, so nothing of it was kept.' },
};

/** The largest form is some 400,000 bytes: 99 cards with names of 80 letters, each letter escaped to nine bytes. */
export const MOST_FORM_BYTES = 512 * 1024;

/** Matches the path of the page; its group is the details id. */
const ADDRESS = /^\/details\/([\w-]{43})(?:\?|$)/;

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
  const logFailure = (error: unknown) => logMistake(log, 'details page', error);

  async function answer(request: IncomingMessage): Promise<Response> {
    const { method = '' } = request;
    if (!METHODS.has(method)) return pageReply(405, null, { allow: 'GET, HEAD, POST' });
    if (!isOurHost(request, options.origins())) return notice('wrong_address', environment);
    const visit = await findVisit(request);
    if (visit === undefined) return notice(method === 'POST' ? 'details_not_kept' : 'no_details', environment);
    if (visit.kept.isClosed) return notice('details_closed', environment);
    return method === 'POST' ? replyToForm(options, request, visit) : pageReply(200, drawPage(options, visit, {}));
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
      return notice('failed', environment);
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

async function replyToForm(
  options: DetailsHandlerOptions,
  request: IncomingMessage,
  visit: DetailsVisit,
): Promise<Response> {
  if (!isFromOurPage(request, options.origins())) return refuseForm(403, visit, options);

  const body = await readForm(request, MOST_FORM_BYTES);
  if (!Buffer.isBuffer(body)) return refuseForm(body, visit, options);

  const fields = new URLSearchParams(body.toString('utf8'));
  if (!isToken(fields.get('token') ?? '', visit.token)) return refuseForm(403, visit, options);

  const typedCards = new Map(visit.kept.form.cards.map((_, place) => [place, typedCard(fields, place)]));
  return replyToCards(options, visit, typedCards).catch((error) => {
    logMistake(options.log, 'details page', error);
    // As on a full disk. Shows the form again as it was typed: nobody types a passport twice.
    const notStored = [...typedCards].filter(([place, typed]) => !visit.kept.cards.has(place) && !isBlank(typed));
    const refills = new Map(notStored.map(([place, typed]) => [place, { typed, mistakes: [] }]));
    return pageReply(503, drawPage(options, visit, { messages: [NOT_STORED], refills }));
  });
}

function refuseForm(
  status: keyof typeof REFUSED,
  visit: DetailsVisit,
  { environment }: Pick<DetailsHandlerOptions, 'environment'>,
): Response {
  return pageReply(status, stepPage(environment, REFUSED[status], visit.path, 'Open the form again'));
}

/**
 * Stores the cards that are right. Blank ones stay open. The reply, first match first:
 *
 * | what was sent             | the page                                |
 * | ------------------------- | --------------------------------------- |
 * | a card that is not stored | has this card again, with its mistakes  |
 * | nothing                   | says so                                 |
 * | the last card             | thanks                                  |
 * | a card with a note        | says the note                           |
 * | a card                    | comes by a redirect                     |
 */
async function replyToCards(
  options: DetailsHandlerOptions,
  visit: DetailsVisit,
  typedCards: TypedCards,
): Promise<Response> {
  const { kept, path } = visit;
  const stored = await storeCards(visit, typedCards, { details: await options.details(), now: options.now });
  if (stored === undefined) return notice('details_not_kept', options.environment);

  const { sealedCards, refills, notes } = stored;
  const visitNow = withCards(visit, sealedCards);
  const messages = notes.map(({ place, name }) => `Traveller ${place + 1}: ${CARD_NOTES[name]}`);
  if (refills.size > 0) {
    return pageReply(422, drawPage(options, visitNow, { refills, messages }));
  }

  const isNothingStored = sealedCards.size === kept.cards.size;
  if (isNothingStored && messages.length === 0 && !isComplete(kept)) {
    return pageReply(422, drawPage(options, visitNow, { messages: [NOTHING_TYPED] }));
  }

  // The call that waits may use the form at once, and then its address shows nothing any more: no redirect.
  if (isComplete(visitNow.kept) || messages.length > 0)
    return pageReply(200, drawPage(options, visitNow, { messages }));

  // Reloading the page sends no form again, and the browser forgets what was sent.
  return pageReply(303, null, { location: path });
}

/** The visit with the cards that are stored now. */
function withCards(visit: DetailsVisit, cards: KeptDetails['cards']): DetailsVisit {
  const isLost = visit.kept.isLost && cards.size === visit.kept.cards.size;
  return { ...visit, kept: { ...visit.kept, cards, isLost } };
}

/** The content of the page after a form was sent: messages, and the fields that it shows filled in again. */
interface FormRefill {
  readonly messages?: readonly string[];
  readonly refills?: ReadonlyMap<number, RefilledCard>;
}

/** The key of the forms' tokens. */
const formKey = memoizeByObject((secret: Uint8Array) => keyFor('fareclerk details page form', secret));

/** Binds the form to this address. The same for all instances, because a form of one may be sent to another. */
function formToken(secret: Uint8Array, idHash: string): string {
  return keyedDigest(formKey(secret), idHash);
}
