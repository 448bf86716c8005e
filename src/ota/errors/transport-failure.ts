/** Says how an HTTP exchange failed without a complete reply, and whether its request may have left. */

export type FailureKind =
  /** No connection: refused, unknown host, connect or TLS failure. Never sent. */
  | 'unreachable'
  /** The fence was closed. Never sent. */
  | 'fenced'
  /** The request could not be written as HTTP (a setting with forbidden characters). Never sent. */
  | 'unwritable'
  /** The total deadline passed, or the airline was silent too long. */
  | 'timeout'
  /** The caller gave up. */
  | 'aborted'
  /** The connection ended before a reply began. */
  | 'closed'
  /** The connection ended within the reply. */
  | 'truncated'
  /** More bytes than are read, on the wire or unpacked. */
  | 'too_large'
  /** Not HTTP, or an encoding that was not asked for. */
  | 'garbled'
  /** A text that is neither UTF-8 nor in the charset that it names. */
  | 'undecodable';

/** Internal to the adapter: errors/exchange-errors.ts turns it into a ClerkError. */
export class TransportFailure extends Error {
  readonly kind: FailureKind;
  /** False only if no byte of the request can have left. */
  readonly sent: boolean;

  constructor(kind: FailureKind, sent: boolean, details: { cause?: unknown } = {}) {
    super(`http ${kind}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'TransportFailure';
    this.kind = kind;
    this.sent = sent;
  }
}

/** Codes of undici's and Node's errors by what they mean. */
const TOO_LARGE = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW', 'ERR_BUFFER_TOO_LARGE']);
const SILENT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
const UNWRITABLE = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/**
 * Classifies an error of undici, net, tls or zlib.
 * @param sent whether a byte of the request may have left
 * @param hasStatus whether the reply's status line came
 */
export function classifyFailure(error: unknown, sent: boolean, hasStatus: boolean): FailureKind {
  const code = errorCode(error);
  if (!sent) return UNWRITABLE.has(code) ? 'unwritable' : 'unreachable';
  if (TOO_LARGE.has(code)) return 'too_large';
  if (SILENT.has(code)) return 'timeout';
  if (hasStatus) return 'truncated';
  return error instanceof Error && error.name === 'HTTPParserError' ? 'garbled' : 'closed';
}

function errorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
