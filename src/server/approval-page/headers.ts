/**
 * Headers of every answer. Nothing but our own style sheet runs or loads, nobody may frame the page or keep a copy.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { STYLE_HASH } from './style.ts';

export const PAGE_HEADERS: Readonly<OutgoingHttpHeaders> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${STYLE_HASH}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Not `no-referrer`: with that a browser sends `Origin: null` with the form (Fetch standard, Origin header), and the
  // origin could not be checked. Nothing is told to any other site either way.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
};

/** On the way in, while the address still has the secret in it: not even the page itself learns it as a referrer. */
export const ENTRY_HEADERS: Readonly<OutgoingHttpHeaders> = { ...PAGE_HEADERS, 'referrer-policy': 'no-referrer' };
