/**
 * Who may see an approval's page and decide there. On loopback that is whoever brings the one-time secret
 * (loopback-gate.ts); over HTTP it is the same person signed in. The page is the same.
 */
import type { IncomingMessage } from 'node:http';
import type { Approval } from '../../guard/ports.ts';

export type Entry =
  /** The person who is asked. `session` names their visit and binds the form; it is no secret of theirs. */
  | { readonly kind: 'ok'; readonly session: string }
  /** Somewhere else first: the address without its secret, or the sign-in. `cookie` is a Set-Cookie value. */
  | { readonly kind: 'redirect'; readonly location: string; readonly cookie?: string }
  /** Answered like an approval that does not exist. */
  | { readonly kind: 'refused' };

export interface Gate {
  authorize(request: IncomingMessage, approval: Approval): Entry | Promise<Entry>;
}
