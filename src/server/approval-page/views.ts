/**
 * What the page says: the question, the outcome, and the plain pages. One heading, landmarks, no script.
 */
import type { Approval } from '../../guard/ports.ts';
import type { Environment } from '../answer.ts';
import type { PressOutcome } from '../press.ts';
import { type Html, html, htmlText, styleElement } from './html.ts';
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

export interface Question {
  readonly approval: Approval;
  readonly environment: Environment;
  /** Where the form goes: the page's own path. */
  readonly path: string;
  readonly token: string;
  readonly now: number;
}

/** The terms, word for word as approved, and two buttons. Nothing has the focus; "no" comes first. */
export function questionPage({ approval, environment, path, token, now }: Question): string {
  const main = html`<h1>Your decision is needed</h1>
<p>An assistant asks for this. Nothing happens unless you say yes.</p>
<h2 id="terms">The terms</h2>
<ul class="terms" role="list" aria-labelledby="terms">
${approval.lines.map((line) => html`<li>${line}</li>\n`)}</ul>
<p>You can answer until ${clockTime(approval.expiresAt)} (${minutesLeft(approval.expiresAt - now)}). Without an answer, nothing happens.</p>
<form method="post" action="${path}" autocomplete="off" aria-label="Your answer">
<input type="hidden" name="token" value="${token}">
<button type="submit" name="decision" value="no">No, do nothing</button>
<button type="submit" name="decision" value="yes" class="yes">${approval.act}</button>
</form>`;
  const foot = html`<p>fareclerk wrote these terms from the airline's own data, and reads the booking again before anything is sent: if the terms have changed by then, nothing is. It may take half a minute.</p>
<p>Operation <code>${approval.operationId}</code></p>`;
  return page({ title: 'Your decision is needed', environment, main, foot });
}

const TONE: Readonly<Record<PressOutcome['kind'], string>> = {
  done: 'good',
  declined: '',
  pending: 'wait',
  stale: 'bad',
  failed: 'bad',
  unknown: '',
};

export interface OutcomeView {
  readonly outcome: PressOutcome;
  readonly environment: Environment;
  readonly path: string;
  readonly operationId: string;
}

/** What came of it. It can be reloaded: looking decides nothing. */
export function outcomePage({ outcome, environment, path, operationId }: OutcomeView): string {
  const { kind, title, lines } = outcome;
  const main = html`<h1 class="${TONE[kind]}">${title}</h1>
<div class="said">
${lines.map((line) => html`<p>${line}</p>\n`)}</div>
${kind === 'stale' ? ASK_ANEW : undefined}${kind === 'pending' ? html`<a class="again" href="${path}">See how it stands now</a>` : CLOSE}`;
  return page({ title, environment, main, foot: html`<p>Operation <code>${operationId}</code></p>` });
}

const ASK_ANEW = html`<p>Your yes was to the old terms and does not count for these. If you want the new ones, tell the assistant to ask you anew.</p>
`;

const CLOSE = html`<p>You can close this page and go back to the assistant.</p>`;

/** On the way in where a cookie of the strict kind would not follow a redirect: our own page takes the step. */
export function enterPage(environment: Environment, path: string): string {
  const main = html`<h1>One moment</h1>
<p><a href="${path}">Go to the question</a></p>`;
  return page({ title: 'One moment', environment, main }).replace(
    '</head>',
    `${htmlText(html`<meta http-equiv="refresh" content="0; url=${path}">`)}\n</head>`,
  );
}

/** The same words for unknown, foreign, closed and used: nothing is learned by trying. */
export function nothingHere(environment: Environment): string {
  return plainPage(environment, 'There is nothing here', [
    'This address is not known, or it was used before. Nothing was sent.',
    'If an assistant is waiting for your decision, let it ask again, or run “fareclerk approve” in a terminal.',
  ]);
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
