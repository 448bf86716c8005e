/** The answer to a tool call, independent of the protocol: a result, or a question to a person. */

import { joined } from '../core/words.ts';

export type Environment = 'sandbox' | 'live' | 'rehearsal';

export const AFTER_STATUS = [
  'done',
  'already_done',
  'pending',
  'approval_required',
  'details_required',
  'needs_person',
] as const;
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

/**
 * What both halves of a result say before anything else: {@link result} makes both of it.
 */
// A type: an interface has no index signature, and fields of any name are read beside it.
export type ResultHead = {
  /** What happened or was found, in one sentence that can be said aloud. */
  readonly summary?: string | undefined;
  /** What to do now, and what not. Absent: the work is finished. */
  readonly next?: string | undefined;
  /** What the person has to hear first. */
  readonly warnings?: readonly string[] | undefined;
};

/** Fields for programs and not for models, such as `operation_id`. MCP has them in `_meta`, under our prefix. */
export type Meta = Readonly<Record<string, unknown>>;

export interface Result {
  readonly kind: 'result';
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly meta?: Meta;
  /** Shown beside the text to clients that know resource links. */
  readonly links?: readonly ResourceLink[];
}

/** Form elicitation schema (MCP): `decision` is `no` or the words of the act. No default. */
export interface FormSchema {
  readonly type: 'object';
  readonly properties: {
    readonly decision: { readonly type: 'string'; readonly title: string; readonly enum: string[] };
  };
  readonly required: ['decision'];
}

/** A question in a call whose details were entered on the details page. */
interface AfterDetails {
  /** The call with the answer needs it too. */
  readonly detailsId?: string;
}

/** A question for the host's dialog. The host calls again with the handle and the answer. */
export interface Ask extends AfterDetails {
  readonly kind: 'ask';
  readonly message: string;
  readonly form: FormSchema;
  readonly handle: string;
  /** When this showing was asked, milliseconds since 1970: its answer is measured from it. */
  readonly askedAt?: number;
}

/** A page that the client opens for its user (URL elicitation). */
export interface AskOnPage extends AfterDetails {
  readonly kind: 'ask_url';
  readonly message: string;
  readonly url: string;
  readonly handle: string;
  readonly askedAt?: number;
}

/** The details page, which the client opens for its user (URL elicitation). The host calls again with the id. */
export interface AskDetails {
  readonly kind: 'ask_details';
  readonly message: string;
  readonly url: string;
  readonly detailsId: string;
  /** Resolves once all is entered, its time is over, or `isOver` says that nobody waits any more. */
  completed(isOver: () => boolean): Promise<void>;
}

export type Answer = Result | Ask | AskOnPage | AskDetails;

export function sandboxed(environment: Environment, text: string): string {
  return environment === 'live' ? text : `[${environment}] ${text}`;
}

/** The settings of a call that its results depend on. */
interface ResultCall {
  readonly settings: {
    readonly environment: Environment;
    /** Adds the flags to the commands that our own words name that make them read these settings. */
    readonly typed?: (text: string) => string;
  };
}

interface ResultParts<F> {
  readonly head: ResultHead;
  readonly fields: F;
  /** The body of the text, or how to write it from the fields and nothing else. */
  readonly body?: string | ((fields: F) => string);
  readonly meta?: Meta | undefined;
}

/**
 * A result with the same head, fields and commands in its text and in its structured half.
 * @param status absent where nobody could have been asked, or the fields have it
 */
export function result<F extends object>(
  { settings: { environment, typed: withRunnableCommands = asIs } }: ResultCall,
  status: AfterStatus | undefined,
  { head: { summary, next, warnings = [] }, fields, body = '', meta }: ResultParts<F>,
): Result {
  // In the order in which they are read.
  const head = {
    summary: summary && withRunnableCommands(summary),
    next: next && withRunnableCommands(next),
    warnings: warnings.length === 0 ? undefined : [...warnings],
  };

  const lines = [
    head.summary,
    ...warnings.map((warning) => `WARNING: ${warning}`),
    typeof body === 'function' ? body(fields) : body,
    head.next && `Next: ${head.next}`,
  ];

  return {
    kind: 'result',
    text: sandboxed(environment, joined(lines, '\n')),
    structured: { environment, status, ...head, ...fields },
    isError: false,
    meta,
  };
}

function asIs(text: string): string {
  return text;
}

/** The booking of a result that knows nothing of it but its locator. */
export function nameOnly(locator: string | undefined) {
  return locator === undefined ? undefined : { locator };
}

/** How to repeat a call: `call pay_booking with the same arguments and approval_id ap_1`. */
export function sameCall(tool: string, handle: string | undefined, detailsId?: string): string {
  const details = detailsId === undefined ? '' : `, details "${detailsId}"`;
  return `call ${tool} with the same arguments${details}${handle === undefined ? '' : ` and approval_id ${handle}`}`;
}
