/**
 * Decides what a whole reply is: the answer, a refusal, or nothing that can be relied on.
 *
 * A reply is good when it is 2xx and holds no error form; `success` is missing from several good replies
 * (docs/wire/notes.md, Errors).
 */
import type { ClerkError } from '../../errors.ts';
import type { HttpReply } from '../transport/http.ts';
import { asList, isObject, type JsonBounds, readJson } from '../transport/json.ts';
import {
  type Circumstance,
  conflicting,
  contradictory,
  doneBefore,
  foreign,
  malformed,
  systemFailed,
  unexplained,
  unreadable,
} from './exchange-errors.ts';
import { type FaultForm, readFault } from './fault-forms.ts';
import { isSystemFailure, mayBeDuplicate, provesRefusal, refusal, shown } from './faults.ts';
import { namesABooking } from './reply-identity.ts';

export interface Expected<T> extends JsonBounds {
  /** Whether the reply is about what was asked; undefined where replies of this kind do not say. */
  readonly about?: (body: unknown) => boolean;
  /** Reads the reply; what it throws means that the reply is not what was due. */
  readonly decode: (body: unknown) => T;
  /** Codes that say of this message that it is done already, perhaps by itself: they refuse nothing. */
  readonly echoes?: readonly string[];
  /** A good status without a body is the answer (204). */
  readonly mayBeEmpty?: true;
  /** Of a search: how many legs it has. */
  readonly legs?: number;
}

/** The answer in a reply. Throws ClerkError for anything else. */
export function judge<T>(reply: HttpReply, expected: Expected<T>, at: Circumstance): T {
  const { status } = reply;
  const good = status >= 200 && status < 300;
  const reading = readJson(reply.text, expected);
  const fault = reading.ok ? readFault(status, reading.value) : undefined;
  if (fault !== undefined) {
    const echo = fault.code !== undefined && expected.echoes?.includes(fault.code) === true;
    const doubts = { echo, result: reading.ok && bringsResult(reading.value, at) };
    throw faultError(reply, fault, doubts, { ...at, ...(expected.legs && { legs: expected.legs }) });
  }
  if (!good) throw bareStatus(reply, at);
  if (!reading.ok && reading.problem === 'empty' && expected.mayBeEmpty)
    return decoded(undefined, expected, status, at);
  if (!reading.ok) throw unreadable(reading.problem, status, at);
  if (expected.about?.(reading.value) === false) throw foreign(status, at);
  return decoded(reading.value, expected, status, at);
}

function decoded<T>(body: unknown, expected: Expected<T>, status: number, at: Circumstance): T {
  try {
    return expected.decode(body);
  } catch (cause) {
    throw malformed(cause, status, at);
  }
}

/** What speaks against taking an error for a refusal. */
interface Doubts {
  readonly echo: boolean;
  readonly result: boolean;
}

/** An error in one of the documented forms. On a send it counts as a refusal only where it proves one. */
function faultError(
  reply: HttpReply,
  fault: FaultForm,
  doubts: Doubts,
  at: Circumstance & { readonly legs?: number },
): ClerkError {
  const { status, retryAfterSeconds } = reply;
  const context = { ...at, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  const duplicate = mayBeDuplicate(fault, at.operation);
  const doubtful = doubts.echo || duplicate || (doubts.result && status < 300);
  const proven = provesRefusal(status, fault) && !doubtful;
  if (!at.sending || proven) return refusal(fault, context);
  if (isSystemFailure(fault)) return systemFailed(status, shown(fault), at, retryAfterSeconds);
  if (doubts.echo) return doneBefore(shown(fault), at);
  if (duplicate) return conflicting(shown(fault), at);
  if (status >= 200 && status < 300) return contradictory(shown(fault), at);
  return unexplained(status, shown(fault), at, retryAfterSeconds);
}

/** A bad status without an error form. 401 and 429 are refusals by themselves; others may come from a bystander. */
function bareStatus(reply: HttpReply, at: Circumstance): ClerkError {
  const { status, retryAfterSeconds } = reply;
  const denied = status === 401 || status === 429 || (!at.sending && status === 403);
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return denied ? refusal({ status }, { ...at, ...wait }) : unexplained(status, { status }, at, retryAfterSeconds);
}

/** Parts of a reply that only a good one has. */
const RESULTS = ['success', 'airReservation', 'ticketItemInfo'];

/** Whether a reply carries, beside its error, what an act brings about: then it says both yes and no. */
function bringsResult(body: unknown, { operation }: Circumstance): boolean {
  const made = operation === 'book' || operation === 'group_book';
  return isObject(body) && (holdsResult(body) || (made && namesABooking(body)));
}

/** One of those parts, or the word that a cancellation ends in. */
function holdsResult(body: Readonly<Record<string, unknown>>): boolean {
  const cancelled = typeof body.status === 'string' && body.status.toUpperCase() === 'CANCELLED';
  return cancelled || RESULTS.some((part) => asList(body[part]).some(isObject));
}
