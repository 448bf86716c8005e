/**
 * Serves the approval page over HTTP: GET shows the question or its outcome, POST decides. Loopback and the public address share
 * this handler; they differ only in the access. In order: the handler, links to other questions, the page of a plan, access, the form.
 */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../../approvals/answer.ts';
import { type Approval, isPlanQuestion } from '../../approvals/approval.ts';
import { approvalStatus } from '../../approvals/approval-status.ts';
import { keyedDigest } from '../../approvals/digest.ts';
import { DECISION_FAILED, type DecisionOutcome } from '../../approvals/outcome-words.ts';
import { logMistake } from '../../clerk/context.ts';
import { readForm } from '../../http/exchange.ts';
import { ACTS } from '../../tools/index.ts';
import {
  NO_REFERRER,
  nothingHere,
  nothingHereFor,
  notice,
  pageReply,
  RETRY_SOON,
  signedOut,
  stepPage,
} from '../browser/page-reply.ts';
import { outcomePage } from './outcome-view.ts';
import { type AccessResult, isFromOurPage, isOurHost, isToken, type PageAccess, pagePath } from './page-access.ts';
import type { CurrentPlan, PageState } from './page-state.ts';
import { canOnlyRefuse, isReader, type QuestionPage, questionPage } from './question-view.ts';

/** The form of any question that is not about a plan. */
const YES_OR_NO: FormFields = { decisions: ['yes', 'no'], lines: [] };

const NOTHING_TICKED = {
  title: 'You ticked nothing, so nothing was sent',
  words: 'Tick what you approve, or decline all.',
};

/** Bytes of a form's body, at most: a usual form has a few dozen. */
const MOST_BYTES = 4096;

/** What the page reads. Without plans, no question is about one. */
type PageReads = Pick<PageState, 'find' | 'operation' | 'now' | 'log'> & Partial<Pick<PageState, 'plan' | 'stopPlan'>>;

export interface HandlerOptions extends PageReads {
  /**
   * Decides, and carries out what got a yes. Safe to call twice.
   * @param approver who signed in to answer
   * @param ticked lines of a plan
   */
  decide(
    approval: Approval,
    yes: boolean,
    approver: string | undefined,
    ticked: readonly number[],
  ): Promise<DecisionOutcome>;
  readonly access: PageAccess;
  /** Accepted origins of the page: `http://127.0.0.1:4711`. */
  origins(): readonly string[];
  /** Path of the public address: `/desk`. Default: none. */
  readonly base?: string;
  /** Returns the address of another question's page, for a person who may see this one. Default: its path. */
  linkTo?(approval: Approval): string;
  /** Path of the list of all questions that wait for a person who signed in. */
  readonly inbox?: string;
  /** Returns the key that binds forms to visits. All instances share it. Default: a key of this process. */
  key?(): Promise<Uint8Array>;
  readonly environment: Environment;
  /** Writes the commands that a person types on this machine. Absent if people have no terminal of it. */
  readonly typed?: ((text: string) => string) | undefined;
  /** Called when a page is shown that renews itself. */
  noteRenewing?(): void;
}

/** A request that may see the approval. */
interface PageVisit extends Pick<QuestionPage, 'approval' | 'viewer' | 'path' | 'inbox'> {
  readonly session: string;
  /** The address that the browser requested, with its query. */
  readonly url: string;
  /** The plan that the question is about, if it is about one. */
  readonly plan: CurrentPlan | undefined;
}

/** Matches a page's address: the operation id, and on loopback the key of the visit's own page (loopback.ts). */
const ADDRESS = /^\/approve\/([\w-]{1,64})(?:\/[\w-]{43})?(?:\?|$)/;

/** Returns the function that answers one request. It never rejects. */
export function createPageHandler(options: HandlerOptions): (request: IncomingMessage) => Promise<Response> {
  const { environment, log } = options;
  const processKey = randomBytes(32);
  const logFailure = (error: unknown) => logMistake(log, 'approval page', error);

  async function tokenFor({ approval, session }: PageVisit): Promise<string> {
    return formToken((await options.key?.()) ?? processKey, approval.operationId, session);
  }

  async function factsFor(visit: PageVisit): Promise<PageFacts> {
    return { environment, token: await tokenFor(visit), now: options.now() };
  }

  async function answer(request: IncomingMessage): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'POST') return pageReply(405, null, { allow: 'GET, POST' });
    if (!isOurHost(request, options.origins())) return notice('wrong_address', environment);
    const visit = await enter(request, options);
    if (visit instanceof Response) return visit;
    if (request.method === 'GET') return show(visit);
    return isReader(visit.viewer) ? notice('not_accepted', environment) : decide(request, visit);
  }

  async function show(visit: PageVisit): Promise<Response> {
    const { approval } = visit;
    if (visit.plan?.view.state === 'running') options.noteRenewing?.();
    const facts = await factsFor(visit);
    const replyForPlan = await planReply(visit, options, facts);
    if (replyForPlan !== undefined) return replyForPlan;

    const outcome = approvalStatus(ACTS, approval, await options.operation(approval.operationId), options.now());
    if (outcome === 'question') return pageReply(200, questionPage({ ...visit, ...facts }));

    const newer = approval.decision === 'replaced' ? await questionLink(approval.replacedBy, options) : undefined;
    return pageReply(200, outcomePage({ ...visit, outcome, environment, newer }));
  }

  async function decide(request: IncomingMessage, visit: PageVisit): Promise<Response> {
    const { approval, viewer, plan } = visit;
    if (!isFromOurPage(request, options.origins())) return notice('not_accepted', environment);

    const permitted = await permittedFields(visit);
    // The page says so, whichever button was pressed.
    if (permitted === 'replaced') return pageReply(303, null, { location: visit.path });

    const form = await readDecision(request, permitted);
    if (typeof form === 'number') return notice('not_accepted', environment, {}, form);
    if (!isToken(form.token, await tokenFor(visit))) return notice('not_accepted', environment);
    if (form.decision === 'yes' && canOnlyRefuse(viewer)) return notice('not_accepted', environment);
    if (form.decision === 'yes' && viewer?.signIn !== undefined)
      return pageReply(403, signedOut(environment, viewer.signIn));
    if (plan?.view.state === 'asked' && form.decision === 'yes' && form.lines.length === 0)
      return pageReply(422, stepPage(environment, NOTHING_TICKED, visit.path));

    try {
      if (form.decision === 'stop') await options.stopPlan?.(plan?.view.id ?? '');
      else if (approval.decision === 'pending' && form.decision !== 'look') {
        const outcome = await options.decide(approval, form.decision === 'yes', viewer?.id, form.lines);
        // Why nothing was done is known only now: the approval does not store it.
        if (outcome.kind === 'failed') return pageReply(200, outcomePage({ ...visit, outcome, environment }));
      }
    } catch (error) {
      logFailure(error);
      return pageReply(500, outcomePage({ ...visit, outcome: DECISION_FAILED, environment }));
    }

    // The outcome has an address of its own: reloading it sends no form again.
    return pageReply(303, null, { location: visit.path });
  }

  return (request) =>
    answer(request).catch((error) => {
      // A person who leaves while sending a form is not an error.
      if (!request.destroyed || request.complete) logFailure(error);
      return notice('failed', environment);
    });
}

/** What a page needs besides the visit. */
type PageFacts = Pick<QuestionPage, 'environment' | 'token' | 'now'>;

/** Returns the address of another question of the same caller: the people who may see this one may see it. Undefined if there is none. */
async function questionLink(operationId: string | undefined, options: HandlerOptions): Promise<string | undefined> {
  const approval = operationId === undefined ? undefined : await options.find(operationId);
  if (approval === undefined) return undefined;
  return options.linkTo?.(approval) ?? pagePath(approval.operationId, options.base);
}

/** Replies with the page of a plan. Undefined if the question is not about a plan, or if the page of any other question says it too. */
async function planReply(
  { plan, ...visit }: PageVisit,
  options: HandlerOptions,
  facts: PageFacts,
): Promise<Response | undefined> {
  if (plan === undefined) return undefined;

  const { planPage, isReplaced, replacedPage } = await import('./plan-page.ts');
  if (isReplaced(plan, visit.approval)) {
    const newer = await questionLink(plan.question, options);
    return pageReply(200, replacedPage({ ...visit, ...facts, newer }));
  }

  const page = planPage(plan, { ...visit, ...facts });
  return page === undefined ? undefined : pageReply(200, page);
}

/** What the form of a question may send. `replaced`: nothing, because a newer question of its plan took its place. */
async function permittedFields({ plan, approval }: PageVisit): Promise<FormFields | 'replaced'> {
  if (plan === undefined) return YES_OR_NO;
  const { isReplaced, permittedAnswers } = await import('./plan-page.ts');
  return isReplaced(plan, approval) ? 'replaced' : permittedAnswers(plan);
}

/** Finds the approval and checks the access. Unknown and foreign approvals get the same reply. */
async function enter(request: IncomingMessage, options: HandlerOptions): Promise<PageVisit | Response> {
  const { environment, typed, base = '' } = options;
  const url = request.url ?? '';
  const id = url.startsWith(base) ? ADDRESS.exec(url.slice(base.length))?.[1] : undefined;
  if (id === undefined) return nothingHere(environment, typed);

  const path = pagePath(id, base);
  const approval = await options.find(id);
  const access = await options.access.authorize(request, id, approval);
  if (access.kind !== 'ok') return refused(access, path, options);
  if (approval === undefined) return nothingHere(environment, typed);

  const { session, viewer } = access;
  const plan = isPlanQuestion(approval) ? await options.plan?.(approval.part.plan) : undefined;
  return { approval, session, viewer, path: access.path ?? path, inbox: options.inbox, url, plan };
}

function refused(
  access: Exclude<AccessResult, { kind: 'ok' }>,
  path: string,
  { environment, typed }: Pick<HandlerOptions, 'environment' | 'typed'>,
): Response {
  switch (access.kind) {
    case 'redirect': {
      const { cookie, location } = access;
      return pageReply(303, null, { ...NO_REFERRER, ...(cookie !== undefined && { 'set-cookie': cookie }), location });
    }
    case 'signed_out':
      return pageReply(403, signedOut(environment, path));
    case 'unavailable':
      return notice('no_sign_in', environment, RETRY_SOON);
    case 'refused':
      if (access.other === undefined) return nothingHere(environment, typed);
      return pageReply(404, nothingHereFor(environment, access.other));
  }
}

interface Submitted {
  readonly token: string;
  /** `look` decides nothing: it shows the page again. */
  readonly decision: 'yes' | 'no' | 'stop' | 'look';
  /** The ticked lines of a plan, from 1. */
  readonly lines: readonly number[];
}

/** The values that the form of a page may send. */
interface FormFields {
  readonly decisions: readonly Submitted['decision'][];
  /** Lines that can be ticked. */
  readonly lines: readonly number[];
}

/** Binds the form to this approval and this visit. */
function formToken(key: Uint8Array, operationId: string, session: string): string {
  return keyedDigest(key, JSON.stringify([operationId, session]));
}

/**
 * Reads `application/x-www-form-urlencoded` with exactly the fields `token` and `decision`, once each, and for a plan any of
 * its lines once as `line`.
 * @returns the HTTP status of the reply if the form is refused.
 */
async function readDecision(request: IncomingMessage, permitted: FormFields): Promise<Submitted | 400 | 413 | 415> {
  const body = await readForm(request, MOST_BYTES);
  if (!Buffer.isBuffer(body)) return body;

  const fields = [...new URLSearchParams(body.toString('utf8'))];
  const token = fields.find(([name]) => name === 'token')?.[1];
  const sentDecision = fields.find(([name]) => name === 'decision')?.[1];
  const decision = permitted.decisions.find((each) => each === sentDecision);
  const ticked = fields.filter(([name]) => name === 'line').map(([, value]) => value);
  if (fields.length !== 2 + ticked.length || token === undefined || decision === undefined) return 400;

  const lines = permitted.lines.filter((line) => ticked.includes(String(line)));
  return lines.length === ticked.length ? { token, decision, lines } : 400;
}
