/**
 * The page over HTTP: GET shows, POST decides. The same on loopback and on the public address; the gate differs.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Approval } from '../../approvals/ports.ts';
import { UNTOLD } from '../../approvals/status.ts';
import type { Environment } from '../answer.ts';
import type { ClerkLog } from '../clerk.ts';
import { createDesk, type Desk, type DeskOptions } from './decision-queue.ts';
import { formToken, isToken, readForm } from './form.ts';
import type { Entry, Gate, Visitor } from './gate.ts';
import { ENTRY_HEADERS, PAGE_HEADERS } from './headers.ts';
import { enterPage, nothingHere, nothingHereFor, outcomePage, plainPage, questionPage, signedOut } from './views.ts';

export interface HandlerOptions extends DeskOptions {
  /** By operation id: how pages name an approval. */
  find(operationId: string): Promise<Approval | undefined>;
  readonly gate: Gate;
  /** Scheme, host and port that browsers may reach the page under, exactly: `http://127.0.0.1:4711`. */
  origins(): readonly string[];
  /** What paths begin with, for a public address below a path: `/desk`. Default none. */
  readonly base?: string;
  /** Binds forms to visits; shared by instances that answer for one another. Default: this process's own. */
  key?(): Promise<Uint8Array>;
  readonly environment: Environment;
  readonly log: Pick<ClerkLog, 'failure'>;
}

export interface PageHandler {
  /** Answers one request. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  path(operationId: string): string;
}

/** A request that was let in. */
interface Visit {
  readonly approval: Approval;
  readonly session: string;
  readonly visitor: Visitor | undefined;
  readonly path: string;
}

interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** The approval, and on loopback the key of the visit's own page (loopback-gate.ts). */
const ADDRESS = /^\/approve\/([\w-]{1,64})(?:\/[\w-]{43})?(?:\?|$)/;

/** Path of an approval's page, below the base. */
export function pagePath(operationId: string, base = ''): string {
  return `${base}/approve/${operationId}`;
}

export function createPageHandler(options: HandlerOptions): PageHandler {
  const { environment, base = '' } = options;
  const desk = createDesk(options);
  const own = randomBytes(32);
  const token = async ({ approval, session }: Visit) =>
    formToken((await options.key?.()) ?? own, approval.operationId, session);

  async function answer(request: IncomingMessage): Promise<Reply> {
    if (request.method !== 'GET' && request.method !== 'POST') return { status: 405, headers: { allow: 'GET, POST' } };
    if (!isOurHost(request, options.origins())) return misdirected(environment);
    const visit = await enter(request);
    if (!('approval' in visit)) return visit;
    if (request.method === 'GET') return show(visit);
    return take(request, visit);
  }

  /** Unknown and foreign alike are not found. */
  async function enter(request: IncomingMessage): Promise<Visit | Reply> {
    const url = request.url ?? '';
    const id = url.startsWith(base) ? ADDRESS.exec(url.slice(base.length))?.[1] : undefined;
    if (id === undefined) return { status: 404, body: nothingHere(environment) };
    const approval = await options.find(id);
    const entry = await options.gate.authorize(request, id, approval);
    if (entry.kind !== 'ok') return turnedAway(request, entry, pagePath(id, base), environment);
    if (approval === undefined) return { status: 404, body: nothingHere(environment) };
    return { approval, session: entry.session, visitor: entry.visitor, path: entry.path ?? pagePath(id, base) };
  }

  async function show(visit: Visit): Promise<Reply> {
    const { approval, path, visitor } = visit;
    const stands = await desk.standing(approval);
    if (stands === 'question') {
      const question = { approval, environment, path, token: await token(visit), now: options.now(), visitor };
      return { status: 200, body: questionPage(question) };
    }
    return {
      status: 200,
      body: outcomePage({ outcome: stands, environment, path, operationId: approval.operationId, visitor }),
    };
  }

  async function take(request: IncomingMessage, visit: Visit): Promise<Reply> {
    if (!isFromOurPage(request, options.origins())) return forged(environment);
    const form = await readForm(request);
    if ('status' in form) return unfit(environment, form.status);
    if (!isToken(form.token, await token(visit))) return forged(environment);
    const yes = form.decision === 'yes';
    return yes && visit.visitor?.part === 'asker_alone' ? notAlone(environment) : decided(visit, yes, desk);
  }

  /** The outcome is shown on the page's own address: reloading it sends no form again. */
  async function decided({ approval, path, visitor }: Visit, yes: boolean, { decide }: Desk): Promise<Reply> {
    try {
      await decide(approval, yes, visitor?.id);
    } catch (error) {
      failed(error);
      const { operationId } = approval;
      return { status: 500, body: outcomePage({ outcome: UNTOLD, environment, path, operationId, visitor }) };
    }
    return { status: 303, headers: { location: path } };
  }

  function failed(error: unknown): void {
    options.log.failure({ tool: 'approval page', reference: crypto.randomUUID().slice(0, 8), error });
  }

  return {
    path: (operationId) => pagePath(operationId, base),
    async handle(request, response) {
      try {
        send(response, await answer(request));
      } catch (error) {
        // A visitor who leaves in the middle of a form is no failure of ours.
        if (!request.destroyed || request.complete) failed(error);
        const lines = ['The question could not be shown. Look again in a moment.'];
        send(response, { status: 500, body: plainPage(environment, 'Something went wrong here', lines) });
      }
    },
  };
}

function send(response: ServerResponse, { status, body = '', headers }: Reply): void {
  if (response.headersSent || response.destroyed) return;
  // A body that was refused is not read to its end: the connection goes with it.
  const close = status === 413 || status === 415 ? { connection: 'close' } : {};
  response.writeHead(status, { ...PAGE_HEADERS, 'content-length': Buffer.byteLength(body), ...close, ...headers });
  response.end(body);
}

/** Against DNS rebinding: the browser must have been sent to this very address. */
function isOurHost(request: IncomingMessage, origins: readonly string[]): boolean {
  const { host } = request.headers;
  return host !== undefined && origins.some((origin) => new URL(origin).host === host.toLowerCase());
}

/** Against forms on other sites. `Sec-Fetch-Site` is missing in older browsers; `Origin` comes with every POST. */
function isFromOurPage(request: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return (
    origin !== undefined && origins.includes(origin) && new URL(origin).host === request.headers.host?.toLowerCase()
  );
}

function turnedAway(
  request: IncomingMessage,
  entry: Exclude<Entry, { kind: 'ok' }>,
  path: string,
  on: Environment,
): Reply {
  switch (entry.kind) {
    case 'redirect':
      return elsewhere(request, entry, on);
    case 'signed_out':
      return { status: 403, body: signedOut(on, path) };
    case 'unavailable':
      return { status: 503, body: noSignIn(on), headers: { 'retry-after': '5' } };
    case 'refused':
      return { status: 404, body: entry.other ? nothingHereFor(on, entry.other) : nothingHere(on) };
  }
}

export function noSignIn(environment: Environment): string {
  const lines = ['The sign-in cannot be reached just now. Nothing was sent.', 'Look again in a moment.'];
  return plainPage(environment, 'Nobody can sign in just now', lines);
}

function elsewhere(request: IncomingMessage, entry: Extract<Entry, { kind: 'redirect' }>, on: Environment): Reply {
  const cookie = entry.cookie === undefined ? {} : { 'set-cookie': entry.cookie };
  const site = request.headers['sec-fetch-site'];
  // From a link on another site the strict cookie would not be sent along the redirect.
  if (entry.cookie?.includes('SameSite=Strict') && site !== undefined && site !== 'none' && site !== 'same-origin') {
    return { status: 200, body: enterPage(on, entry.location), headers: { ...ENTRY_HEADERS, ...cookie } };
  }
  return { status: 303, headers: { ...ENTRY_HEADERS, ...cookie, location: entry.location } };
}

function misdirected(environment: Environment): Reply {
  return { status: 421, body: plainPage(environment, 'Wrong address', ['Nothing was sent.']) };
}

function forged(environment: Environment): Reply {
  const lines = [
    'This answer did not come from the page itself. Nothing was sent.',
    'Open the page again and answer there.',
  ];
  return { status: 403, body: plainPage(environment, 'Not taken', lines) };
}

function notAlone(environment: Environment): Reply {
  const lines = ['Above this amount the yes must be another person’s. Nothing was sent.'];
  return { status: 403, body: plainPage(environment, 'Another person must say yes', lines) };
}

function unfit(environment: Environment, status: 400 | 413 | 415): Reply {
  return { status, body: plainPage(environment, 'Not taken', ['This is not the form of the page. Nothing was sent.']) };
}
