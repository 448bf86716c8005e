/**
 * Puts a question to a person through its channel: the host's dialog, the page or its twin in a terminal, or (by
 * setting, or in the sandbox as the last resort) the model's word. If nobody can be asked, nothing happens.
 *
 * A result that waits for the answer has a `way`: where the person finds the question now.
 */

import { ClerkError } from '../core/errors.ts';
import { type Money, showMoney } from '../core/money.ts';
import { localMinute, MINUTE_MS, utcText } from '../core/times.ts';
import { capitalized } from '../core/words.ts';
import { type Answer, type Ask, type AskOnPage, nameOnly, type Result, result, sameCall } from './answer.ts';
import { type Approval, type AskedBy, isPlanQuestion, type OtherQuestion } from './approval.ts';
import { actSentence } from './asked-act.ts';
import type { PageOpener, Question } from './consent-call.ts';
import {
  areDialogsUnseen,
  formSchema,
  hasDialogEnded,
  isSilent,
  noteShownAgain,
  watchSilence,
} from './dialog-answer.ts';
import { isAbove } from './money-limits.ts';
import type { OpenQuestion } from './ports.ts';
import { documentLines, type QuestionDocument, questionDocument, termsLines } from './question-document.ts';
import { moneyAtStake, questionHandle } from './request.ts';
import { changesTold, type MoneyAtStake, type Terms, type TermsSection } from './terms.ts';

/**
 * Asks a new question in its channel. Returns what the client shows, or a result that says where to answer.
 * @param unseen whether nobody sees this client's dialogs
 */
export async function ask(
  call: Question,
  approval: Approval,
  { unseen = false }: { readonly unseen?: boolean } = {},
): Promise<Answer> {
  switch (approval.askedBy) {
    case 'elicit':
      watchSilence(call, approval);
      return dialogQuestion(call, approval);
    case 'echo':
      return approvalRequired(call, approval, { way: 'echo', others: approval.others });
    case 'page':
      return showPage(call, approval, unseen);
  }
}

function dialogQuestion(call: Question, approval: Approval): Ask {
  const message = documentLines(approval, call.settings).join('\n');
  return { kind: 'ask', message, form: formSchema(actSentence(approval.act)), ...shownNow(call, approval) };
}

/** The handle of the question, and when it is shown. */
function shownNow(call: Question, approval: Approval): Pick<Ask, 'handle' | 'askedAt'> {
  return { handle: questionHandle(call, approval), askedAt: call.runtime.clock.now() };
}

/**
 * Names the questions that were replaced, and the bookings of a plan about which nothing is asked now.
 * @param askedAbout the bookings of the new question
 */
export function replacedNotice(
  replaced: readonly OpenQuestion[] | undefined,
  askedAbout: readonly (string | undefined)[],
): readonly OtherQuestion[] {
  return (replaced ?? []).map(({ question: { act, operationId }, locators }) => {
    const left = locators.filter((locator) => !askedAbout.includes(locator));
    const unasked = left.length === 0 ? '' : ` What that one asked about ${left.join(', ')} is no longer asked.`;
    const before = 'This question replaces an earlier one';
    const after = `, so approving that one does nothing.${unasked}`;
    return { before, about: String(actSentence(act)), operationId, after };
  });
}

/** Gives a client that opens pages the address. For any other, opens the page on this machine if it can. */
async function showPage(call: Question, approval: Approval, unseen: boolean): Promise<Answer> {
  // A client that shows its dialogs to nobody is not trusted to show a page either.
  const isForClient = call.asker.canOpenUrls === true && !unseen;
  const shown = await call.settings.page?.open(approval, isForClient ? 'opens_itself' : 'opens_none');
  if (shown?.url !== undefined && isForClient) {
    watchSilence(call, approval);
    return urlQuestion(call, approval, shown.url);
  }

  const why = unseen ? 'Two dialogs of this client in a row were not shown to a person.' : undefined;
  return approvalRequired(call, approval, { ...answerPlace(shown), why, others: approval.others });
}

function urlQuestion(call: Question, approval: Approval, url: string): AskOnPage {
  const message = ['Please decide on the page. The terms:', ...documentLines(approval, call.settings)].join('\n');
  return { kind: 'ask_url', message, url, ...shownNow(call, approval) };
}

/**
 * Gives the client the address of the page again, which no result may contain: the model would see it. Undefined if
 * somebody has visited the page, the client opens no pages, or a browser opens here after the client's silence.
 */
export async function giveAddressAgain(call: Question, approval: Approval): Promise<AskOnPage | undefined> {
  const { page } = call.settings;
  const isOpenInClient = approval.askedBy === 'page' && !hasDialogEnded(call, approval);
  if (page === undefined || call.asker.canOpenUrls !== true || !isOpenInClient) return undefined;
  if ((isSilent(call, approval) && page.canOpen()) || areDialogsUnseen(call)) return undefined;
  const { url } = await page.open(approval, 'opens_itself');
  return url === undefined ? undefined : urlQuestion(call, approval, url);
}

/**
 * Where a person answers a question that the page shows.
 *
 * | the page                              | way        |
 * | ------------------------------------- | ---------- |
 * | has a public address                  | `link`     |
 * | is open in a browser of this machine  | `page`     |
 * | could not be opened, or there is none | `terminal` |
 */
export function answerPlace(shown: Awaited<ReturnType<PageOpener['open']>> | undefined): AnswerPlace {
  if (shown?.publicUrl !== undefined) return { way: 'link', url: shown.publicUrl };
  return shown?.opened ? { way: 'page', computer: shown.computer } : { way: 'terminal' };
}

/** Shows the dialog again. */
export function showDialogAgain(call: Question, approval: Approval): Ask {
  noteShownAgain(call, approval);
  return dialogQuestion(call, approval);
}

/** Asks on the page at once, because no person saw the dialog. Without a page, only the dialog can be shown again. */
export async function askAfterUnseenDialog(call: Question, approval: Approval, why: string): Promise<Result> {
  if (!hasPage(call)) return approvalRequired(call, approval, { way: 'again', why });
  // `failed_to_show`: a page of this machine opens at once, even if the client was to open it before.
  const shown = await call.settings.page?.open(approval, 'failed_to_show');
  return approvalRequired(call, approval, { ...answerPlace(shown), why });
}

/**
 * Says where a person can still answer, after a dialog that gave no answer or may no longer give one. Opens nothing.
 * @param otherwise what to say if there is no page and no terminal
 */
export async function sayWhereToAnswer(
  call: Question,
  approval: Approval,
  otherwise: 'again' | 'nowhere',
): Promise<Result> {
  const { page, canUseTerminal } = call.settings;
  // `page.open` would open a local page, so it is not called on this machine.
  if (canUseTerminal) return approvalRequired(call, approval, { way: 'closed' });
  if (page === undefined) return approvalRequired(call, approval, { way: otherwise });
  const { publicUrl: url } = await page.open(approval, 'opens_none');
  return approvalRequired(call, approval, { way: 'closed', url });
}

// In words: where a person can answer.

/** A question that waits for its answer, for the view in the conversation. */
export interface AskedQuestion extends Omit<QuestionDocument, 'more' | 'sections'> {
  /** The act, too: the card shows its sentence word for word. */
  readonly sections: readonly Pick<TermsSection, 'kind' | 'lines'>[];
  readonly way: Way;
  readonly command?: string | undefined;
}

/** Where a person can answer, and what the next call does. */
type Way =
  /** On the page, which is open in a browser of this machine. */
  | 'page'
  /** On the page, at a public address. */
  | 'link'
  /** With a command in a terminal of this machine. */
  | 'terminal'
  /** In the conversation: the model's word is enough. */
  | 'echo'
  /** The dialog gave no answer. The next call asks on the page. */
  | 'closed'
  /** Nowhere: a call without approval_id asks anew. */
  | 'nowhere'
  /** There is no page and no terminal. The next call shows the dialog again. */
  | 'again'
  /** Only in a dialog that another client shows. */
  | 'dialog';

export interface AnswerPlace {
  readonly way: Way;
  readonly url?: string | undefined;
  /** Name of the computer on which the page is open. */
  readonly computer?: string;
  /** The call waited, and nobody decided. */
  readonly hasWaited?: true;
  /** Why the question is asked there and not in the dialog. */
  readonly why?: string;
  /** The question is new, and says which others it replaced and which are open beside it. */
  readonly others?: readonly OtherQuestion[] | undefined;
}

interface Directions extends Pick<AnswerPlace, 'url' | 'computer' | 'hasWaited'> {
  readonly tool: string;
  /** For a terminal on the machine of the server: it asks what a page without a public address asks. */
  readonly command: string;
}

/** What to do now. `again`: how to repeat the call once the question is answered. */
const HOW_TO_GO_ON: Record<Way, (again: string, directions: Directions) => string> = {
  link: (again, { url }) =>
    `Only a person can approve. The person must open ${url}, sign in and decide. Tell them, then ${again}.`,
  page: (again, { hasWaited, computer, command }) =>
    `A page ${hasWaited ? 'is open' : 'has opened'} for the person to decide on${browserOn(computer)}, and only a person can approve. If they see none, they run ${command} in a terminal there. Then ${again}.`,
  terminal: (again, { command }) =>
    `Only a person can approve. They must run ${command} in a terminal on this machine. Tell them, then ${again}.`,
  echo: (again) =>
    `No person is asked here. Show these terms to the person word for word. Only if they agree, ${again}.`,
  closed: (again, { command, url }) =>
    `If the person still wants it, ${again}, and a page will ask. Or they ${url === undefined ? `run ${command} in a terminal on this machine` : `open ${url}, sign in and decide`}.`,
  again: (again) =>
    `No page and no terminal can ask. ${capitalized(again)} to show the dialog again, or tell the person to use a client with dialogs.`,
  dialog: (again) =>
    `A dialog with this question is open elsewhere, and the person must answer it there. Tell them, then ${again}.`,
  nowhere: (_again, { tool }) =>
    `If the person still wants it, call ${tool} again without approval_id, which asks again.`,
};

/** Ways for which the view shows the command too: a browser that reports an open page may never show it. */
const WAYS_WITH_COMMAND: ReadonlySet<Way> = new Set(['terminal', 'page', 'closed']);

/** Names the computer: the person may sit at another one than the one where the server runs. */
function browserOn(computer: string | undefined): string {
  return computer === undefined ? '' : `, in a browser on the computer ${computer}`;
}

const UNDECIDED = 'Nobody has decided yet.';
const SAME_TERMS = 'The same as asked before; where the person answers they are shown in full.';
const CLOSED = 'The dialog was closed without an answer.';

/** The result of a call whose question waits for an answer: the terms, and where and how a person answers. */
export function approvalRequired(
  call: Question,
  approval: Approval,
  { way, url, computer, hasWaited, others = [], why }: AnswerPlace,
): Result {
  const { runtime } = call;
  const { tool, operationId, expiresAt, near, locator, sections } = approval;
  const command = `\`fareclerk approve ${operationId}\``;
  const minutesLeft = Math.max(1, Math.floor((expiresAt - runtime.clock.now()) / MINUTE_MS));

  const id = questionHandle(call, approval);
  const again = sameCall(tool, id, call.detailsId);
  const next = HOW_TO_GO_ON[way](again, { tool, command, url, computer, hasWaited });

  const isDialogClosed = way === 'closed' || way === 'nowhere';
  const reason = why ?? (isDialogClosed ? CLOSED : undefined);
  const summary = ['APPROVAL REQUIRED. Nothing was sent.', hasWaited && UNDECIDED, reason, ...others.map(wordsWithId)];

  const head = {
    summary: summary.filter(Boolean).join(' '),
    next: way === 'nowhere' ? next : `${next} The question expires in ${minutesLeft} min.`,
  };

  const expires_at = localMinute(utcText(expiresAt), near);
  const fields = {
    operation_id: operationId,
    // A plan can have sixty lines, and its caller asks every minute whether it is answered.
    approval: {
      id,
      expires_at,
      terms: hasWaited && isPlanQuestion(approval) ? [SAME_TERMS] : [...termsLines(approval)],
      url,
    },
    booking: nameOnly(locator),
    airline_changes: changesTold(sections),
  };

  const showsCommand = WAYS_WITH_COMMAND.has(way) && url === undefined;
  const question = questionOfView(call, approval, way, showsCommand ? command : undefined);

  return result(call, 'approval_required', { head, fields, body: termsText, meta: { question } });
}

/** The question as a view shows it. @param command what a person runs to answer it */
function questionOfView(
  { settings }: Question,
  approval: Approval,
  way: Way,
  command: string | undefined,
): AskedQuestion {
  const { more: _more, ...document } = questionDocument(approval, settings);
  const sections = approval.sections.map(({ kind, lines }) => ({ kind, lines }));
  return { ...document, sections, way, command: command && (settings.typed?.(command) ?? command) };
}

function wordsWithId({ before, about, operationId, after }: OtherQuestion): string {
  return `${before} (${about}, operation ${operationId})${after}`;
}

function termsText({ approval: { terms } }: { approval: { terms: readonly string[] } }): string {
  return ['The terms:', ...terms.map((line) => `  ${line}`)].join('\n');
}

// The choice of the channel.

/**
 * Chooses the channel of a question from the settings, the client and the amount. The first row that fits counts. The
 * rows with a star do not count if only the page may ask: by setting, for an amount above `pageAbove`, or because it may
 * do again what was done here.
 *
 * | case                                                                     | channel  |
 * | ------------------------------------------------------------------------ | -------- |
 * | this client's dialogs are not seen, and there is a page or a terminal    | `page`   |
 * | * the client shows dialogs                                               | `elicit` |
 * | * the setting allows the model's word                                    | `echo`   |
 * | there is a page, and a browser of this machine or the client can open it | `page`   |
 * | * the setting leaves the choice to us, in the sandbox                    | `echo`   |
 * | there is a terminal                                                      | `page`   |
 *
 * @param stake what the question is about: the money that moves, if any, and whether only the page may ask it
 * @param unseen nobody sees this client's dialogs: the page or the terminal asks then, and never the model's word
 * @throws ClerkError E_APPROVAL_UNAVAILABLE if nobody can be asked
 */
export function channelFor(call: Question, stake: AskedStake, unseen = false): AskedBy {
  if (unseen && hasPage(call)) return 'page';

  const { approval: mode, environment, page, pageAbove, canUseTerminal } = call.settings;
  const { canElicit, canOpenUrls, dialog } = call.asker;
  const isTooMuch = isAbove(stake.money, pageAbove);
  const pageOnly = mode === 'page' || isTooMuch || stake.pageOnly === true;
  // A call with a dialog's answer proves that this client shows dialogs.
  if (!pageOnly && (canElicit === true || dialog !== undefined)) return 'elicit';
  if (!pageOnly && mode === 'echo') return 'echo';
  if (page !== undefined && (page.canOpen() || canOpenUrls === true)) return 'page';

  const isSandboxLastResort = mode === 'auto' && environment === 'sandbox' && !pageOnly;
  if (isSandboxLastResort) return 'echo';
  if (canUseTerminal) return 'page';

  if (stake.pageOnly) throw noPageToAsk();
  throw nobodyToAsk(pageOnly ? pageAbove : undefined);
}

/** What decides where a question may be asked. */
interface AskedStake extends Pick<Terms, 'pageOnly'> {
  /** Absent where no money moves. */
  readonly money?: MoneyAtStake | undefined;
}

function nobodyToAsk(pageAbove: Money | undefined): ClerkError {
  const above = pageAbove ? ` Amounts above ${showMoney(pageAbove)} need the approval page.` : '';
  return new ClerkError(
    'E_APPROVAL_UNAVAILABLE',
    `Nobody can be asked for approval, because this client shows no dialog and no page can be opened.${above} Nothing was sent.`,
    {
      next: 'Tell the person to use a client with dialogs, or ask the operator to set FARECLERK_APPROVAL or FARECLERK_PUBLIC_URL.',
    },
  );
}

/** No dialog would help: a person must leave the conversation to do again what may have been done. */
function noPageToAsk(): ClerkError {
  return new ClerkError(
    'E_APPROVAL_UNAVAILABLE',
    'This may do again what was done here, so only the approval page or a terminal may ask, and there is neither. Nothing was sent.',
    { next: 'Tell the person to ask the airline, or ask the operator to set FARECLERK_PUBLIC_URL.' },
  );
}

/** What the stored question is about, for {@link channelFor}. */
function stakeOf(approval: Approval): AskedStake {
  return { money: moneyAtStake(approval), pageOnly: approval.pageOnly };
}

/** Whether the settings allow a yes to this question in a dialog of this client now. */
export function allowsDialog(call: Question, approval: Approval): boolean {
  return channelFor(call, stakeOf(approval)) === 'elicit';
}

/** Whether the question asks for the model's word, and the settings still allow that. */
export function isModelsWordEnough(call: Question, approval: Approval): boolean {
  return approval.askedBy === 'echo' && channelFor(call, stakeOf(approval)) === 'echo';
}

/** Whether a person can answer on the page, or in a terminal instead. */
export function hasPage({ settings }: Question): boolean {
  return settings.page !== undefined || settings.canUseTerminal;
}
