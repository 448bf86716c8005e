/** Makes the HTML of the approval and details pages: templates that escape every string, icons, and the frame around each page. */

import type { Environment } from '../../approvals/answer.ts';
import type { Sentence } from '../../approvals/asked-act.ts';
import { own } from '../../core/own.ts';
import { SCRIPT, STYLE } from './files.ts';

/** Seconds after which the page of a running plan renews itself: fewer than the four that a host leaves its server when it ends. */
export const PLAN_REFRESH_SECONDS = 2;

/** The query of an address whose page does not renew itself. */
export const NO_REFRESH = 'refresh=off';

const markup: unique symbol = Symbol('markup');

/** Markup that is already safe to send. */
export interface Html {
  readonly [markup]: string;
}

type HtmlValue = string | number | Sentence | Html | readonly Html[] | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text, and attribute values in quotation marks (HTML, section 13.1.2). */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => own(ENTITIES, character) ?? '');
}

/** Escapes all values but markup; `undefined` becomes nothing. Attributes need quotation marks. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const texts = strings.map((literal, n) => literal + (n < values.length ? rendered(values[n]) : ''));
  return { [markup]: texts.join('') };
}

/** Does not escape: for our own style sheet only. */
function styleElement(css: string): Html {
  return { [markup]: `<style>${css}</style>` };
}

/** Does not escape: for our own script only. As a module it runs once the page is read. */
function scriptElement(script: string): Html {
  return { [markup]: `<script type="module">${script}</script>` };
}

function htmlText(page: Html): string {
  return page[markup];
}

function rendered(value: HtmlValue): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((part: Html) => part[markup]).join('');
  return typeof value === 'object' && markup in value ? value[markup] : escapeHtml(String(value));
}

const PATHS = {
  payment: 'M2 5h20v14H2zM2 10h20M6 15h4',
  cancellation: 'M12 3 2 21h20zM12 10v5M12 18v.5',
  change: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  caution: 'M12 3 2 21h20zM12 10v5M12 18v.5',
  good: 'M4 12l6 6L20 6',
  bad: 'M12 2a10 10 0 1 0 .01 0zM12 7v6M12 16v.5',
  wait: 'M12 2a10 10 0 1 0 .01 0zM12 7v6l4 2',
  no: 'M6 6l12 12M18 6 6 18',
  to: 'M3 12h17M14 6l6 6-6 6',
} as const;

/** Draws an icon. Screen readers read only the words beside it. */
export function icon(name: keyof typeof PATHS): Html {
  return html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="${PATHS[name]}"/></svg>`;
}

/** Draws `→`, which not every font has. Copies and screen readers get the letter. */
export function withArrows(line: string): Html {
  const [first = '', ...rest] = line.split('→');
  return html`${first}${rest.map((part) => html`${icon('to')}<span class="hidden">&rarr;</span>${part}`)}`;
}

interface Frame {
  readonly title: string | Sentence;
  readonly environment: Environment;
  readonly main: Html;
  readonly foot?: Html;
  /** Colours the page by what is asked: `payment`, `cancellation` or `change`. */
  readonly look?: string;
  /** The script renews the page in place after so many seconds; without a script the browser goes to `path`. */
  readonly refresh?: { readonly seconds: number; readonly path: string };
}

const OWN_ELEMENTS = [styleElement(STYLE), scriptElement(SCRIPT)];

const BADGES = {
  sandbox: html`<p class="badge">Sandbox: nothing here is real</p>`,
  rehearsal: html`<p class="badge">Rehearsal: nothing here is real</p>`,
  live: undefined,
};

/** A list below its heading; nothing without items. @param items each an `li` */
export function listSection(id: string, title: string, items: readonly Html[]): Html | undefined {
  if (items.length === 0) return undefined;
  return html`<section class="${id}" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
<ul role="list" aria-labelledby="${id}">
${items}</ul></section>
`;
}

/** Says whether a page renews itself, with a link that changes it (WCAG 2.2, 2.2.1 Timing Adjustable). */
export function refreshNote(what: 'list' | 'page', refresh: Frame['refresh'], path: string): Html {
  return refresh === undefined
    ? html`<p class="soft">This ${what} does not refresh by itself. <a href="${path}">Refresh automatically</a></p>`
    : html`<p class="soft">This ${what} refreshes every ${refresh.seconds} seconds. <a href="${path}?${NO_REFRESH}">Stop refreshing</a></p>`;
}

/** Words that the script shows while the server does not answer. */
function silenceNotice(seconds: number): Html {
  return html`<p class="silent" role="alert" data-silent hidden>This page can't reach its server now. What you see was true when the server last answered. The page tries again every ${seconds} seconds, and you can also ask the assistant.</p>
`;
}

/** Writes a whole page around its main part. */
export function framed({ title, environment, main, foot, look = 'plain', refresh }: Frame): string {
  const { seconds, path } = refresh ?? {};
  const refreshMeta = html`<noscript><meta http-equiv="refresh" content="${seconds}; url=${path}"></noscript>\n`;

  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} &ndash; fareclerk</title>
${refresh && refreshMeta}${OWN_ELEMENTS}
</head>
<body class="${look}"${refresh && html` data-again="${seconds}"`}>
<header><p>fareclerk</p>${BADGES[environment]}</header>
${refresh && silenceNotice(refresh.seconds)}<main>
${main}
</main>
${foot === undefined ? undefined : html`<footer>${foot}</footer>`}
</body>
</html>
`);
}
