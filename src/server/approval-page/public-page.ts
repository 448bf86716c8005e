/**
 * The approval page on the public address: `{public_url}/approve/{operation id}`, for people who sign in. It keeps
 * nothing in this process, so that any instance can show what another asked and take what another showed.
 */
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DecisionOutcome } from '../../approvals/status.ts';
import type { BrowserLogin } from '../../domain/people/browser-login.ts';
import type { Money } from '../../domain/pricing/money.ts';
import type { Environment } from '../answer.ts';
import type { Clerk, PageOpener } from '../clerk.ts';
import { clerkOfAsker } from '../http/caller-clerk.ts';
import { Buckets } from '../http/rate.ts';
import type { Mount } from '../http/router.ts';
import { createPageCookies } from './cookies.ts';
import { createPageHandler, noSignIn, pagePath } from './handler.ts';
import { PAGE_HEADERS } from './headers.ts';
import { clerkState } from './page-state.ts';
import { createSignInGate } from './sign-in-gate.ts';
import { plainPage, stepPage } from './views.ts';

export interface PublicPageOptions {
  /** FARECLERK_PUBLIC_URL. */
  readonly publicUrl: string;
  readonly login: BrowserLogin;
  readonly environment: Environment;
  readonly fourEyesAbove?: Money;
  clerk(): Clerk;
}

export interface PublicPage extends PageOpener {
  readonly mount: Mount;
}

const PREFIX = '/approve/';
const BACK = `${PREFIX}signed-in`;

/** Where the provider sends browsers back to: to be registered there, to the letter. */
export function redirectOf(publicUrl: string): string {
  return publicUrl + BACK;
}

/** Browsers coming back, of everybody: each may cost a question to the provider. */
const COMING_BACK = { burst: 100, perSecond: 20 };

export function createPublicPage(options: PublicPageOptions): PublicPage {
  const { publicUrl, login, environment, fourEyesAbove, clerk } = options;
  const { origin, pathname, protocol } = new URL(publicUrl);
  const base = pathname.replace(/\/+$/, '');
  const path = (operationId: string) => pagePath(operationId, base);
  const cookies = createPageCookies({ login, secure: protocol === 'https:', path, callback: base + BACK });
  const { state, ...looked } = clerkState(clerk);
  const page = createPageHandler({
    ...looked,
    press,
    key: async () => formKey((await state()).digestKey),
    gate: createSignInGate({ login, cookies, path, ...(fourEyesAbove && { fourEyesAbove }) }),
    origins: () => [origin],
    base,
    environment,
    log: { failure: (fields) => clerk().options.log.failure(fields) },
  });
  async function press(operationId: string, yes: boolean, approver?: string): Promise<DecisionOutcome> {
    const approval = await looked.find(operationId);
    const asker = approval && { tenant: approval.tenant, id: approval.caller };
    const desk = asker === undefined ? clerk() : clerkOfAsker(clerk(), asker);
    return desk.decide(operationId, yes, { assurance: 'page', ...(approver !== undefined && { approver }) });
  }
  const comingBack = new Buckets(COMING_BACK);

  async function back(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      answer(response, await welcome(request));
    } catch (error) {
      clerk().options.log.failure({ tool: 'approval page', reference: crypto.randomUUID().slice(0, 8), error });
      const body = plainPage(environment, 'Something went wrong here', [
        'You could not be signed in. Nothing was sent.',
      ]);
      answer(response, { status: 500, body });
    }
  }

  async function welcome(request: IncomingMessage): Promise<Answer> {
    if (request.method !== 'GET') return { status: 405, headers: { allow: 'GET' } };
    const wait = comingBack.take('all');
    if (wait > 0) return { status: 429, body: noSignIn(environment), headers: { 'retry-after': String(wait) } };
    const query = new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));
    const end = await login.end(query, cookies.tickets(request));
    switch (end.kind) {
      case 'signed_in': {
        const set = [cookies.session(end.place, end.session), cookies.noTicket(end.place)];
        return { status: 303, headers: { location: path(end.place), 'set-cookie': set } };
      }
      case 'denied': {
        const words = 'The sign-in was refused, or not finished. Nothing was sent.';
        return { status: 403, body: stepPage(environment, path(end.place), 'Not signed in', words) };
      }
      case 'unfit':
        return { status: 400, body: plainPage(environment, 'Not signed in', UNFIT) };
      case 'unavailable':
        return { status: 503, body: noSignIn(environment), headers: { 'retry-after': '5' } };
    }
  }

  return {
    canOpen: () => true,
    async open({ operationId }, clientOpensUrls) {
      const address = `${origin}${path(operationId)}`;
      return { opened: false, publicUrl: address, ...(clientOpensUrls && { url: address }) };
    },
    mount: {
      prefix: PREFIX,
      handle: (request, response) => {
        const isBack = request.url?.split('?', 1)[0] === base + BACK;
        return isBack ? back(request, response) : page.handle(request, response);
      },
    },
  };
}

const UNFIT = [
  'This sign-in was not begun in this browser, or too long ago. Nothing was sent.',
  'Open the address of the question again.',
];

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

function answer(response: ServerResponse, { status, body = '', headers = {} }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  // The address has the provider's code in it: it is nobody's referrer.
  const own = { ...PAGE_HEADERS, 'referrer-policy': 'no-referrer', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...own, ...(headers as Record<string, string | string[]>) });
  response.end(body);
}

/** Of the installation, not of the process: a form shown by one instance may come to another. */
function formKey(digestKey: Uint8Array): Uint8Array {
  // HKDF-Extract (RFC 5869, section 2.2): what it is for is the salt.
  return createHmac('sha256', 'fareclerk approval page form').update(digestKey).digest();
}
