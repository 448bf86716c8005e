/** Errors of both stores. */
import { ClerkError, type Effect } from '../core/errors.ts';
import { ForeignError } from '../files/foreign.ts';
import { isEarlier } from './migrations.ts';
import { SCHEMA_VERSION } from './tables.ts';

/** How a store is named to its operator. */
export interface StoreName {
  /** `The state file …` or `The database …`. */
  readonly what: string;
  /** What the operator does to use another one, as a clause after `The operator`. */
  readonly useAnother: string;
  /** Where the documentation says how to move it to the airline's new address. */
  readonly moveAirline: string;
}

export function cannotOpen(what: string, why: string, next: string, cause?: unknown): ClerkError {
  return new ClerkError('E_CONFIG', `${what} ${why} It was not changed.`, {
    next,
    ...(cause !== undefined && { cause }),
  });
}

/**
 * Runs `work`, which opens or makes what is on the disk. Without the path: a model reads these words.
 * @param setting names a folder of its own
 * @throws ClerkError E_CONFIG if another user could have written or replaced it
 */
export function ofThisUser<T>(what: string, setting: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof ForeignError)) throw cause;
    const { by } = cause.foreign;
    const danger = by === 'link' ? '. Nothing is read or made through it.' : ', who could replace the journal.';
    const closes = by === 'mode' ? 'closes it to other users as `fareclerk doctor` says, or ' : '';
    const next = `The operator ${closes}sets ${setting} to a folder of this user; \`fareclerk doctor\` names the present one.`;
    throw cannotOpen(what, `${cause.brief}${danger}`, next, cause);
  }
}

/** As this program writes it. Any other text could mean one version to one reader and another to the next. */
const VERSION_NUMBER = /^[1-9]\d{0,8}$/;

/**
 * `current`: of this program. `earlier`: a program takes it over at its start (migrations.ts). `stored`: as the state has it.
 * @throws ClerkError E_CONFIG
 */
export function ageOf({ what, useAnother }: StoreName, stored: unknown): 'current' | 'earlier' {
  if (!VERSION_NUMBER.test(String(stored)))
    throw cannotOpen(what, 'has a version that is no whole number.', `The operator restores a copy, or ${useAnother}.`);
  const version = Number(stored);
  if (version === SCHEMA_VERSION) return 'current';
  if (isEarlier(version)) return 'earlier';
  const [age, next] =
    version > SCHEMA_VERSION
      ? ['a newer', 'installs the newer fareclerk everywhere']
      : ['an older', 'first starts a fareclerk of a version between the two'];
  throw cannotOpen(
    what,
    `was written by ${age} fareclerk (its version is ${version}, this program needs ${SCHEMA_VERSION}).`,
    `The operator ${next}, or ${useAnother}.`,
  );
}

/**
 * Operations are settled by reading bookings: at the wrong airline, or with another agency's login, every one of them would
 * look gone. Throws ClerkError E_CONFIG.
 */
export function assertSameAirline({ what, useAnother, moveAirline }: StoreName, there: string, airline: string): void {
  if (there === airline) return;
  throw cannotOpen(
    what,
    `holds the journal of another airline or agency (${there}, not ${airline}).`,
    `The operator ${useAnother}; if it is the same airline at a new address, ${moveAirline}.`,
  );
}

/** The store cannot be used now. Use effect `none` only if nothing can have been sent to the airline. */
export function cannotUse(message: string, effect: Effect, cause: unknown): ClerkError {
  const next = 'Repeat the same call in 5 seconds; it is safe. If it lasts, tell the operator.';
  return new ClerkError('E_STATE_DOWN', message, { next, effect, retry: 'after_s:5', cause });
}
