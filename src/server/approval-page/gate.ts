/**
 * Who may see an approval's page and decide there. On loopback that is whoever brings the one-time secret
 * (loopback-gate.ts); on the public address a person who signed in (sign-in-gate.ts). The page is the same.
 */
import type { IncomingMessage } from 'node:http';
import type { Approval } from '../../approvals/ports.ts';

/** Who decides, where that is known. */
export interface Visitor {
  /** How they are called: for their own page. */
  readonly name: string;
  /** As callers are named: kept with the decision. */
  readonly id: string;
  /** The asker's own question; another's, decided by role; or the asker's own that needs another person's yes. */
  readonly part: 'asker' | 'approver' | 'asker_alone';
}

export type Entry =
  /** A person who may look. `session` names their visit and binds the form; it is no secret of theirs. */
  | {
      readonly kind: 'ok';
      readonly session: string;
      readonly visitor?: Visitor;
      /** Path of this visit's own page. Default: the approval's. */
      readonly path?: string;
    }
  /** Somewhere else first: the address without its secret, or the sign-in. `cookie` is a Set-Cookie value. */
  | { readonly kind: 'redirect'; readonly location: string; readonly cookie?: string }
  /** A form of somebody whose sign-in has ended: nothing of it is taken. */
  | { readonly kind: 'signed_out' }
  /** Nobody can sign in just now. */
  | { readonly kind: 'unavailable' }
  /** Answered like an approval that does not exist. `other`: where to sign in as somebody else. */
  | { readonly kind: 'refused'; readonly other?: { readonly address: string; readonly name: string } };

export interface Gate {
  /** Asked before anything is told of the approval, so that unknown and foreign look alike. */
  authorize(request: IncomingMessage, operationId: string, approval: Approval | undefined): Entry | Promise<Entry>;
}
