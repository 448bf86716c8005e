/** The answer to a tool call, independent of the protocol: a result, or a question to a person. */
import type { FormSchema } from './dialog.ts';

export type Environment = 'sandbox' | 'live';

export const AFTER_STATUS = ['done', 'already_done', 'pending', 'approval_required', 'needs_person'] as const;
export type AfterStatus = (typeof AFTER_STATUS)[number];

/** A document that a client can read by its address (resources/read). */
export interface ResourceLink {
  readonly uri: string;
  /** For people. */
  readonly name: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size?: number;
}

export interface Result {
  readonly kind: 'result';
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Shown beside the text to clients that know resource links. */
  readonly links?: readonly ResourceLink[];
}

/** A question for the host's dialog. The host calls again with the handle and the answer. */
export interface Ask {
  readonly kind: 'ask';
  readonly message: string;
  readonly form: FormSchema;
  readonly handle: string;
}

/** A page that the client opens for its user (URL elicitation). */
export interface AskOnPage {
  readonly kind: 'ask_url';
  readonly message: string;
  readonly url: string;
  readonly handle: string;
}

export type Answer = Result | Ask | AskOnPage;

export function sandboxed(environment: Environment, text: string): string {
  return environment === 'sandbox' ? `[sandbox] ${text}` : text;
}
