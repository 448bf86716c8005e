/**
 * HTML by template, escaped by default: every string is data, and only `html` itself makes markup.
 */

const markup: unique symbol = Symbol('markup');

/** Markup that is already safe to send. */
export interface Html {
  readonly [markup]: string;
}

export type HtmlValue = string | number | Html | readonly Html[] | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attribute values in quotation marks (HTML, section 13.1.2). */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Values are escaped unless they are markup themselves; `undefined` leaves nothing. Attributes need quotation marks. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const parts = strings.map((literal, n) => literal + (n < values.length ? rendered(values[n]) : ''));
  return { [markup]: parts.join('') };
}

/** A style sheet of our own, as it stands: nobody's data goes through here. */
export function styleElement(css: string): Html {
  return { [markup]: `<style>${css}</style>` };
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
