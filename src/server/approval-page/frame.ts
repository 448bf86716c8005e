/** The frame of every page: head, landmarks, badge. One heading, one script. */
import type { Environment } from '../../approvals/answer.ts';
import { type Html, html, htmlText, scriptElement, styleElement } from './html.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

interface Frame {
  readonly title: string;
  readonly environment: Environment;
  readonly main: Html;
  readonly foot?: Html;
  /** Colours the page by what is asked: `payment`, `cancellation` or `change`. */
  readonly look?: string;
  /** Goes to `path` after so many seconds. */
  readonly refresh?: { readonly seconds: number; readonly path: string };
}

/** Seconds between two looks at a plan that runs. A host that ends gives its server four. */
export const PLAN_REFRESH_SECONDS = 2;

const OURS = [styleElement(STYLE), scriptElement(SCRIPT)];

const BADGES = {
  sandbox: html`<p class="badge">Sandbox: nothing here is real</p>`,
  rehearsal: html`<p class="badge">Rehearsal: nothing here is real</p>`,
  live: undefined,
};

/** Shown by the script while the server does not answer. */
function silent(seconds: number): Html {
  return html`<p class="silent" role="alert" data-silent hidden>The server of this page does not answer now. What you see was true when it last answered. It is asked again every ${seconds} seconds; the assistant can tell you too.</p>
`;
}

export function framed({ title, environment, main, foot, look = 'plain', refresh }: Frame): string {
  const { seconds = 0, path = '' } = refresh ?? {};
  const meta = refresh && html`<meta http-equiv="refresh" content="${seconds}; url=${path}">`;
  // The script renews it in place.
  const again = meta && html`${seconds === 0 ? meta : html`<noscript>${meta}</noscript>`}\n`;
  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} &ndash; fareclerk</title>
${again}${OURS}
</head>
<body class="${look}"${seconds === 0 ? undefined : html` data-again="${seconds}"`}>
<header><p>fareclerk</p>${BADGES[environment]}</header>
${seconds === 0 ? undefined : silent(seconds)}<main>
${main}
</main>
${foot === undefined ? undefined : html`<footer>${foot}</footer>`}
</body>
</html>
`);
}
