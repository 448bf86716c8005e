/** The table of breaks: each promise of the product, where it is kept, a break, and the commands that see it. */
import { AIRLINE } from './airline.ts';
import type { Breaks } from './break.ts';
import { CALLERS } from './callers.ts';
import { CONSENT } from './consent.ts';
import { JOURNAL } from './journal.ts';
import { LAGGING } from './lagging.ts';
import { NOTICES } from './notices.ts';
import { PLANS } from './plans.ts';

export const GROUPS: readonly Breaks[] = [CONSENT, JOURNAL, AIRLINE, PLANS, CALLERS, NOTICES, LAGGING];

export const BREAKS: Breaks = Object.assign({}, ...GROUPS);

/** Campaigns that `.ci/run` or `.ci/night` plays and that no break names, each with the reason. */
export const WITHOUT_BREAKS: Readonly<Record<string, string>> = {
  'breaks/run': 'plays this table',
  'mutation/adapter': 'plays a table of its own: ways to break the adapter',
  'calendar/run': 'plays the tests on other dates: what breaks a test breaks it there too',
};
