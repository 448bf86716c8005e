/** Elements from data. Text becomes text nodes and attribute values, never markup. */

export type Child = Node | string | undefined | readonly Child[];
type Attribute = string | boolean | undefined;

export function el<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[T] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value) node.setAttribute(name, String(value));
  }
  node.append(...flat(children));
  return node;
}

/** All nodes and texts in order, without empty ones. */
function flat(children: readonly Child[]): (Node | string)[] {
  return (children.flat(8 as 4) as (Node | string)[]).filter(Boolean);
}

function one<T extends HTMLElement>(selector: string, within: ParentNode = document): T {
  return within.querySelector(selector) as T;
}

const status = one('[role=status]');

/** Puts other content into an element. */
export const fill = (node: Element, ...children: readonly Child[]): void => node.replaceChildren(...flat(children));

export function show(...nodes: readonly Child[]): void {
  const main = one('main');
  main.removeAttribute('aria-busy');
  fill(main, nodes);
}

/** Shows a text, which screen readers announce: after `near`, else at the foot. */
export function say(text: string, near?: Element): void {
  if (near) near.after(status);
  else if (!status.isConnected) document.body.append(status);
  // A text that comes with its element is not announced.
  setTimeout(() => {
    status.textContent = text;
  });
}

/** A text in a paragraph of a class; nothing for an empty text. */
export const para = (text: Child, name = ''): Child => (text ? el('p', { class: name }, text) : '');

export const soft = (text: Child): Child => para(text, 'soft');

/** The heading; below it a badge in the sandbox, and a note. */
export function head(title: string, { environment }: { readonly environment?: string } = {}, note = ''): HTMLElement {
  const badge = environment === 'sandbox' ? el('b', { class: 'badge' }, 'Sandbox, not real') : '';
  return el('header', {}, el('h1', {}, title), soft([badge, badge && note ? ' · ' : '', note]));
}

/** Empty if there is nothing to list. */
export function list(kind: string, items: readonly Child[]): Child {
  const rows = items.map((item) => el('li', {}, item));
  return rows.length > 0 ? el('ul', { class: kind }, rows) : '';
}

/** Closed until a person opens it. */
export const fold = (title: string, content: Child, open = false): Child =>
  el('details', { open }, el('summary', {}, title), content);

/** Joins what is there: false, undefined and empty parts are left out. */
export const join = (parts: readonly unknown[], by: string): string => parts.filter(Boolean).join(by);

/** Marks one of several buttons as pressed. */
export function press(pressed: Element | undefined, all: Iterable<Element>): void {
  for (const button of all) button.setAttribute('aria-pressed', String(button === pressed));
}

/** Arrow keys move the focus within `all`, of which Tab reaches one. */
export function moveFocus(to: HTMLElement | null | undefined, all: Iterable<HTMLElement>): void {
  if (!to) return;
  for (const each of all) each.tabIndex = each === to ? 0 : -1;
  to.focus();
}
