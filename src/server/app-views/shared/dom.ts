/** Elements from data. Text becomes text nodes and attribute values, never markup. */
import type { Data } from './result.ts';

export type Child = Node | string | undefined | readonly Child[];
type Attribute = string | boolean | undefined | ((event: Event) => void);

export function el<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[T] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...flat(children));
  return node;
}

/** All nodes and texts in order, without empty ones. */
function flat(children: readonly Child[]): (Node | string)[] {
  const nodes = children.flat(4) as readonly (Node | string | undefined)[];
  return nodes.filter((node): node is Node | string => node !== undefined && node !== '');
}

export function one<T extends HTMLElement>(selector: string, within: ParentNode = document): T {
  return within.querySelector(selector) as T;
}

export function show(...nodes: readonly Child[]): void {
  const main = one('main');
  main.removeAttribute('aria-busy');
  main.replaceChildren(...flat(nodes));
}

/** Shows a text at the foot, which screen readers announce. */
export function say(text: string): void {
  one('[role=status]').textContent = text;
}

/** The heading, with a badge in the sandbox. */
export function head(title: string, { environment }: Pick<Data, 'environment'> = {}, note = ''): HTMLElement {
  return el(
    'header',
    {},
    el('h1', {}, title),
    environment === 'sandbox' ? el('span', { class: 'badge' }, 'Sandbox, not real') : '',
    note === '' ? '' : el('p', { class: 'soft' }, note),
  );
}

/** Names and values, without the pairs that have no value. */
export function facts(pairs: readonly (readonly [string, Child])[]): HTMLElement {
  const known = pairs.filter(([, value]) => value !== undefined && value !== '');
  return el(
    'dl',
    {},
    known.map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
  );
}

/** Empty if there is nothing to list. */
export function list(kind: string, items: readonly Child[]): Child {
  if (items.length === 0) return '';
  const rows = items.map((item) => el('li', {}, item));
  return el('ul', { class: kind }, rows);
}

/** Joins what is there: false, undefined and empty parts are left out. */
export const join = (parts: readonly unknown[], by: string): string => parts.filter(Boolean).join(by);

const zone = (text: string) => (/z$/i.test(text) ? ' UTC' : '');

/** `2026-12-01 08:00`, as the airline wrote it; names UTC. */
export function when(text: string | undefined): string | undefined {
  if (text === undefined || text.length < 16) return text;
  return `${text.slice(0, 10)} ${text.slice(11, 16)}${zone(text)}`;
}

/** `08:00 – 10:10`, and `+1` for the next day. */
export function span(departs: string, arrives: string): string {
  const days = Math.round((Date.parse(arrives.slice(0, 10)) - Date.parse(departs.slice(0, 10))) / 864e5);
  const later = days ? ` ${days > 0 ? '+' : ''}${days}` : '';
  return `${departs.slice(11, 16)} – ${arrives.slice(11, 16)}${later}${zone(arrives)}`;
}

export function lasts(minutes: number): string {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  return join([days && `${days} d`, hours && `${hours} h`, !days && `${minutes % 60} min`], ' ');
}
