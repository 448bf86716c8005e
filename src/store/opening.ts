/**
 * What a program does when it opens a state, in this order: it checks the owner of the folder, the version and the
 * airline, and migrates tables of an earlier version. First the errors of a state that cannot be opened, or cannot be
 * used later.
 */
import { ClerkError, type Effect } from '../core/errors.ts';
import { type Foreign, ForeignError } from '../files/foreign.ts';
import { isEarlier } from './migrations.ts';
import { SCHEMA_VERSION } from './tables.ts';

/** Words about a store for its operator. */
export interface StoreName {
  /** `The state file …` or `The database …`. */
  readonly what: string;
  /** What the operator does to use another one, as a clause after `The operator`. */
  readonly useAnother: string;
  /** A clause that tells where the documentation says how to move it to the airline's new address. */
  readonly moveAirline: string;
}

interface RefusalFacts {
  /** The reasons that `fareclerk doctor` tells in words of its own. */
  readonly reason?: 'newer' | 'earlier' | 'older' | 'another_airline';
  /** What another user could have written, and the setting that names another folder. */
  readonly foreign?: Foreign & { readonly setting: string };
  readonly cause?: unknown;
}

/** The error of a state that a program must not or cannot open. */
export class StateRefusal extends ClerkError {
  readonly facts: RefusalFacts;

  constructor(what: string, why: string, next: string, facts: RefusalFacts = {}) {
    const happened = `${what} ${why}`;
    super('E_CONFIG', `${happened} It was not changed.`, { what: happened, next, cause: facts.cause });
    this.facts = facts;
  }
}

/**
 * The error of a store that cannot be used now. Use effect `none` only if nothing can have been sent to the airline.
 */
export function cannotUse(what: string, effectWords: string, effect: Effect, cause: unknown): ClerkError {
  const message = effectWords === '' ? what : `${what} ${effectWords}`;
  const next = 'Repeat the same call in 5 seconds, which is safe. If it lasts, tell the operator.';
  return new ClerkError('E_STATE_DOWN', message, { what, next, effect, retry: 'after_s:5', cause });
}

/**
 * Runs `work`, which opens or makes files. Its error does not name the path, because a model may read it.
 * @param setting the setting that names another folder
 * @throws ClerkError E_CONFIG if another user could have written or replaced it
 */
export function ofThisUser<T>(what: string, setting: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof ForeignError)) throw cause;

    const { by } = cause.foreign;
    const why =
      by === 'link'
        ? `${cause.brief}. Nothing is read or made through it.`
        : `${cause.brief}, who could replace the journal.`;

    const setsOther = `sets ${setting} to a folder of this user; \`fareclerk doctor\` names the present one.`;
    const next =
      by === 'mode'
        ? `The operator closes it to other users as \`fareclerk doctor\` says, or ${setsOther}`
        : `The operator ${setsOther}`;
    throw new StateRefusal(what, why, next, { foreign: { ...cause.foreign, setting }, cause });
  }
}

/** A version as this program writes it. Another form could mean different versions to different readers. */
const VERSION_NUMBER = /^[1-9]\d{0,8}$/;

/** What the operator does with a state of another version. */
const WAYS_ON = {
  newer: 'installs the newer fareclerk everywhere',
  earlier: 'starts a server of this version, or for a restored copy runs `fareclerk pause`, which takes it over',
  older: 'first starts a fareclerk that takes it over, as the changelog says',
};

function ageOf(version: number): keyof typeof WAYS_ON {
  if (version > SCHEMA_VERSION) return 'newer';
  return isEarlier(version) ? 'earlier' : 'older';
}

/**
 * Compares the stored version with this program's. `earlier`: the program takes the state over (migrations.ts).
 * @param reads whether it only reads, and so takes nothing over
 * @throws ClerkError E_CONFIG
 */
export function checkVersion({ what, useAnother }: StoreName, stored: unknown, reads = false): 'current' | 'earlier' {
  if (!VERSION_NUMBER.test(String(stored)))
    throw new StateRefusal(
      what,
      'has a version that is no whole number.',
      `The operator restores a copy, or ${useAnother}.`,
    );

  const version = Number(stored);
  if (version === SCHEMA_VERSION) return 'current';

  const age = ageOf(version);
  if (age === 'earlier' && !reads) return age;

  throw new StateRefusal(
    what,
    `was written by ${age === 'newer' ? 'a' : 'an'} ${age} fareclerk (its version is ${version}, this program needs ${SCHEMA_VERSION}).`,
    `The operator ${WAYS_ON[age]}, or ${useAnother}.`,
    { reason: age },
  );
}

/**
 * Throws ClerkError E_CONFIG if the state belongs to another airline or agency. Operations are settled by reading
 * bookings, which would all seem to be gone there.
 */
export function assertSameAirline({ what, useAnother, moveAirline }: StoreName, stored: string, airline: string): void {
  if (stored === airline) return;
  throw new StateRefusal(
    what,
    `holds the journal of another airline or agency (${stored}, not ${airline}).`,
    `The operator ${useAnother}; if it is the same airline at a new address, ${moveAirline}.`,
    { reason: 'another_airline' },
  );
}
