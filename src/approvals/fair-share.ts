/**
 * What one person may take of what all share: questions that wait, plans that are kept, the inbox and the notices. So that nobody's many
 * questions keep people from another's few, or fill the disk: each is stored with its terms.
 */
import { ClerkError } from '../core/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { withoutApplication } from '../domain/people/caller.ts';
import type { Approval } from './ports.ts';

/**
 * `open`: of one person, whatever application asks. `replaced`: of one caller and booking within `replacedMs`: a question that is
 * replaced time and again could not be answered.
 */
export const QUESTIONS = { open: 100, replaced: 5, replacedMs: HOUR_MS } as const;

/** Of one person, about 20 MB at most. */
export const PLANS = { kept: 50 } as const;

/** Rows on a page of the inbox, and how many of one person while others wait too. */
export const INBOX = { rows: 100, ofPerson: 5 } as const;

/** One notice of a person's questions within this time, milliseconds: it speaks for all of them. */
export const NOTICES = { everyMs: MINUTE_MS } as const;

type AskedBySomebody = Pick<Approval, 'tenant' | 'caller'>;

/** The same for all applications of a person. */
export function personKey({ tenant, caller }: AskedBySomebody): string {
  return JSON.stringify([tenant, withoutApplication({ tenant, id: caller }).id]);
}

/** A page of what several people ask: some of each, in the order in which each comes first. */
export interface SharedPage<T> {
  readonly people: readonly { readonly key: string; readonly shown: readonly T[]; readonly total: number }[];
  /** People on later pages. */
  readonly later: number;
}

/**
 * Shares a page so that each person's first question is on it before anybody's second. Over a hundred people go on on the next page.
 * @param page from 1
 */
export function sharedPage<T extends AskedBySomebody>(asked: readonly T[], page: number): SharedPage<T> {
  const all = [...Map.groupBy(asked, personKey)];
  const here = all.slice((page - 1) * INBOX.rows, page * INBOX.rows);
  const each = Math.min(INBOX.ofPerson, Math.max(1, Math.floor(INBOX.rows / Math.max(1, here.length))));
  const most = all.length === 1 ? INBOX.rows : each;
  const people = here.map(([key, of]) => ({ key, shown: of.slice(0, most), total: of.length }));
  return { people, later: Math.max(0, all.length - page * INBOX.rows) };
}

/** @param until when a part of the share is free again, milliseconds from now */
export function shareUsedUp(what: string, next: string, until: number): ClerkError {
  return new ClerkError('E_LIMIT', what, { next, retry: `after_s:${Math.ceil(until / 1000)}` });
}

/** `100 questions of this caller wait for an answer.` */
export function tooManyOpen(until: number): ClerkError {
  return shareUsedUp(
    `${counted(QUESTIONS.open, 'question')} of this caller wait for an answer. Nothing was asked or sent.`,
    'A person must answer them (`fareclerk approve` lists them), or wait until they expire, ten minutes after they were asked.',
    until,
  );
}
