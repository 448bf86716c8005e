/** A row of the table of breaks, and the commands that see breaks. */

/** One change of a few lines by which the product no longer keeps a promise. */
export interface Break {
  readonly promise: string;
  /** Where the product keeps it, below src. */
  readonly file: string;
  /** Text that stands exactly once in the file. */
  readonly find: string;
  /** What takes its place. */
  readonly replace: string;
  /** Commands that pass, and of which each fails with this break: the smallest forms that see it. */
  readonly seenBy: readonly [string, ...string[]];
}

/** Breaks by name. */
export type Breaks = Readonly<Record<string, Break>>;

function projectOf(file: string): string {
  if (file.startsWith('attacks/')) return 'attacks';
  return file.endsWith('.slow') ? 'slow' : 'quick';
}

/** Test files of one project, below test: `approvals/decide`. */
export function tests(...files: readonly [string, ...string[]]): string {
  const project = projectOf(files[0]);
  return `vitest run --bail 1 --testTimeout 60000 --project ${project} ${files.map((file) => `test/${file}.test.ts`).join(' ')}`;
}

/** A campaign, below test/campaigns. Its seed is fixed, so that each run plays the same ground. */
export function campaign(program: string, options: string): string {
  return `node test/campaigns/${program}.ts ${options}`;
}

/** Programs that need the bundle: it is built before them. */
const NEED_BUNDLE = ['chaos/kill', 'hosts/die', 'deploy/pods'];

export function needsBundle(command: string): boolean {
  return NEED_BUNDLE.some((program) => command.includes(`test/campaigns/${program}`));
}

// The shortest forms of campaigns.

export const SIM = campaign('sim/run', '--schedules 300 --seed 1');
export const SIM_PLANS = campaign('sim/run', '--plans --schedules 150 --seed 1');
export const SIM_LATE = campaign('sim/run', '--late --schedules 100 --seed 1');
export const KILL = campaign('chaos/kill', '--runs 30 --seed 1');
export const PLAN_KILL = campaign('chaos/plan-kill', '--runs 2 --seed 1');
export const CONNECTION_KILL = campaign('chaos/connection-kill', '--runs 8 --seed 1');
export const RESTORE = campaign('chaos/restore', '--runs 8 --seed 1');
export const ONE_APPROVAL = campaign('chaos/one-approval', '--runs 100 --seed 1');
export const WIRE_FAULTS = campaign('chaos/wire-faults', '--runs 60 --seed 1');
export const STALE = campaign('chaos/stale', '--runs 100 --seed 1');
export const INJECTION = campaign('chaos/injection', '--runs 30 --seed 1');
export const EVENTS = campaign('events/kill', '--runs 4 --seed 1');
export const FUZZ = campaign('fuzz/run', '--replies 400 --inputs 400 --wire 60 --seed 1');
export const ESTIMATES = campaign('estimates/run', '--cases 200 --changes 0 --flights 0 --seed 1');
export const CHANGES = campaign('estimates/run', '--cases 0 --changes 200 --flights 8 --seed 1');
/** Connections of which all flights change. */
export const CONNECTIONS = campaign('estimates/run', '--cases 0 --changes 0 --flights 10 --seed 1');
export const CLIENTS = campaign('load/clients', '--clients 200 --rounds 1');
export const SOAK = campaign('load/soak', '--minutes 0.5');
export const DIFFER = campaign('differ/run', '--lies 60 --holds 12 --changes 2 --habits 2 --rows 2 --seed 1');
export const DIFFER_MEANWHILE = campaign(
  'differ/run',
  '--only meanwhile --holds 1 --changes 1 --habits 1 --rows 0 --seed 1',
);
export const WATCHING = campaign('watching/run', '--bookings 30 --disturbed 16 --seed 1');
export const AFTER_ACTS = campaign('watching/after-acts', '--half');
export const HOSTS = campaign('hosts/run', '').trim();
export const DIE = campaign('hosts/die', '--runs 8 --seed 1');
export const PRIVACY = campaign('privacy/run', '--quick');
export const PODS = campaign('deploy/pods', '').trim();
export const CONFORMANCE = campaign('conformance/run', '').trim();

/** Some places of the reading of one act. */
export function binding(act: string, place: string): string {
  return campaign('binding/run', `--only ${act} --dialect rail --place ${place} --seed 1`);
}

/** One part of the fleet. */
export function fleet(part: string, options = ''): string {
  return campaign('fleet/run', `--only ${part} ${options}`.trim());
}

/** What follows an act whose readings lag. */
export function lagging(act: string, next = '', lag = 'whole'): string {
  const follows = next === '' ? '' : `--next ${next} `;
  return campaign('watching/lagging', `--only ${act} --lag ${lag} ${follows}--seed 1`);
}
