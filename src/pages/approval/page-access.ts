/**
 * The port that says who may see an approval's page and decide there. On loopback it is whoever has the one-time link
 * (loopback.ts); on the public address it is a person who signed in (signed-in-access.ts). Both see the same page. Below it: the
 * paths of pages, and checks of requests and forms that do not depend on the person.
 */

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Approval } from '../../approvals/approval.ts';
import type { AnsweringRole } from '../../approvals/who-may-answer.ts';
import type { Money } from '../../core/money.ts';

/** A person who signed in. */
export interface Viewer {
  /** Shown on the page. */
  readonly name: string;
  /** A caller id, kept with the decision. */
  readonly id: string;
  readonly role: AnsweringRole;
  /** Above this amount their own yes does not count. Only for `asker_alone`. */
  readonly above?: Money | undefined;
  /** Where they sign in to say yes. Absent: they did. */
  readonly signIn?: string | undefined;
}

export type AccessResult =
  | {
      readonly kind: 'ok';
      /** Names the visit and binds the form to it; not secret. */
      readonly session: string;
      readonly viewer?: Viewer;
      /** Path of this visit's own page. Default: the approval's. */
      readonly path?: string;
    }
  /** The browser must go elsewhere first: to the address without its secret, or to the sign-in. `cookie` is a Set-Cookie value. */
  | { readonly kind: 'redirect'; readonly location: string; readonly cookie?: string }
  /** The form came after the sign-in ended. Its answer does not count. */
  | { readonly kind: 'signed_out' }
  /** The provider of sign-ins does not answer. */
  | { readonly kind: 'unavailable' }
  /** The reply is the same as for an approval that does not exist. `other`: where to sign in as somebody else. */
  | { readonly kind: 'refused'; readonly other?: { readonly address: string; readonly name: string } };

export interface PageAccess {
  /** Runs before the page shows anything about the approval, so that unknown and foreign approvals look alike. */
  authorize(
    request: IncomingMessage,
    operationId: string,
    approval: Approval | undefined,
  ): AccessResult | Promise<AccessResult>;
}

/** How long the page shows the outcome after the approval expired, milliseconds. */
export const LINGER_MS = 60 * 60_000;

/** The list of questions, where a sign-in or a path names an operation. */
export const INBOX_PLACE = '';

/** The list of decided questions: no operation has this id. */
export const DECIDED_PLACE = 'decided';

/** Path of a page: of an approval's (the place is its operation), or of a list on the public address. */
export function pagePath(place: string, base = ''): string {
  return `${base}/approve/${place}`;
}

/** Whether the Host header is ours. Requests with another one are refused, against DNS rebinding. */
export function isOurHost(request: IncomingMessage, origins: readonly string[]): boolean {
  const { host } = request.headers;
  return host !== undefined && origins.some((origin) => new URL(origin).host === host.toLowerCase());
}

/** Whether a form came from our page. Older browsers send no `Sec-Fetch-Site`; every POST has an `Origin`. */
export function isFromOurPage(request: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return (
    origin !== undefined && origins.includes(origin) && new URL(origin).host === request.headers.host?.toLowerCase()
  );
}

/** Compares two tokens in a time that does not reveal where they differ. */
export function isToken(received: string, expected: string): boolean {
  const receivedBytes = Buffer.from(received);
  const expectedBytes = Buffer.from(expected);
  return receivedBytes.length === expectedBytes.length && timingSafeEqual(receivedBytes, expectedBytes);
}

/** The query of a request's address. */
export function queryOf(url = ''): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}

/** Whether a request's address has this parameter: `refresh=off`. */
export function hasQuery(url: string | undefined, parameter: string): boolean {
  const [name = '', value] = parameter.split('=');
  return queryOf(url).get(name) === value;
}
