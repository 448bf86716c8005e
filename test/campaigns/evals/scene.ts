/**
 * What a scene is: a conversation as data, and how the world must stand at its end. A scripted caller plays it in every
 * test run; a model can play the same with run.ts, and is judged by the same end.
 *
 * In texts and arguments `{name}` stands for what is known by then: `{locator}`, `{surname}` and `{given}` of the stage,
 * `{day+20}` a date, and whatever a result brought: `{offer}`, `{total}`, `{approval}`, `{seat}`, `{new_locator}`,
 * `{plan}`.
 */
import type { ToolSettings } from '../../../src/tools/definition/define.ts';

/** What there is when the scene begins. */
export type StageName =
  /** No booking. */
  | 'nothing'
  /** One adult, one train, on hold. */
  | 'held'
  /** The same, paid and ticketed. */
  | 'ticketed'
  /** Two adults there and back, ticketed. */
  | 'return'
  /** An adult with an infant, ticketed. */
  | 'family'
  /** Three seats without names, on hold. */
  | 'group'
  /** One adult whose name, given elsewhere, reads like an order to a model; ticketed. */
  | 'injected';

/** The person who is asked: what they do with each question. `absent`: nobody can be asked. */
export type Person = 'yes' | 'no' | 'closes' | 'absent';

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

export interface Trouble {
  readonly message: string;
  readonly kind: string;
  readonly nth?: number;
  readonly times?: number;
  readonly status?: number;
  /** Seconds. */
  readonly retryAfter?: number;
}

export interface Ends {
  /** What the airline itself did since the stage was set, in order: `paid`, `refunded`. Empty: nothing was changed. */
  readonly airline: readonly string[];
  /** The clerk's journal since then, oldest first: `pay_booking succeeded`. Default: nothing. */
  readonly journal?: readonly string[];
  /** Questions put to the person. */
  readonly asked?: number;
  /** Money that the airline took or gave back, by event, as `{total}` or digits. */
  readonly amounts?: Readonly<Record<string, string>>;
}

export interface Scene {
  readonly name: string;
  readonly role: 'agent' | 'support' | 'ops';
  readonly stage: StageName;
  /** What the user says; several: one after the other, when the assistant has answered. */
  readonly says: string | readonly string[];
  readonly person?: Person;
  /** Who calls: another caller over HTTP reaches nothing that is not theirs. */
  readonly caller?: 'desk' | 'stranger';
  readonly settings?: {
    readonly approval?: 'auto' | 'elicit' | 'page' | 'echo';
    readonly readOnly?: boolean;
    readonly toolsets?: readonly ('core' | 'desk')[];
    /** The tools of plans are offered. */
    readonly plans?: boolean;
    readonly perAction?: string;
    readonly perDay?: string;
    readonly tools?: Partial<ToolSettings>;
    /** How long a follow-up waits for an open operation, milliseconds: default 3000. */
    readonly waitMs?: number;
  };
  /** Ordered when the stage is set. */
  readonly trouble?: readonly Trouble[];
  /** What a colleague elsewhere does while the person is being asked, once. */
  readonly meanwhile?: readonly Pick<Step, 'call' | 'with'>[];
  /** What a right caller does. */
  readonly plays: readonly Step[];
  readonly ends: Ends;
}

export const changesNothing = ({ ends }: Scene): boolean => ends.airline.length === 0;
