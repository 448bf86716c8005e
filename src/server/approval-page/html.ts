/** HTML templates that escape every string; only `html` makes markup. */
import { own } from '../../core/own.ts';

const markup: unique symbol = Symbol('markup');

/** Markup that is already safe to send. */
export interface Html {
  readonly [markup]: string;
}

type HtmlValue = string | number | Html | readonly Html[] | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attribute values in quotation marks (HTML, section 13.1.2). */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => own(ENTITIES, character) ?? '');
}

/** Escapes all values but markup; `undefined` becomes nothing. Attributes need quotation marks. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const parts = strings.map((literal, n) => literal + (n < values.length ? rendered(values[n]) : ''));
  return { [markup]: parts.join('') };
}

/** Not escaped: for our own style sheet only. */
export function styleElement(css: string): Html {
  return { [markup]: `<style>${css}</style>` };
}

/** Not escaped: for our own script only. As a module it runs once the page is read. */
export function scriptElement(script: string): Html {
  return { [markup]: `<script type="module">${script}</script>` };
}

export function htmlText(page: Html): string {
  return page[markup];
}

function rendered(value: HtmlValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if (markup in value) return value[markup];
  return value.map((part) => part[markup]).join('');
}
