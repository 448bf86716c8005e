/** Makes the elements of the views from data. Text becomes text nodes and attribute values, never markup. */

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

/** Flattens nodes and texts in their order, and leaves out empty ones. */
function flat(children: readonly Child[]): (Node | string)[] {
  return (children.flat(8 as 4) as (Node | string)[]).filter(Boolean);
}

function findElement<T extends HTMLElement>(selector: string, within: ParentNode = document): T {
  return within.querySelector(selector) as T;
}

const status = findElement('[role=status]');

/** Puts other content into an element. */
export const fill = (node: Element, ...children: readonly Child[]): void => node.replaceChildren(...flat(children));

export function show(...nodes: readonly Child[]): void {
  const main = findElement('main');
  main.removeAttribute('aria-busy');
  fill(main, nodes);
}

/** Shows a text, which screen readers announce, after an element, or at the foot of the view. */
export function announce(text: string, after?: Element): void {
  if (after) after.after(status);
  else if (!status.isConnected) document.body.append(status);
  // A text that comes with its element is not announced.
  setTimeout(() => {
    status.textContent = text;
  });
}

/** Makes a paragraph of a class. Empty for an empty text. */
export const paragraph = (text: Child, name = ''): Child => (text ? el('p', { class: name }, text) : '');

export const softParagraph = (text: Child): Child => paragraph(text, 'soft');

/** Makes the heading of a view, and below it a badge in the sandbox, and a note. */
export function viewHead(
  title: string,
  { environment }: { readonly environment?: string } = {},
  note = '',
): HTMLElement {
  const badge = environment === 'sandbox' ? el('b', { class: 'badge' }, 'Sandbox, not real') : '';
  return el('header', {}, el('h1', {}, title), softParagraph([badge, badge && note ? ' · ' : '', note]));
}

/** Makes a list of a class. Empty if there is nothing to list. */
export function list(kind: string, items: readonly Child[]): Child {
  const rows = items.map((item) => el('li', {}, item));
  return rows.length > 0 ? el('ul', { class: kind }, rows) : '';
}

/** Makes a part that stays closed until a person opens it, unless it is `open` from the start. */
export const foldedPart = (title: string, content: Child, open = false): Child =>
  el('details', { open }, el('summary', {}, title), content);

/** Joins texts, and leaves out false, undefined and empty ones. */
export const joinPresent = (texts: readonly unknown[], separator: string): string =>
  texts.filter(Boolean).join(separator);

/** Marks one of several buttons as pressed. */
export function markPressed(pressed: Element | undefined, buttons: Iterable<Element>): void {
  for (const button of buttons) button.setAttribute('aria-pressed', String(button === pressed));
}

/** Moves the focus within a group of elements, of which the Tab key reaches one. */
export function moveFocus(to: HTMLElement | null | undefined, group: Iterable<HTMLElement>): void {
  if (!to) return;
  for (const each of group) each.tabIndex = each === to ? 0 : -1;
  to.focus();
}
