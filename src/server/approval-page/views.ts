/** Plain pages: steps on the way to the question, and refusals. */
import type { Environment } from '../../approvals/answer.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';

/** Goes to the question by itself: a strict cookie would not follow a redirect from another site. */
export function enterPage(environment: Environment, path: string): string {
  const main = html`<h1>One moment</h1>
<p><a href="${path}">Go to the question</a></p>`;
  return framed({ title: 'One moment', environment, main, refresh: { seconds: 0, path } });
}

/** For a person who signed in: the same for unknown approvals and those of others. */
export function nothingHereFor(environment: Environment, other: { address: string; name: string }): string {
  const main = html`<h1>There is nothing here for you</h1>
<p>You are signed in as ${other.name}. This address is not known, or the question is another person&rsquo;s.</p>
<p><a href="${other.address}">Sign in as somebody else</a></p>`;
  return framed({ title: 'There is nothing here for you', environment, main });
}

export function signedOut(environment: Environment, path: string): string {
  return stepPage(environment, path, 'Your sign-in has ended', 'Your answer was not taken, and decided nothing.');
}

/** For who opens the first address of a question again, after its answer: what became of it, without names. */
export function usedLinkPage(environment: Environment, title: string): string {
  const lines = [
    'This link was used before. The page that it opened then shows more, and the assistant can say it too.',
  ];
  return plainPage(environment, title, lines);
}

/** @param again what the link to `path` says */
export function stepPage(
  environment: Environment,
  path: string,
  title: string,
  words: string,
  again = 'Open the question again',
): string {
  const main = html`<h1>${title}</h1>
<p>${words}</p>
<p><a class="again" href="${path}">${again}</a></p>`;
  return framed({ title, environment, main });
}

export function plainPage(environment: Environment, title: string, lines: readonly string[]): string {
  const main = html`<h1>${title}</h1>
${lines.map((line) => html`<p>${line}</p>\n`)}`;
  return framed({ title, environment, main });
}
