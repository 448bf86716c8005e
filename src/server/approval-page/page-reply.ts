/** Replies of the page. Only our own style sheet and script load; nobody may frame the page or keep a copy. */
import { SCRIPT_HASH } from './script.ts';
import { STYLE_HASH } from './style.ts';
import type { TicketFile } from './ticket-files.ts';

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${STYLE_HASH}; script-src ${SCRIPT_HASH}; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Not `no-referrer`: with it a browser sends `Origin: null` with the form (Fetch standard, Origin header), and the
  // origin could not be checked. Other sites learn nothing either way.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
};

/** For addresses with a secret or a code of the provider in them: not even the page itself gets those as a referrer. */
export const NO_REFERRER = { 'referrer-policy': 'no-referrer' };

export function pageReply(
  status: number,
  body: string | null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  // The rest of a refused body is not read, so the connection must close.
  const close = status === 413 || status === 415 ? { connection: 'close' } : {};
  return new Response(body, { status, headers: { ...PAGE_HEADERS, ...close, ...headers } });
}

/** A PDF to keep. The name has no character that could end the header's quotation marks. */
export function fileReply({ name, bytes }: TicketFile): Response {
  const safe = name.replace(/[^\w.-]/g, '_').slice(0, 80);
  return new Response(Buffer.from(bytes), {
    headers: {
      ...PAGE_HEADERS,
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${safe}"`,
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
}
