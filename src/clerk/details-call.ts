/**
 * A call whose travellers enter their details on a page (`details`): opens the page, waits until all is entered, and goes on with
 * what was entered, which no argument, approval or result holds. In order: the call, the ids of open pages, opening and finding a page,
 * waiting for it, going on with what was entered, showing a call that was sent before, giving the page to the client.
 */

import { actCall } from '../approvals/act-call.ts';
import { type Answer, type AskDetails, type Result, result } from '../approvals/answer.ts';
import { assertNotBusy } from '../approvals/busy-booking.ts';
import { type ActCall, type Asker, longestSilence, longestWait, unsentError } from '../approvals/consent-call.ts';
import { isAccept } from '../approvals/dialog-answer.ts';
import { digest, handleHash, keyedDigest } from '../approvals/digest.ts';
import { assertMaySend } from '../approvals/may-ask.ts';
import { waitAndPresent } from '../approvals/present-outcome.ts';
import { carriedBy, enteredMark } from '../approvals/request.ts';
import { cleanRef } from '../core/clean-text.ts';
import { ClerkError, inputError } from '../core/errors.ts';
import { localMinute, MINUTE_MS, utcText } from '../core/times.ts';
import { capitalized, counted, joined } from '../core/words.ts';
import { DETAILS_MS, type DetailsForm, isComplete, type KeptDetails } from '../details/details-form.ts';
import type { DetailsStore } from '../details/ports.ts';
import { hashId, newDetailsId } from '../details/seal.ts';
import { OPEN_STATES, type Operation } from '../journal/operation.ts';
import type { ActTool, Tool, ToolContext } from '../tools/definition/define.ts';
import { DETAILS_PAGE } from '../tools/definition/input-fields.ts';
import { loadPlaceNames } from '../tools/steps/resolve-stations.ts';
import { boundAct, type ClerkOptions, enteredContext, type Runtime } from './context.ts';

/** At most so many ids are remembered; the oldest is forgotten first, and its call then opens a new page. */
const MOST_IDS = 1_000;

/** Fields of a passenger by which the person knows who is meant. */
const NAMING_FIELDS = ['given_name', 'surname', 'with_adult', 'email', 'phone'];

const LOST = 'What was entered on the page was lost: it has to be entered again.';

/** Time between two readings of a page that is not complete, milliseconds. */
const POLL_MS = 250;

export interface DetailsCall {
  readonly tool: ActTool;
  /** With `details`, without `approval_id`. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
  readonly asker: Asker;
  readonly runtime: Runtime;
  readonly options: ClerkOptions;
}

/** What approvals need to ask about the act, once its details are entered. */
type DetailsQuestion = Omit<ActCall, 'trail'>;

/** The details page of a call. */
interface OpenDetails {
  readonly id: string;
  readonly kept: KeptDetails;
}

/**
 * Answers a call with `details`. The first that fits:
 * 1. No page is open: shows what an earlier call sent, or opens a page if the call asks for one.
 * 2. The page was used by a call: shows what became of that.
 * 3. Its cards are complete: goes on with them.
 * 4. It was opened before by the same call: shows it again.
 * 5. The client declined it: names it in the result.
 * 6. Waits for its cards, then again 2, 3, or names it in the result.
 * @param approvalId as the model gave it
 */
export async function detailsCall(call: DetailsCall, approvalId: unknown): Promise<Answer> {
  const id = detailsIdIn(call);
  const open = id === undefined ? await findReopened(call) : await findById(call, id);
  if (open === undefined) {
    const sent = await presentIfSent(call, approvalId);
    if (sent !== undefined) return sent;
    if (id !== undefined) throw idInvalid(call.tool);
    return openOnce(call);
  }

  const { kept } = open;
  if (kept.operationId !== undefined) return presentUsed(call, kept.operationId, kept.usedDigest);
  if (isComplete(kept)) return goOn(call, open, approvalId);
  if (id === undefined) return showPage(call, open, { isNew: false });
  if (hasDeclined(call.asker))
    return detailsRequired(call, open, { pageText: 'The page was not opened by this client.' });

  const waited = await waitForCards(call, open);
  // Another call with the same id was faster.
  if (waited.kept.operationId !== undefined) return presentUsed(call, waited.kept.operationId, waited.kept.usedDigest);
  if (isComplete(waited.kept)) return goOn(call, waited, approvalId);

  return detailsRequired(call, waited, { pageText: 'The page is waiting.' });
}

/** Finds the details id that the client or the model brings. Undefined for a call that asks for the page. */
function detailsIdIn({ args, asker }: DetailsCall): string | undefined {
  const id = asker.details?.id ?? String(args.details);
  return id.toLowerCase() === DETAILS_PAGE ? undefined : id;
}

/** Whether the client declined the address, closed it, or failed to show it. */
function hasDeclined({ details }: Asker): boolean {
  if (details === undefined || !('raw' in details)) return false;
  return !isAccept(details.raw);
}

/**
 * The ids of opened pages by {@link callKey} their call, in the memory of this process only: a model that asks for the page again finds
 * what was entered, and calls at the same time share one page.
 */
const openIds = new WeakMap<DetailsStore, Map<string, Promise<string>>>();

function idsIn({ runtime }: DetailsCall): Map<string, Promise<string>> {
  const { details } = runtime.state;
  const ids = openIds.get(details) ?? new Map<string, Promise<string>>();
  openIds.set(details, ids);
  return ids;
}

/** Returns the same key for calls of one caller with the same tool and arguments. */
function callKey(call: DetailsCall): string {
  const { tenant, id } = call.asker.caller;
  return JSON.stringify([tenant, id, call.tool.name, argsDigest(call)]);
}

const withoutDetails = ({ args: { details: _, ...args } }: DetailsCall) => args;

/** A digest of the arguments that repeat: the details id differs from call to call. */
function argsDigest(call: DetailsCall): string {
  return digest(call.runtime.state.digestKey, withoutDetails(call));
}

/** Opens a page, and shows it. */
async function openOnce(call: DetailsCall): Promise<Answer> {
  const ids = idsIn(call);
  const key = callKey(call);
  // Another call may have begun to open it since this one looked.
  const shared = ids.has(key) ? await findReopened(call) : undefined;
  if (shared !== undefined) return showPage(call, shared, { isNew: false });

  for (const oldest of ids.keys()) if (ids.size >= MOST_IDS) ids.delete(oldest);
  const opening = openPage(call);
  const id = opening.then((page) => page.id);
  ids.set(key, id);

  await id.catch((error) => {
    ids.delete(key);
    throw error;
  });

  return showPage(call, await opening, { isNew: true });
}

/** The call for checks that need no details. */
function callWithoutDetails(call: DetailsCall): ActCall {
  const { tool, context, asker, runtime, options } = call;
  const act = boundAct(tool, withoutDetails(call), context);
  return { act, asker, runtime, settings: options, trail: { isNew: true } };
}

/** Opens a new page, after every check that needs no details. @throws ClerkError */
async function openPage(call: DetailsCall): Promise<OpenDetails> {
  const { tool, context, runtime, options } = call;
  const { caller } = context;

  const id = newDetailsId();
  if ((await options.detailsPage?.address(id)) === undefined) throw noAddress(tool, options);

  const args = withoutDetails(call);
  const locator = typeof args.locator === 'string' ? args.locator : undefined;

  await assertMaySend(callWithoutDetails(call));
  await loadPlaceNames(context.airline);

  // Only a tool with `details` among its arguments is called with them, and it says what the page asks.
  const form = await (tool.detailsForm as NonNullable<ActTool['detailsForm']>)(call.args, context);
  await assertNotBusy(callWithoutDetails(call), locator);

  const now = runtime.clock.now();
  const opened = {
    idHash: hashId(id),
    tenant: caller.tenant,
    caller: caller.id,
    tool: tool.name,
    argsDigest: argsDigest(call),
    form: { ...form, ...sellerOf(form, context) },
    createdAt: now,
    expiresAt: now + DETAILS_MS,
    locator,
  };

  await runtime.state.details.open(opened);
  return { id, kept: { ...opened, cards: new Map(), isLost: false } };
}

/** Names airline and agency, for people who only got an address and know neither. */
function sellerOf({ segments }: DetailsForm, { settings }: ToolContext): Pick<DetailsForm, 'airline' | 'agency'> {
  const { carrier = settings.carrier } = segments[0]?.operating ?? segments[0]?.marketing ?? {};
  const airline = joined([carrier, settings.airlineHost]);
  return { airline: airline === '' ? undefined : airline, agency: settings.agency };
}

/** Finds the page that the same call opened before, unless it was used or its time is over. */
async function findReopened(call: DetailsCall): Promise<OpenDetails | undefined> {
  const { clock, state } = call.runtime;
  const ids = idsIn(call);
  const key = callKey(call);
  const opened = ids.get(key);
  const id = await opened;
  if (id === undefined) return undefined;

  const kept = await state.details.find(hashId(id), clock.now());
  if (kept !== undefined && kept.operationId === undefined && !kept.isClosed) return { id, kept };

  if (ids.get(key) === opened) ids.delete(key);
  return undefined;
}

/**
 * Finds the page of an id. Undefined for an id that is unknown, over, foreign, forged or of another tool: they get the same answer, so
 * that guessing teaches nothing.
 * @throws ClerkError if the other arguments differ: only who opened the page gets that far
 */
async function findById(call: DetailsCall, id: string): Promise<OpenDetails | undefined> {
  const { clock, state } = call.runtime;
  const { tenant, id: caller } = call.asker.caller;
  const kept = await state.details.find(hashId(id), clock.now());
  const fits = kept !== undefined && kept.tenant === tenant && kept.caller === caller && kept.tool === call.tool.name;
  if (!fits) return undefined;
  if (kept.isClosed) throw formClosed(call.tool);
  if (kept.argsDigest === argsDigest(call)) return { id, kept };

  throw inputError(
    'details',
    'the other arguments differ from those of the call that opened the page.',
    `Call ${call.tool.name} again with exactly the arguments of the first call and this id, or with details: "page" for a new page.`,
  );
}

function formClosed({ name }: Tool): ClerkError {
  return inputError(
    'details',
    'an upgrade of the server closed the page of this id, because the offer that it was opened for is gone.',
    `Call search_fares again, then ${name} with the new offer and details: "page". Nothing that was entered is kept: tell the person.`,
  );
}

function idInvalid({ name }: Tool): ClerkError {
  return inputError(
    'details',
    'this id does not fit this call, or its time is over.',
    `Call ${name} with details: "page" to open a new page. Never make an id up.`,
  );
}

function noAddress({ name }: Tool, { details }: ClerkOptions): ClerkError {
  const operator = 'the operator sets FARECLERK_PUBLIC_URL, the address of this server for people';
  return new ClerkError(
    'E_CONFIG',
    'This server has no address that travellers can reach. Nothing was asked or sent.',
    {
      next:
        details === 'page'
          ? `Tell the person that ${operator}.`
          : `Call ${name} without details and with names and documents in the arguments, or ${operator}.`,
    },
  );
}

/** Waits for the page as long as calls wait for people. Reports progress whenever one more traveller is complete. */
async function waitForCards(call: DetailsCall, { id }: OpenDetails): Promise<OpenDetails> {
  const { asker, runtime } = call;
  const until = runtime.clock.now() + longestWait({ settings: call.options });
  let cardsReported = -1;

  for (;;) {
    const open = await findById(call, id);
    if (open === undefined) throw idInvalid(call.tool);

    const { kept } = open;
    // Another call used the page meanwhile, and erased its cards.
    if (kept.operationId !== undefined) return open;

    const { size } = kept.cards;
    if (size > cardsReported) asker.progress?.(size, kept.form.cards.length, completeText(kept));
    cardsReported = size;
    if (isComplete(kept) || runtime.clock.now() >= until || asker.signal?.aborted === true) return open;

    await runtime.clock.sleep(POLL_MS, asker.signal);
  }
}

/** `2 of 3 travellers are complete`. */
function completeText({ cards, form }: KeptDetails): string {
  const all = form.cards.length;
  return `${cards.size} of ${counted(all, 'traveller')} ${cards.size === 1 || all === 1 ? 'is' : 'are'} complete`;
}

/**
 * Goes on as if the arguments had said what was entered: keeps the page open, asks or carries out, and erases the details once the
 * booking is made.
 */
async function goOn(call: DetailsCall, open: OpenDetails, approvalId: unknown): Promise<Answer> {
  const { tool, context, asker, runtime, options } = call;
  const { id, kept } = open;
  const { details, digestKey } = runtime.state;
  const key = callKey(call);

  // A call that settles or approves brings the id again, and nobody enters anything twice.
  await details.extend(kept.idHash, runtime.clock.now()).catch((error) => options.log.unrecorded?.({ error }));

  const withEntered = enteredContext(context, id, kept);
  const enteredDigest = keyedDigest(digestKey, JSON.stringify([id, withEntered.entered]));
  const act = boundAct(tool, boundArgs(call, enteredDigest), withEntered);
  const question = { act, asker, runtime, settings: options, detailsId: id };

  const unsettled = await findUnsettled(question, approvalId);
  const answering = unsettled === undefined ? actCall(question, approvalId) : presentOperation(question, unsettled);
  const answer = await answering.catch((error) => {
    // A call that asks for the page after that gets a new one, for other details. The id still leads to these.
    if (isRefused(error)) idsIn(call).delete(key);
    throw error;
  });

  if (answer.kind === 'ask' || answer.kind === 'ask_url') return { ...answer, detailsId: id };

  const operationId = succeededOperationId(answer);
  if (operationId === undefined) return answer;

  idsIn(call).delete(key);
  // The booking is made. If the details cannot be erased now, they are when their time is over.
  await details.use(kept.idHash, operationId, enteredDigest).catch((error) => options.log.unrecorded?.({ error }));

  return answer;
}

/**
 * Finds what was sent with these very details and is still open, because its answer was lost. Comes before the airline is asked again,
 * which may be silent, or may show that it was done.
 */
async function findUnsettled(
  { act, asker, runtime }: DetailsQuestion,
  approvalId: unknown,
): Promise<Operation | undefined> {
  // A call that brings an approval says by it which operation it means.
  if (typeof (asker.dialog?.handle ?? approvalId) === 'string') return undefined;
  const { operations, digestKey } = runtime.state;
  const { tenant, id: caller } = asker.caller;
  const same = { tenant, caller, tool: act.tool, argsDigest: digest(digestKey, act.args) };
  return (await operations.list({ ...same, states: OPEN_STATES })).at(0);
}

/** Whether nothing was sent, and the same call would be refused again. */
function isRefused(error: unknown): boolean {
  return error instanceof ClerkError && error.effect === 'none' && error.retry === 'never';
}

/** Writes the arguments that approvals are bound to: without the id, and without anything that was entered. */
function boundArgs(call: DetailsCall, enteredDigest: string): ActCall['act']['args'] {
  return { ...withoutDetails(call), details: enteredMark(enteredDigest) };
}

/** The operation id of a call that succeeded. */
function succeededOperationId(answer: Answer): string | undefined {
  if (answer.kind !== 'result' || answer.isError) return undefined;
  const { status } = answer.structured;
  const id = answer.meta?.operation_id;
  return (status === 'done' || status === 'already_done') && typeof id === 'string' ? id : undefined;
}

/**
 * For a form that is over or unknown: shows what became of a call that was sent with it, so that nobody is asked to enter anything
 * again while a booking may exist. Finds it by its approval, or because it is still open.
 */
async function presentIfSent(call: DetailsCall, approvalId: unknown): Promise<Result | undefined> {
  const { asker, runtime, tool } = call;
  const { operations } = runtime.state;
  const sender = { tenant: asker.caller.tenant, caller: asker.caller.id, tool: tool.name };
  const approved = await findApproved(call, approvalId);
  const unsettled = await operations.list({ ...sender, states: OPEN_STATES });

  for (const operation of approved === undefined ? unsettled : [approved, ...unsettled]) {
    const isOfSender =
      operation.tenant === sender.tenant && operation.caller === sender.caller && operation.tool === sender.tool;
    if (!isOfSender || operation.facts?.details !== 'page') continue;
    const hasSameArgs = await repeatsArgs(call, operation);
    if (hasSameArgs ?? operation === approved) return presentUsed(call, operation.id);
  }

  return undefined;
}

/** Finds the operation whose approval the client or the model brings. */
async function findApproved({ asker, runtime }: DetailsCall, approvalId: unknown): Promise<Operation | undefined> {
  const { approvals, operations } = runtime.state;
  const handle = asker.dialog?.handle ?? approvalId;
  if (typeof handle !== 'string') return undefined;
  const approval = await approvals.get(handleHash(handle));
  return approval && operations.get(approval.operationId);
}

/**
 * Whether the call has the arguments with which an operation was asked for. Undefined if they are erased, as they are once the caller
 * knows the outcome: then only the approval_id says which call it was.
 */
async function repeatsArgs(call: DetailsCall, { id }: Operation): Promise<boolean | undefined> {
  const { approvals, digestKey } = call.runtime.state;
  const approval = await approvals.byOperation(id);
  const carriedArgs = approval && carriedBy(approval)?.args;
  if (carriedArgs === undefined) return undefined;
  const { details: _, ...args } = carriedArgs;
  return digest(digestKey, args) === argsDigest(call);
}

/** Shows what became of a call that is repeated after its details were used, and erased. @param usedDigest of the used details */
async function presentUsed(call: DetailsCall, operationId: string, usedDigest = ''): Promise<Result> {
  const { tool, context, asker, runtime, options } = call;
  const operation = await runtime.state.operations.get(operationId);
  if (operation === undefined) throw idInvalid(tool);

  const act = boundAct(tool, boundArgs(call, usedDigest), context);
  return presentOperation(
    { act, asker, runtime, settings: options, detailsId: detailsIdIn(call) ?? DETAILS_PAGE },
    operation,
  );
}

/** Shows how an operation ended, or waits until that is known. */
async function presentOperation(question: DetailsQuestion, operation: Operation): Promise<Result> {
  const approval = await question.runtime.state.approvals.byOperation(operation.id);
  const used = { ...question, trail: { operationId: operation.id } };
  return waitAndPresent(used, approval, operation).catch(async (error) => {
    throw await unsentError(used, error);
  });
}

/**
 * Gives the page to the client, which opens it for its user; else names it in the result, and opens it in a browser here if there is
 * one. A client whose person did not answer for as long as calls wait for dialogs may have shown nothing: the same call again gets the address.
 */
async function showPage(call: DetailsCall, open: OpenDetails, { isNew }: { isNew: boolean }): Promise<Answer> {
  const { asker, runtime, options } = call;
  const url = await options.detailsPage?.address(open.id);
  const opensUrls = asker.canOpenUrls === true && url !== undefined;
  const isSilent = opensUrls && runtime.clock.now() - open.kept.createdAt >= longestSilence({ settings: options });
  if (opensUrls && !isSilent) return askDetails(call, open, url);

  const hasOpened = (isNew || isSilent) && (await options.detailsPage?.open?.(open.id)) === true;
  return detailsRequired(call, open, {
    pageText: hasOpened ? 'The page has opened in a browser on this machine too.' : undefined,
  });
}

function askDetails({ runtime }: DetailsCall, { id, kept }: OpenDetails, url: string): AskDetails {
  const { clock, state } = runtime;
  return {
    kind: 'ask_details',
    url,
    detailsId: id,
    message: [
      'Please open this page and enter the travellers there: names, birth dates and travel documents. They go to the airline, and the assistant does not see them.',
      ...kept.form.trip,
    ].join('\n'),
    async completed(isOver) {
      while (!isOver()) {
        const now = await state.details.find(kept.idHash, clock.now());
        if (now === undefined || isComplete(now) || now.operationId !== undefined) return;
        await clock.sleep(POLL_MS);
      }
    },
  };
}

/** The result of a call whose page is not complete: says where it is, until when, and how to go on. */
async function detailsRequired(
  call: DetailsCall,
  { id, kept }: OpenDetails,
  { pageText }: { pageText?: string | undefined },
): Promise<Result> {
  const { tool, runtime, options } = call;
  const { form, expiresAt } = kept;
  const url = await options.detailsPage?.address(id);
  const minutesLeft = Math.max(1, Math.floor((expiresAt - runtime.clock.now()) / MINUTE_MS));

  const summary = ['DETAILS REQUIRED. Nothing was sent.', kept.isLost && LOST, `${completeText(kept)}.`, pageText];
  const where = url === undefined ? 'The page is open elsewhere' : `Give the person this address: ${url}`;
  const head = {
    summary: joined(summary, ' '),
    next: `${where}. Names, birth dates and documents are entered there: never ask for them here.${whoText(call, form)} Then call ${tool.name} with the same arguments and details: "${id}". The page closes in ${minutesLeft} min.`,
  };

  const details = {
    id,
    url,
    expires_at: localMinute(utcText(expiresAt), form.segments[0]?.departs),
    travellers: form.cards.length,
    complete: kept.cards.size,
  };

  return result({ settings: options }, 'details_required', { head, fields: { details } });
}

/** Says which traveller fills in which card, unless that is obvious: cards name nobody. */
function whoText({ args }: DetailsCall, { cards }: DetailsForm): string {
  const { changes, passengers } = args as {
    readonly changes?: readonly { readonly passenger_ref: string }[];
    readonly passengers?: readonly object[];
  };

  if (cards.length < 2) return '';
  if (passengers?.some((passenger) => NAMING_FIELDS.some((field) => field in passenger)))
    return ' Travellers are in the order of passengers.';
  if (changes === undefined) return '';

  const isPlain = changes.every(({ passenger_ref: ref }, n) => ref === String(n + 1));
  const pairs = changes.map(({ passenger_ref: ref }, n) => `traveller ${n + 1} is passenger ${cleanRef(ref)}`);
  return isPlain ? ' Traveller 1 is passenger 1, and so on.' : ` ${capitalized(pairs.join(', '))}.`;
}
