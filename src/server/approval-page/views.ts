/** The pages: the question, the outcome, and plain pages. One heading, landmarks, no script. */

import type { Environment } from '../../approvals/answer.ts';
import type { Approval } from '../../approvals/ports.ts';
import type { DecisionOutcome } from '../../approvals/status.ts';
import { linesOf } from '../../approvals/terms.ts';
import { type Html, html, htmlText, styleElement } from './html.ts';
import type { Viewer } from './page-access.ts';
import { STYLE } from './style.ts';

interface Frame {
  readonly title: string;
  readonly environment: Environment;
  readonly main: Html;
  readonly foot?: Html;
}

const STYLE_ELEMENT = styleElement(STYLE);

const SANDBOX = html`<p class="badge">Sandbox: nothing here is real</p>`;

function page({ title, environment, main, foot }: Frame): string {
  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – fareclerk</title>
${STYLE_ELEMENT}
</head>
<body>
<header><p>fareclerk</p>${environment === 'sandbox' ? SANDBOX : undefined}</header>
<main>
${main}
</main>
${foot === undefined ? undefined : html`<footer>${foot}</footer>`}
</body>
</html>
`);
}

interface Shown {
  readonly environment: Environment;
  readonly approval: Approval;
  /** Path of the page. */
  readonly path: string;
  readonly viewer: Viewer | undefined;
}

interface Question extends Shown {
  readonly token: string;
  readonly now: number;
}

const ASKED: Readonly<Record<Viewer['role'], string>> = {
  asker: 'An assistant asks for this. Nothing happens unless you say yes.',
  approver: 'Another person’s assistant asks for this, and you may decide. Nothing happens unless you say yes.',
  asker_alone:
    'Above this amount another person must say yes. Give the address of this page to somebody who may; you can only say no.',
};

/** The terms to the letter, and two buttons. Nothing has the focus; "no" comes first. */
export function questionPage({ approval, environment, path, token, now, viewer }: Question): string {
  const alone = viewer?.role === 'asker_alone';
  const title = alone ? 'Another person’s decision is needed' : 'Your decision is needed';
  const yes = html`<button type="submit" name="decision" value="yes" class="yes">${approval.act}</button>`;
  const main = html`<h1>${title}</h1>
<p>${ASKED[viewer?.role ?? 'asker']}</p>
<h2 id="terms">The terms</h2>
<ul class="terms" role="list" aria-labelledby="terms">
${linesOf(approval.sections).map((line) => html`<li>${line}</li>\n`)}</ul>
<p>You can answer until ${clockTime(approval.expiresAt)} (${minutesLeft(approval.expiresAt - now)}). Without an answer, nothing happens.</p>
<form method="post" action="${path}" autocomplete="off" aria-label="Your answer">
<input type="hidden" name="token" value="${token}">
<button type="submit" name="decision" value="no">No, do nothing</button>
${alone ? undefined : yes}
</form>`;
  const foot = html`<p>fareclerk wrote these terms from the airline's own data, and reads the booking again before anything is sent: if the terms have changed by then, nothing is. It may take half a minute.</p>
${footer(approval.operationId, viewer)}`;
  return page({ title, environment, main, foot });
}

function footer(operationId: string, viewer: Viewer | undefined): Html {
  const who = viewer && html`<p>Signed in as ${viewer.name}</p>`;
  return html`<p>Operation <code>${operationId}</code></p>${who}`;
}

const TONE: Readonly<Record<DecisionOutcome['kind'], string>> = {
  done: 'good',
  declined: '',
  pending: 'wait',
  stale: 'bad',
  failed: 'bad',
  unknown: '',
};

export function outcomePage(shown: Shown & { readonly outcome: DecisionOutcome }): string {
  const { outcome, environment, path, approval, viewer } = shown;
  const { kind, title, lines } = outcome;
  const main = html`<h1 class="${TONE[kind]}">${title}</h1>
<div class="said">
${lines.map((line) => html`<p>${line}</p>\n`)}</div>
${kind === 'stale' ? ASK_ANEW : undefined}${kind === 'pending' ? html`<a class="again" href="${path}">See how it stands now</a>` : CLOSE}`;
  return page({ title, environment, main, foot: footer(approval.operationId, viewer) });
}

const ASK_ANEW = html`<p>Your yes was to the old terms and does not count for these. If you want the new ones, tell the assistant to ask you anew.</p>
`;

const CLOSE = html`<p>You can close this page and go back to the assistant.</p>`;

/** Goes to the question by itself: a strict cookie would not follow a redirect from another site. */
export function enterPage(environment: Environment, path: string): string {
  const main = html`<h1>One moment</h1>
<p><a href="${path}">Go to the question</a></p>`;
  return page({ title: 'One moment', environment, main }).replace(
    '</head>',
    `${htmlText(html`<meta http-equiv="refresh" content="0; url=${path}">`)}\n</head>`,
  );
}

/** For a person who signed in: the same for unknown approvals and those of others. */
export function nothingHereFor(environment: Environment, other: { address: string; name: string }): string {
  const main = html`<h1>There is nothing here for you</h1>
<p>You are signed in as ${other.name}. This address is not known, or the question is another person’s. Nothing was sent.</p>
<p><a href="${other.address}">Sign in as somebody else</a></p>`;
  return page({ title: 'There is nothing here for you', environment, main });
}

export function signedOut(environment: Environment, path: string): string {
  return stepPage(environment, path, 'Your sign-in has ended', 'Your answer was not taken, and nothing was sent.');
}

export function stepPage(environment: Environment, path: string, title: string, words: string): string {
  const main = html`<h1>${title}</h1>
<p>${words}</p>
<p><a class="again" href="${path}">Open the question again</a></p>`;
  return page({ title, environment, main });
}

export function plainPage(environment: Environment, title: string, lines: readonly string[]): string {
  const main = html`<h1>${title}</h1>
${lines.map((line) => html`<p>${line}</p>\n`)}`;
  return page({ title, environment, main });
}

function clockTime(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(11, 16)} UTC</time>`;
}

function minutesLeft(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute left';
  return minutes === 1 ? '1 minute left' : `${minutes} minutes left`;
}
