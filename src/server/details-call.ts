/**
 * A call whose travellers enter their details on a page (`details`): opens the page, waits until all is entered, and goes on with
 * what was entered, which no argument, approval or result holds.
 */
import { actCall } from '../approvals/act-call.ts';
import type { Answer, AskDetails, Result } from '../approvals/answer.ts';
import { type ActCall, type Asker, longestSilence, longestWait, unsentError } from '../approvals/consent-call.ts';
import { digest, handleHash, keyedDigest } from '../approvals/digest.ts';
import { assertMaySend, assertNotBusy } from '../approvals/limits.ts';
import { result, waitAndPresent } from '../approvals/present.ts';
import { carriedBy, enteredMark } from '../approvals/request.ts';
import { cleanRef } from '../core/clean-text.ts';
import { ClerkError, inputError } from '../core/errors.ts';
import { localMinute, MINUTE_MS, utcText } from '../core/times.ts';
import { capitalized, counted } from '../core/words.ts';
import { DETAILS_MS, type DetailsForm, type DetailsStore, isComplete, type KeptDetails } from '../details/ports.ts';
import { hashId, newDetailsId } from '../details/seal.ts';
import { OPEN_STATES, type Operation } from '../journal/operation.ts';
import { forCaller } from '../ledger/call-counter.ts';
import type { ActTool, Tool, ToolContext } from '../tools/definition/define.ts';
import { DETAILS_PAGE } from '../tools/definition/input-fields.ts';
import { namesOfPlaces } from '../tools/steps/resolve-stations.ts';
import { boundAct, type CallContext, type ClerkOptions, enteredContext, type Runtime } from './context.ts';
import { jsonOr } from './parse-arguments.ts';
import { PAGE_FIELDS } from './schemas.ts';

/** Time between two readings of a page that is not complete. */
const POLL_MS = 250;

/** The same, where no call waits for it. */
const SLOW_POLL_MS = 2_000;

interface DetailsCall {
  readonly tool: ActTool;
  /** With `details`, without `approval_id`. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: CallContext;
  readonly asker: Asker;
  readonly runtime: Runtime;
  readonly options: ClerkOptions;
}

/** What approvals are bound to. */
type DetailsQuestion = Omit<ActCall, 'trail'>;

/** A page that fits the call. */
interface OpenDetails {
  readonly id: string;
  readonly kept: KeptDetails;
}

/** @param approvalId as the model gave it */
export async function detailsCall(call: DetailsCall, approvalId: unknown): Promise<Answer> {
  const id = idOf(call);
  const open = id === undefined ? await reopened(call) : await findFitting(call, id);
  if (open === undefined) {
    const sent = await presentSent(call, approvalId);
    if (sent !== undefined) return sent;
    if (id !== undefined) throw idInvalid(call.tool);
    return openOnce(call);
  }
  if (open.kept.operationId !== undefined) return presentUsed(call, open.kept.operationId, open.kept.usedDigest);
  if (isComplete(open.kept)) return goOn(call, open, approvalId);
  if (id === undefined) return showPage(call, open, { isNew: false });
  if (isTurnedDown(call.asker)) return detailsRequired(call, open, { said: 'The page was not opened by this client.' });
  const now = await waitForCards(call, open);
  // Another call with the same id was faster.
  if (now.kept.operationId !== undefined) return presentUsed(call, now.kept.operationId, now.kept.usedDigest);
  return isComplete(now.kept)
    ? goOn(call, now, approvalId)
    : detailsRequired(call, now, { said: 'The page is waiting.' });
}

/** Undefined for a call that asks for the page. */
function idOf({ args, asker }: DetailsCall): string | undefined {
  const given = asker.details?.id ?? String(args.details);
  return given.toLowerCase() === DETAILS_PAGE ? undefined : given;
}

/** The client declined the address, closed it, or failed to show it. */
function isTurnedDown({ details }: Asker): boolean {
  if (details === undefined || !('raw' in details)) return false;
  const { raw } = details;
  return typeof raw !== 'object' || raw === null || (raw as { action?: unknown }).action !== 'accept';
}

const withoutDetails = ({ args: { details: _, ...args } }: DetailsCall) => args;

/** Of the arguments that repeat: the id differs from call to call. */
function argsDigest(call: DetailsCall): string {
  return digest(call.runtime.state.digestKey, withoutDetails(call));
}

/** Pages that are being opened by calls of this process, by what {@link keyOf} says of the call. */
const opening = new WeakMap<DetailsStore, Map<string, Promise<OpenDetails>>>();

/** Opens a page, and shows it. Calls with the same arguments at once open one. */
async function openOnce(call: DetailsCall): Promise<Answer> {
  const { details } = call.runtime.state;
  const pages = opening.get(details) ?? new Map<string, Promise<OpenDetails>>();
  opening.set(details, pages);
  const key = keyOf(call);
  const begun = pages.get(key);
  if (begun !== undefined) return showPage(call, await begun, { isNew: false });
  // Another call may have opened it since this one looked.
  const page = reopened(call).then((open) => open ?? openPage(call));
  pages.set(key, page);
  try {
    return await showPage(call, await page, { isNew: true });
  } finally {
    pages.delete(key);
  }
}

/** As approvals use it, before anything is entered. */
function unentered(call: DetailsCall): ActCall {
  const { tool, context, asker, runtime, options } = call;
  const act = boundAct(tool, withoutDetails(call), context);
  return { act, asker, runtime, settings: options, trail: { isNew: true } };
}

/** Makes every check that needs no details first. @throws ClerkError */
async function openPage(call: DetailsCall): Promise<OpenDetails> {
  const { tool, context, runtime, options } = call;
  const { caller } = context;
  const id = newDetailsId();
  if ((await options.detailsPage?.address(id)) === undefined) throw noAddress(tool, options);
  const args = withoutDetails(call);
  const locator = typeof args.locator === 'string' ? args.locator : undefined;
  await assertMaySend(unentered(call));
  await namesOfPlaces(context.airline);
  // Only a tool with `details` among its arguments is called with them, and it says what the page asks.
  const form = await forCaller(caller, tool.detailsForm as NonNullable<ActTool['detailsForm']>, call.args, context);
  await assertNotBusy(unentered(call), locator);
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
  const ids = idsIn(runtime.state.details);
  for (const [key, { expiresAt }] of ids) if (expiresAt <= now) ids.delete(key);
  // Its last card may move its end once more.
  ids.set(keyOf(call), { id, expiresAt: opened.expiresAt + DETAILS_MS });
  return { id, kept: { ...opened, cards: new Map() } };
}

/** Who sells, for people who were sent an address and know neither airline nor agency. */
function sellerOf({ segments }: DetailsForm, { settings }: ToolContext): Pick<DetailsForm, 'airline' | 'agency'> {
  const { carrier = settings.carrier } = segments[0]?.operating ?? segments[0]?.marketing ?? {};
  const airline = [carrier, settings.airlineHost].filter(Boolean).join(', ');
  return { airline: airline === '' ? undefined : airline, agency: settings.agency };
}

/** Ids that are open, in the memory of this process alone: a model that asks for the page again finds what is entered. */
const openIds = new WeakMap<DetailsStore, Map<string, { readonly id: string; readonly expiresAt: number }>>();

/** More than that many people enter details at once nowhere; the oldest is opened anew where it is asked for again. */
const MOST_IDS = 1_000;

function idsIn(store: DetailsStore) {
  const ids = openIds.get(store) ?? new Map<string, { readonly id: string; readonly expiresAt: number }>();
  openIds.set(store, ids);
  for (const key of ids.keys()) if (ids.size >= MOST_IDS) ids.delete(key);
  return ids;
}

function keyOf(call: DetailsCall): string {
  const { tenant, id } = call.asker.caller;
  return JSON.stringify([tenant, id, call.tool.name, argsDigest(call)]);
}

/** The page of the same call, unless it was used or its time is over. */
async function reopened(call: DetailsCall): Promise<OpenDetails | undefined> {
  const { clock, state } = call.runtime;
  const known = idsIn(state.details).get(keyOf(call));
  const kept = known && (await state.details.find(hashId(known.id), clock.now()));
  return known === undefined || kept === undefined || kept.operationId !== undefined
    ? undefined
    : { id: known.id, kept };
}

/**
 * Finds the page of an id. Unknown, over, foreign, forged, of another tool: all are undefined, and get the same answer, so that
 * guessing teaches nothing. Other arguments are said: only who opened the page gets that far.
 */
async function findFitting(call: DetailsCall, id: string): Promise<OpenDetails | undefined> {
  const { clock, state } = call.runtime;
  const { tenant, id: caller } = call.asker.caller;
  const kept = await state.details.find(hashId(id), clock.now());
  const fits = kept !== undefined && kept.tenant === tenant && kept.caller === caller && kept.tool === call.tool.name;
  if (!fits) return undefined;
  if (kept.argsDigest === argsDigest(call)) return { id, kept };
  throw inputError(
    'details',
    'the other arguments differ from those of the call that opened the page.',
    `Call ${call.tool.name} again with exactly the arguments of the first call and this id, or with details: "page" for a new page.`,
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

/** Waits for the page as long as calls wait for people. Says how many travellers are complete whenever it is one more. */
async function waitForCards(call: DetailsCall, { id }: OpenDetails): Promise<OpenDetails> {
  const { asker, runtime } = call;
  const until = runtime.clock.now() + longestWait({ settings: call.options });
  let told = -1;
  for (;;) {
    const now = await findFitting(call, id);
    if (now === undefined) throw idInvalid(call.tool);
    const { cards, form } = now.kept;
    // Used meanwhile: its cards are erased.
    if (now.kept.operationId !== undefined) return now;
    if (cards.size > told) asker.progress?.(cards.size, form.cards.length, completeText(now.kept));
    told = cards.size;
    if (isComplete(now.kept) || runtime.clock.now() >= until || asker.signal?.aborted === true) return now;
    await runtime.clock.sleep(POLL_MS, asker.signal);
  }
}

/** `2 of 3 travellers are complete`. */
function completeText({ cards, form }: KeptDetails): string {
  const all = form.cards.length;
  return `${cards.size} of ${counted(all, 'traveller')} ${cards.size === 1 || all === 1 ? 'is' : 'are'} complete`;
}

/**
 * Goes on as if the arguments had said what was entered. The form is open for half an hour more each time: whoever settles or
 * approves this call brings the id again, and nobody enters anything twice.
 */
async function goOn(call: DetailsCall, { id, kept }: OpenDetails, approvalId: unknown): Promise<Answer> {
  const { tool, context, asker, runtime, options } = call;
  const { details, digestKey } = runtime.state;
  const now = runtime.clock.now();
  await details.extend(kept.idHash, now).catch((error) => options.log.unrecorded?.({ error }));
  const key = keyOf(call);
  if (idsIn(details).get(key)?.id === id) idsIn(details).set(key, { id, expiresAt: now + DETAILS_MS });
  const withEntered = enteredContext(context, id, kept);
  const enteredDigest = keyedDigest(digestKey, JSON.stringify([id, withEntered.entered]));
  const act = boundAct(tool, boundArgs(call, enteredDigest), withEntered);
  const question = { act, asker, runtime, settings: options, detailsId: id };
  const sent = typeof (asker.dialog?.handle ?? approvalId) === 'string' ? undefined : await findOpen(question);
  const carried = sent === undefined ? actCall(question, approvalId) : presentFor(question, sent);
  const answer = await carried.catch((error) => {
    // Whoever asks for the page after that enters something else. The id still brings what was entered.
    if (isRefused(error)) idsIn(details).delete(key);
    throw error;
  });
  if (answer.kind === 'ask' || answer.kind === 'ask_url') return { ...answer, detailsId: id };
  const operationId = doneBy(answer);
  if (operationId === undefined) return answer;
  idsIn(details).delete(key);
  // The booking is made: what was entered is erased when its time is over, if not now.
  await details.use(kept.idHash, operationId, enteredDigest).catch((error) => options.log.unrecorded?.({ error }));
  return answer;
}

/**
 * What was sent with these very details, and is open: its answer was lost. Looked for before the airline is asked again, which may be
 * silent, or may show that it was done.
 */
async function findOpen({ act, asker, runtime }: DetailsQuestion): Promise<Operation | undefined> {
  const { operations, digestKey } = runtime.state;
  const { tenant, id: caller } = asker.caller;
  const same = { tenant, caller, tool: act.tool, argsDigest: digest(digestKey, act.args) };
  return (await operations.list({ ...same, states: OPEN_STATES })).at(0);
}

/** Not sent, and the same call would be refused again. */
function isRefused(error: unknown): boolean {
  return error instanceof ClerkError && error.effect === 'none' && error.retry === 'never';
}

/** What approvals are bound to and carry: neither the id nor anything that was entered. */
function boundArgs(call: DetailsCall, enteredDigest: string): ActCall['act']['args'] {
  return { ...withoutDetails(call), details: enteredMark(enteredDigest) };
}

/** The operation of a call that is over and succeeded. */
function doneBy(answer: Answer): string | undefined {
  if (answer.kind !== 'result' || answer.isError) return undefined;
  const { status } = answer.structured;
  const id = answer.meta?.operation_id;
  return (status === 'done' || status === 'already_done') && typeof id === 'string' ? id : undefined;
}

/**
 * The form is over or unknown: shows what became of a call that was sent with it, by its approval or because it is open, so that
 * nobody is asked to enter anything again while a booking may exist.
 */
async function presentSent(call: DetailsCall, approvalId: unknown): Promise<Result | undefined> {
  const { asker, runtime, tool } = call;
  const { approvals, operations, digestKey } = runtime.state;
  const by = { tenant: asker.caller.tenant, caller: asker.caller.id, tool: tool.name };
  const handle = asker.dialog?.handle ?? approvalId;
  const given = typeof handle === 'string' ? await approvals.get(handleHash(handle)) : undefined;
  const named = given && (await operations.get(given.operationId));
  const open = await operations.list({ ...by, states: OPEN_STATES });
  for (const operation of named === undefined ? open : [named, ...open]) {
    const { id, tenant, caller, tool: of, facts } = operation;
    const isOwn = tenant === by.tenant && caller === by.caller && of === by.tool && facts?.details === 'page';
    if (!isOwn) continue;
    const approval = await approvals.byOperation(id);
    // What it carried is erased once its caller knows the outcome. Then the approval_id alone says which call it was.
    const carried = approval && carriedBy(approval)?.args;
    const { details: _, ...args } = carried ?? {};
    const isSame = carried === undefined ? operation === named : digest(digestKey, args) === argsDigest(call);
    if (isSame) return presentUsed(call, id);
  }
  return undefined;
}

/** A repeat, after what was entered was erased: shows what became of it. */
async function presentUsed(call: DetailsCall, operationId: string, usedDigest = ''): Promise<Result> {
  const { tool, context, asker, runtime, options } = call;
  const operation = await runtime.state.operations.get(operationId);
  if (operation === undefined) throw idInvalid(tool);
  const act = boundAct(tool, boundArgs(call, usedDigest), context);
  return presentFor({ act, asker, runtime, settings: options, detailsId: idOf(call) ?? DETAILS_PAGE }, operation);
}

async function presentFor(question: DetailsQuestion, operation: Operation): Promise<Result> {
  const approval = await question.runtime.state.approvals.byOperation(operation.id);
  const used = { ...question, trail: { operationId: operation.id } };
  return waitAndPresent(used, approval, operation).catch(async (error) => {
    throw await unsentError(used, error);
  });
}

/**
 * To the client, which opens it for its user; else in the result, and in a browser here if there is one. A client whose person did
 * not answer for as long as calls wait for dialogs may show nothing: the same call again gets the address.
 */
async function showPage(call: DetailsCall, open: OpenDetails, { isNew }: { isNew: boolean }): Promise<Answer> {
  const { asker, runtime, options } = call;
  const url = await options.detailsPage?.address(open.id);
  const opensUrls = asker.canOpenUrls === true && url !== undefined;
  const isSilent = opensUrls && runtime.clock.now() - open.kept.createdAt >= longestSilence({ settings: options });
  if (opensUrls && !isSilent) return askDetails(call, open, url);
  const opened = (isNew || isSilent) && (await options.detailsPage?.open?.(open.id)) === true;
  return detailsRequired(call, open, {
    said: opened ? 'The page has opened in a browser on this machine too.' : undefined,
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
    async completed(isOver, isWaitedFor = () => true) {
      while (!isOver()) {
        const now = await state.details.find(kept.idHash, clock.now());
        if (now === undefined || isComplete(now) || now.operationId !== undefined) return now !== undefined;
        await clock.sleep(isWaitedFor() ? POLL_MS : SLOW_POLL_MS);
      }
      return false;
    },
  };
}

/** Nothing was sent: says where the page is, until when, and how to go on. */
async function detailsRequired(
  call: DetailsCall,
  { id, kept }: OpenDetails,
  { said }: { said?: string | undefined },
): Promise<Result> {
  const { tool, runtime, options } = call;
  const { form, expiresAt } = kept;
  const url = await options.detailsPage?.address(id);
  const left = Math.max(1, Math.floor((expiresAt - runtime.clock.now()) / MINUTE_MS));
  const head = {
    summary: ['DETAILS REQUIRED. Nothing was sent.', `${completeText(kept)}.`, said].filter(Boolean).join(' '),
    next: `${url === undefined ? 'The page is open elsewhere' : `Give the person this address: ${url}`}. Names, birth dates and documents are entered there: never ask for them here.${whoText(call, form)}${listText(form)} Then call ${tool.name} with the same arguments and details: "${id}". The page closes in ${left} min.`,
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

/** Who fills in which card, where it is not plain: cards name nobody. */
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

/** From so many travellers on a list is less work than the cards. */
const LISTED = 5;

function listText({ cards }: DetailsForm): string {
  const canBeListed = cards.filter(({ asks }) => asks === 'new' || asks === 'unnamed').length >= LISTED;
  return canBeListed ? ' A list of them (spreadsheet, CSV) can be pasted there.' : '';
}

/** Fields of a passenger by which the person knows who is meant. */
const NAMING_FIELDS = ['given_name', 'surname', 'with_adult', 'email', 'phone'];

/** Whether the arguments ask for the page, or come back from it. Not parsed yet: JSON text counts too. */
export function hasDetails(raw: unknown): boolean {
  const args = typeof raw === 'string' ? jsonOr(raw) : raw;
  return typeof args === 'object' && args !== null && ((args as { details?: unknown }).details ?? null) !== null;
}

/**
 * Refuses documents, birth dates and genders in the arguments of any tool, before anything parses, keeps or logs them.
 * @throws ClerkError
 */
export function refuseDetails(tool: Tool, raw: unknown): void {
  const field = findField(raw, '');
  if (field !== undefined) throw onPageOnly(tool, field, 'and was not read');
  const needsPage = 'inputAlone' in tool && tool.inputAlone !== undefined && !hasDetails(raw);
  const args = typeof raw === 'string' ? jsonOr(raw) : raw;
  if (needsPage && typeof args === 'object' && args !== null && 'passengers' in args)
    throw onPageOnly(tool, 'passengers', 'so that this needs details: "page" too');
}

function onPageOnly({ name }: Tool, field: string, what: string): ClerkError {
  const problem = `travellers enter their details on a page here, ${what}.`;
  const steps = name === 'propose_plan' ? 'change passengers in a call of their own' : `call ${name} again`;
  return inputError(field, problem, `Leave out ${PAGE_FIELDS.join(', ')}, and ${steps} with details: "page".`);
}

/** Where such a field is; JSON text is looked into. */
function findField(value: unknown, path: string): string | undefined {
  const read = typeof value === 'string' ? jsonOr(value) : value;
  if (typeof read !== 'object' || read === null) return undefined;
  for (const [key, inner] of Object.entries(read)) {
    const name = /^[a-z_]{1,30}$/.test(key) ? key : '?';
    const at = Array.isArray(read) ? `${path}[${key}]` : [path, name].filter(Boolean).join('.');
    if (!Array.isArray(read) && PAGE_FIELDS.includes(key) && inner !== null) return at;
    const found = findField(inner, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
