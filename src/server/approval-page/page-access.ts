/**
 * Who may see an approval's page and decide there: on loopback whoever has the one-time link (loopback.ts), on the
 * public address a person who signed in (signed-in-access.ts). The page is the same.
 */
import type { IncomingMessage } from 'node:http';
import type { Approval } from '../../approvals/ports.ts';

/** A person who signed in. */
export interface Viewer {
  /** Shown on the page. */
  readonly name: string;
  /** A caller id, kept with the decision. */
  readonly id: string;
  /** Their own question; another person's, which their role may decide; or their own that needs another person's yes. */
  readonly role: 'asker' | 'approver' | 'asker_alone';
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
  /** Must go elsewhere first: to the address without its secret, or to the sign-in. `cookie` is a Set-Cookie value. */
  | { readonly kind: 'redirect'; readonly location: string; readonly cookie?: string }
  /** Sent a form after the sign-in ended. The answer does not count. */
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'unavailable' }
  /** Came with the secret of an address that was used before: sees what became of the question, without names. */
  | { readonly kind: 'used' }
  /** Gets the same reply as for an approval that does not exist. `other`: where to sign in as somebody else. */
  | { readonly kind: 'refused'; readonly other?: { readonly address: string; readonly name: string } };

export interface PageAccess {
  /** Runs before anything about the approval is shown, so that unknown and foreign approvals look alike. */
  authorize(
    request: IncomingMessage,
    operationId: string,
    approval: Approval | undefined,
  ): AccessResult | Promise<AccessResult>;
}

/** How long the page shows the outcome after the approval expired, milliseconds. */
export const LINGER_MS = 60 * 60_000;

/** Path of an approval's page, below the base. */
export function pagePath(operationId: string, base = ''): string {
  return `${base}/approve/${operationId}`;
}

/** The place of a sign-in that lists questions and opens none: no operation is called so. */
export const INBOX_PLACE = '*';

/** Path of a place of the public address: of an approval's page, or of the list. */
export function placePath(place: string, base = ''): string {
  return place === INBOX_PLACE ? `${base}/approve/` : pagePath(place, base);
}
