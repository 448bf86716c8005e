/** Makes the elements of the views from data. Text becomes text nodes and attribute values, never markup. */

/** Undefined, false and an empty text are left out. */
export type Child = Node | string | false | undefined | readonly Child[];

export function el<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[T] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value) node.setAttribute(name, String(value));
  }
  fill(node, children);
  return node;
}

/** Puts other content into an element. */
export function fill(node: Element, ...children: readonly Child[]): void {
  node.replaceChildren(...(children.flat(8 as 4) as (Node | string)[]).filter(Boolean));
}

const findElement = (selector: string) => document.querySelector(selector) as HTMLElement;
const status = findElement('[role=status]');

export function show(...content: readonly Child[]): void {
  const main = findElement('main');
  main.removeAttribute('aria-busy');
  fill(main, content);
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
export const paragraph = (text: Child, name = ''): Child => text && el('p', { class: name }, text);

/** Makes the heading of a view, and below it a badge in the sandbox, and a note. */
export function viewHead(title: string, { environment }: { readonly environment?: string }, note = ''): HTMLElement {
  const isSandbox = environment === 'sandbox';
  const badge = isSandbox && el('b', { class: 'badge' }, 'Sandbox, not real');
  return el('header', {}, el('h1', {}, title), paragraph([badge, isSandbox && note && ' · ', note], 'soft'));
}

/** Makes a list of a class. Empty if there is nothing to list. */
export const list = (kind: string, items: readonly Child[]): Child =>
  items.length > 0 &&
  el(
    'ul',
    { class: kind },
    items.map((item) => el('li', {}, item)),
  );

/** Makes a part that stays closed until a person opens it. */
export const foldedPart = (title: string, content: Child): Child =>
  el('details', {}, el('summary', {}, title), content);

/** Marks one of several buttons as pressed. */
export function markPressed(pressed: Element, buttons: Iterable<Element>): void {
  for (const button of buttons) button.setAttribute('aria-pressed', String(button === pressed));
}
