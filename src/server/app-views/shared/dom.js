/**
 * Elements from data. Text becomes text nodes and attribute values, never markup.
 */

export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(4).filter((child) => child !== undefined && child !== ''));
  return node;
}

export function show(...nodes) {
  const main = document.querySelector('main');
  main.removeAttribute('aria-busy');
  main.replaceChildren(...nodes.flat(4).filter(Boolean));
}

/** Read out by screen readers, and seen at the foot. */
export function say(text) {
  document.querySelector('[role=status]').textContent = text;
}

/** The heading, with the badge of the practice airline. */
export function head(title, { environment } = {}, note = '') {
  return el(
    'header',
    {},
    el('h1', {}, title),
    environment === 'sandbox' ? el('span', { class: 'badge' }, 'Sandbox, not real') : '',
    note === '' ? '' : el('p', { class: 'soft' }, note),
  );
}

/** Names and values; pairs without a value are left away. */
export function facts(pairs) {
  const known = pairs.filter(([, value]) => value !== undefined && value !== '');
  return el(
    'dl',
    {},
    known.map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
  );
}

/** Nothing where there is nothing to list. */
export function list(kind, items) {
  if (items.length === 0) return '';
  const rows = items.map((item) => el('li', {}, item));
  return el('ul', { class: kind }, rows);
}

const zone = (text) => (/z$/i.test(text) ? ' UTC' : '');

/** `2026-12-01 08:00`, as the airline wrote it; UTC is said. */
export function when(text) {
  if (text === undefined || text.length < 16) return text;
  return `${text.slice(0, 10)} ${text.slice(11, 16)}${zone(text)}`;
}

/** `08:00 – 10:10`, and `+1` for the next day. */
export function span(departs, arrives) {
  const days = Math.round((Date.parse(arrives.slice(0, 10)) - Date.parse(departs.slice(0, 10))) / 864e5);
  const later = days ? ` ${days > 0 ? '+' : ''}${days}` : '';
  return `${departs.slice(11, 16)} – ${arrives.slice(11, 16)}${later}${zone(arrives)}`;
}

export function lasts(minutes) {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  return [days && `${days} d`, hours && `${hours} h`, !days && `${minutes % 60} min`].filter(Boolean).join(' ');
}
