/**
 * The pages on the public address: the approval page, `{public_url}/approve/{operation id}`, for people who sign in, and the details
 * page, for whoever has its address. This process keeps nothing, so that any instance can show a question or form of another. In
 * order: the approval page with the list of questions, the end of a sign-in, the details page, the parts of the address.
 */
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../../approvals/answer.ts';
import { keyFor } from '../../approvals/digest.ts';
import type { Clerk, PageOpener } from '../../clerk/clerk.ts';
import { type DetailsPage, logMistake } from '../../clerk/context.ts';
import { RequestRates } from '../../clerk/request-rates.ts';
import { memoizeByObject } from '../../core/memoize.ts';
import type { Money } from '../../core/money.ts';
import { withoutTrailing } from '../../core/words.ts';
import type { BrowserLogin } from '../../domain/people/caller.ts';
import { clerkOfAsker } from '../../http/caller-clerk.ts';
import type { Mount } from '../../http/router.ts';
import { NO_REFERRER, notice, pageReply, RETRY_SOON, stepPage } from '../browser/page-reply.ts';
import { createDetailsHandler, DETAILS_PREFIX, detailsPath, detailsSource } from '../details/handler.ts';
import { createPageCookies, type PageCookies } from './cookies.ts';
import { createDecided } from './decided.ts';
import { createPageHandler } from './handler.ts';
import { createInbox } from './inbox.ts';
import { DECIDED_PLACE, INBOX_PLACE, pagePath, queryOf } from './page-access.ts';
import { pageState } from './page-state.ts';
import { createSignedInAccess } from './signed-in-access.ts';

const PREFIX = '/approve/';
const CALLBACK = `${PREFIX}signed-in`;

/** How often the provider may send browsers back, all together: each may cost a request to the provider. */
const RETURNS_RATE = { burst: 100, perSecond: 20 };

interface PublicPageOptions {
  /** FARECLERK_PUBLIC_URL. */
  readonly publicUrl: string;
  readonly login: BrowserLogin;
  readonly environment: Environment;
  readonly fourEyesAbove?: Money;
  /** FARECLERK_PAGE_ABOVE. */
  readonly pageAbove?: Money | undefined;
  readonly clerk: Clerk;
}

/** Tells people the address of a question: nobody's browser is on this machine. */
export function publicPage(publicUrl: string): PageOpener {
  const { origin, base } = addressParts(publicUrl);
  return {
    canOpen: () => true,
    async open({ operationId }, client) {
      const address = `${origin}${pagePath(operationId, base)}`;
      return { opened: false, publicUrl: address, url: client === 'opens_itself' ? address : undefined };
    },
  };
}

/** Tells travellers the address of a form. */
export function publicDetails(publicUrl: string): DetailsPage {
  const { origin, base } = addressParts(publicUrl);
  return { address: async (id) => `${origin}${detailsPath(id, base)}` };
}

/** Returns the address to which the provider sends browsers back. It must be registered there to the letter. */
export function redirectUrl(publicUrl: string): string {
  return new URL(publicUrl + CALLBACK).href;
}

/** The key of the page's forms. All instances have the same, because a form that one of them showed may be sent to another. */
const formKey = memoizeByObject((key: Uint8Array) => keyFor('fareclerk approval page form', key));

/**
 * Serves the pages for people who sign in. If the public address is `https://air.example/desk`, their paths are:
 * - `/desk/approve/{operation id}`: the approval page, which shows a question or its outcome;
 * - `/desk/approve/`: the inbox, which lists the questions that wait for the person;
 * - `/desk/approve/decided`: what became of the questions that a person, or the desk of a supervisor, asked or answered in the last 30 days;
 * - `/desk/approve/signed-in`: no page. A sign-in ends here, and leads to the page where it began.
 */
export function mountPublicPage(options: PublicPageOptions): Mount {
  const { publicUrl, login, environment, fourEyesAbove, pageAbove, clerk } = options;
  const { origin, base, isSecure } = addressParts(publicUrl);
  const origins = () => [origin];
  const callback = base + CALLBACK;

  /** Path of a place: of an operation's page, or of the inbox. */
  const path = (place: string) => pagePath(place, base);
  const inboxPath = path(INBOX_PLACE);
  const cookies = createPageCookies({ login, secure: isSecure, path: inboxPath });
  const { state, ...pageReader } = pageState(clerk);
  const { now, log } = pageReader;

  const serveApproval = createPageHandler({
    ...pageReader,
    decide: async ({ tenant, caller, operationId }, yes, approver, ticked) =>
      // Whoever answers, acts are sent with the point of sale of the asker.
      clerkOfAsker(clerk, { tenant, id: caller }).decide(operationId, yes, { assurance: 'page', approver }, ticked),
    key: async () => formKey((await state()).digestKey),
    access: createSignedInAccess({ login, cookies, path, fourEyesAbove, pageAbove }),
    origins,
    base,
    inbox: inboxPath,
    environment,
  });

  const serveInbox = createInbox({
    login,
    cookies,
    path,
    environment,
    now,
    origins,
    waiting: async () => (await state()).approvals.waiting(now()),
    fourEyesAbove,
  });

  const serveDecided = createDecided({ login, cookies, path, environment, now, origins, state });
  const finishSignIn = createCallback({ login, cookies, path, environment });

  /** Returns the reply, or the notice if making the reply fails. The approval page has notices of its own. */
  async function orNotice(reply: Promise<Response>): Promise<Response> {
    try {
      return await reply;
    } catch (error) {
      logMistake(log, 'approval page', error);
      return notice('failed', environment, NO_REFERRER);
    }
  }

  function handle(request: IncomingMessage): Promise<Response> {
    const requestedPath = request.url?.split('?', 1)[0];
    if (requestedPath === callback) return orNotice(finishSignIn(request));
    if (requestedPath === inboxPath) return orNotice(serveInbox(request));
    if (requestedPath === path(DECIDED_PLACE)) return orNotice(serveDecided(request));
    return serveApproval(request);
  }

  return { prefix: PREFIX, handle };
}

interface CallbackOptions extends Pick<PublicPageOptions, 'login' | 'environment'> {
  readonly cookies: PageCookies;
  path(place: string): string;
}

/** Answers browsers that the provider sends back. Their address has a code in it, so it is never a referrer. */
function createCallback({ login, cookies, path, environment }: CallbackOptions) {
  const returns = new RequestRates(RETURNS_RATE);
  return async (request: IncomingMessage): Promise<Response> => {
    if (request.method !== 'GET') return pageReply(405, null, { ...NO_REFERRER, allow: 'GET' });

    const wait = returns.count('all');
    if (wait > 0) return notice('no_sign_in', environment, { ...NO_REFERRER, 'retry-after': String(wait) }, 429);

    const query = queryOf(request.url);
    const end = await login.end(query, cookies.readTickets(request), cookies.readSessions(request));
    switch (end.kind) {
      case 'signed_in': {
        const reply = pageReply(303, null, { ...NO_REFERRER, location: path(end.place) });
        reply.headers.append('set-cookie', cookies.setSession(end.session));
        reply.headers.append('set-cookie', cookies.clearTicket(request, end.ticket));
        return reply;
      }
      case 'denied': {
        const words = 'The sign-in was refused or not finished.';
        const page = stepPage(environment, { title: 'Not signed in', words }, path(end.place), 'Open the page again');
        return pageReply(403, page, NO_REFERRER);
      }
      case 'unfit':
        return notice('unknown_sign_in', environment, NO_REFERRER);
      case 'unavailable':
        return notice('no_sign_in', environment, { ...NO_REFERRER, ...RETRY_SOON });
    }
  };
}

/** Serves the details page on the public address, for whoever has its address: travellers have no account here. */
export function mountPublicDetails(publicUrl: string, environment: Environment, clerk: Clerk): Mount {
  const { origin, base } = addressParts(publicUrl);
  const handle = createDetailsHandler({ ...detailsSource(clerk), environment, base, origins: () => [origin] });
  return { prefix: DETAILS_PREFIX, handle };
}

/** Splits `https://air.example/desk/` into the origin `https://air.example` and the base `/desk`, which is '' without a path. */
function addressParts(publicUrl: string) {
  const { origin, pathname, protocol } = new URL(publicUrl);
  return { origin, base: withoutTrailing(pathname, '/'), isSecure: protocol === 'https:' };
}
