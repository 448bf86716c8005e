/** Makes the replies of the page, and its plain pages. Only our own style sheet and script load; nobody may frame or cache a page. */
import { createHash } from 'node:crypto';
import type { Environment } from '../../approvals/answer.ts';
import { SCRIPT, STYLE } from './files.ts';
import { framed, html } from './html.ts';

export const RETRY_SOON = { 'retry-after': '5' };

/** Allows only this text (CSP level 3): stricter than a nonce, which allows whatever carries it. */
const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${hashSource(STYLE)}; script-src ${hashSource(SCRIPT)}; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Not `no-referrer`: with it a browser sends `Origin: null` with the form (Fetch standard, Origin header), and the
  // origin could not be checked. Other sites learn nothing either way.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
};

/** For addresses with a secret or a code of the provider in them: not even the page itself gets those as a referrer. */
export const NO_REFERRER = { 'referrer-policy': 'no-referrer' };

export function pageReply(
  status: number,
  body: string | null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  // The rest of a refused body is not read, so the connection must close.
  const close = status === 413 || status === 415 ? { connection: 'close' } : {};
  return new Response(body, { status, headers: { ...PAGE_HEADERS, ...close, ...headers } });
}

/** Tells a person who signed in that there is nothing for them: the same for unknown approvals and those of others. */
export function nothingHereFor(environment: Environment, other: { address: string; name: string }): string {
  const words = `You are signed in as ${other.name}. This address is unknown, or the question belongs to another person.`;
  const step = { title: 'There is nothing here for you', words };
  return stepPage(environment, step, other.address, 'Sign in with another account');
}

export function signedOut(environment: Environment, path: string): string {
  const words = 'Your answer was not accepted, so nothing was decided.';
  return stepPage(environment, { title: 'Your sign-in has ended', words }, path);
}

/** A page with one link, for the next step. @param linkText what the link to `path` says */
export function stepPage(
  environment: Environment,
  { title, words }: { readonly title: string; readonly words: string },
  path: string,
  linkText = 'Open the question again',
): string {
  const main = html`<h1>${title}</h1>
<p>${words}</p>
<p><a class="again" href="${path}">${linkText}</a></p>`;
  return framed({ title, environment, main });
}

/**
 * The same for unknown, foreign, closed and used addresses, so that guessing reveals nothing.
 * @param typed writes a command as it runs here; undefined where the person has no terminal
 */
export function nothingHere(environment: Environment, typed?: (text: string) => string): Response {
  const command = typed === undefined ? '' : `, or run ${typed('`fareclerk approve`')} in a terminal`;
  const lines = [
    'This address is unknown, or it was already used. The page that it first opened shows the question and what became of it, and you can also ask the assistant.',
    `If an assistant is waiting for your decision, let it ask again${command}.`,
  ];
  return pageReply(404, plainPage(environment, 'There is nothing here', lines));
}

function plainPage(environment: Environment, title: string, lines: readonly string[]): string {
  const main = html`<h1>${title}</h1>
${lines.map((line) => html`<p>${line}</p>\n`)}`;
  return framed({ title, environment, main });
}

interface Notice {
  readonly status: number;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Refusals and failures. They do not know how a question ended, so they do not say whether anything was sent. */
const NOTICES = {
  wrong_address: { status: 421, title: 'Wrong address', lines: ['This is not the address of this page.'] },
  /** The same for unknown, used and forgotten addresses, and when the time is over. */
  no_details: {
    status: 404,
    title: 'There is nothing here',
    lines: [
      'This address is unknown or has expired, or what it asked for is complete and in use.',
      'If something is still missing, ask the assistant or your agency for a new address.',
    ],
  },
  /** For a form that an upgrade of the server closed. */
  details_closed: {
    status: 410,
    title: 'This form is closed',
    lines: [
      'The offer that it was for is gone since the system was upgraded. Nothing that was entered here is kept, and nothing was booked with it.',
      'Ask the assistant or your agency for a new address.',
    ],
  },
  /** For a form that was sent to such an address. */
  details_not_kept: {
    status: 404,
    title: 'There is nothing here',
    lines: [
      'This address is unknown or has expired, or what it asked for is complete and in use.',
      'What you sent here just now was not kept. If something is still missing, ask the assistant or your agency for a new address.',
    ],
  },
  no_sign_in: {
    status: 503,
    title: 'Sign-in is not available now',
    lines: ['The sign-in service cannot be reached.', 'Try again in a moment.'],
  },
  /** For answers that the page does not offer to this person, and for those of other sites. */
  not_accepted: {
    status: 403,
    title: 'Not accepted',
    lines: [
      'The page does not offer you this answer, or it did not come from the page. Nothing was decided.',
      'Open the page again and answer there.',
    ],
  },
  failed: {
    status: 500,
    title: 'Something went wrong here',
    lines: ['The page could not be shown. Open its address again in a moment.'],
  },
  unknown_sign_in: {
    status: 400,
    title: 'Not signed in',
    lines: ['This sign-in began in another browser, or too long ago.', 'Open the address of the question again.'],
  },
} satisfies Record<string, Notice>;

/** @param status overrides the usual one */
export function notice(
  name: keyof typeof NOTICES,
  environment: Environment,
  headers: Readonly<Record<string, string>> = {},
  status?: number,
): Response {
  const { title, lines, status: usual } = NOTICES[name];
  return pageReply(status ?? usual, plainPage(environment, title, lines), headers);
}
