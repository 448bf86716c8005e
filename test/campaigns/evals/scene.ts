/**
 * What a scene is: a conversation as data, and how the world must stand at its end. A scripted caller plays it
 * each night.
 *
 * In texts and arguments `{name}` stands for what is known by then: `{locator}`, `{surname}` and `{given}` of the stage,
 * `{first}` and `{second}` where it has two bookings, `{day+20}` a date, and whatever a result brought: `{offer}`, `{total}`, `{approval}`,
 * `{seat}`, `{new_locator}`, `{plan}`, `{details}`.
 */

import type { Entered } from '../../support/details.ts';
import type { SandboxFault } from '../../support/sandbox/wire-faults.ts';

/**
 * What there is when the scene begins: no booking; one adult and one train, on hold or ticketed; two adults there and back,
 * ticketed; an adult with an infant, ticketed; three seats without names, on hold; twelve, nine and three in two bookings, on hold;
 * one adult whose name, given elsewhere, reads like an order to a model, ticketed.
 */
export type StageName = 'nothing' | 'held' | 'ticketed' | 'return' | 'family' | 'group' | 'choir' | 'injected';

export interface Step {
  readonly call: string;
  readonly with: Readonly<Record<string, unknown>>;
  /** `done`, `pending`, `E_LIMIT`, or `ok`: what this call must come to. */
  readonly comes: string;
  /** Moves the clock of airline and clerk before the call. */
  readonly afterMinutes?: number;
  /** How often it is called in a row; all must come to the same. */
  readonly times?: number;
}

export interface Ends {
  /** What the airline itself did since the stage was set, in order: `paid`, `refunded`. Default: nothing was changed. */
  readonly airline: readonly string[];
  /** The clerk's journal since then, oldest first: `pay_booking succeeded`. Default: the plays that come to `done`. */
  readonly journal: readonly string[];
  /** Questions put to the person. Default: none. */
  readonly asked: number;
  /** Money that the airline took or gave back, by event, as `{total}` or digits. */
  readonly amounts?: Readonly<Record<string, string>>;
  /** Codes of the special services that the airline has in `{locator}`. */
  readonly services?: readonly string[];
  /** Travellers of a booking as the airline has them, by its name: `{first}`. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

interface Given {
  /** What the user says; several: one after the other, when the assistant has answered. */
  readonly says: string | readonly string[];
  /** Fares are others each day: when the scene begins where they decide what is paid (RFC 3339); default today. */
  readonly startsAt?: string;
  /** Default: the railway of the sandbox. */
  readonly dialect?: 'rail' | 'airline';
  /** The person who is asked: what they do with each question. `absent`: nobody can be asked. */
  readonly person?: 'yes' | 'no' | 'closes' | 'absent';
  readonly settings?: {
    readonly approval?: 'auto' | 'echo';
    readonly readOnly?: boolean;
    readonly toolsets?: readonly ('core' | 'desk' | 'plans')[];
    readonly perAction?: string;
    readonly perDay?: string;
    /** How long a follow-up waits for an open operation, milliseconds: default 3000. */
    readonly waitMs?: number;
  };
  /** Who enter their details on the page, once so many calls have answered that it is not complete. */
  readonly travellers?: { readonly enter: readonly Entered[]; readonly afterAnswers: number };
  /** Rows of a list that somebody enters on each page that opens: as many as it has travellers, then those that are left. */
  readonly list?: readonly (readonly string[])[];
  /** Ordered when the stage is set. */
  readonly trouble?: SandboxFault;
  /** What a colleague elsewhere does while the person is being asked, once. */
  readonly meanwhile?: Pick<Step, 'call' | 'with'>;
  readonly plays: readonly Step[];
  readonly ends?: Partial<Ends>;
}

export interface Scene extends Given {
  readonly name: string;
  readonly role: 'agent' | 'support' | 'ops';
  readonly stage: StageName;
  readonly ends: Ends;
}

export const scenesOf =
  (role: Scene['role']) =>
  (name: string, stage: StageName, given: Given): Scene => {
    const done = given.plays.filter(({ comes }) => comes === 'done').map(({ call }) => `${call} succeeded`);
    return { ...given, name, role, stage, ends: { airline: [], journal: done, asked: 0, ...given.ends } };
  };

export const changesNothing = ({ ends }: Scene): boolean => ends.airline.length === 0;
