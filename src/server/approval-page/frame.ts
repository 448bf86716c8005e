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

const OURS = [styleElement(STYLE), scriptElement(SCRIPT)];

const SANDBOX = html`<p class="badge">Sandbox: nothing here is real</p>`;

export function framed({ title, environment, main, foot, look = 'plain', refresh }: Frame): string {
  const { seconds = 0, path = '' } = refresh ?? {};
  const meta = refresh && html`<meta http-equiv="refresh" content="${seconds}; url=${path}">`;
  // The script stays where the person has scrolled to.
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
<header><p>fareclerk</p>${environment === 'sandbox' ? SANDBOX : undefined}</header>
<main>
${main}
</main>
${foot === undefined ? undefined : html`<footer>${foot}</footer>`}
</body>
</html>
`);
}
