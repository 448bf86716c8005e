/**
 * The world of one scene: an airline that remembers, a clerk, a person who is asked, and a colleague elsewhere. All of it
 * on real HTTP with a real store; nothing is left when it closes.
 */
import { toolAvailability } from '../../../src/cli/runtime/offered-tools.ts';
import { parseMoney } from '../../../src/core/money.ts';
import { createLocalPage } from '../../../src/pages/approval/local-page.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { CATALOG } from '../../../src/tools/index.ts';
import { type Clerk, failures, openDesk, siblingOf } from '../../clerk/calls/desk.ts';
import { visit } from '../../pages/details/support/details-desk.ts';
import { onCards } from '../../pages/details/support/list-page.ts';
import { detailsPage, enterDetails } from '../../support/details.ts';
import { clerkOn, type Result, runtimeOf } from '../support/office.ts';
import type { Scene } from './scene.ts';

/** In doubt for this long at most; a scene moves the clock. */
const SETTLE_MS = 240_000;
const DESK = { tenant: 'evals', id: 'desk' };
/** How long a call waits for what it sends, milliseconds, where the answer is to stay away, and where a busy machine is late. */
const [STAYS_AWAY_MS, LATE_MS] = [2_000, 60_000];
const COLLEAGUE = { tenant: 'evals', id: 'colleague' };

export type Office = Awaited<ReturnType<typeof openOffice>>;
type Args = Readonly<Record<string, unknown>>;

function optionsOf(
  { perAction, perDay, approval = 'auto', waitMs = 3_000, ...offers }: NonNullable<Scene['settings']>,
  answerMs = LATE_MS,
) {
  const { readOnly = false, toolsets = ['core', 'desk'] } = offers;
  const { offered, withheld } = toolAvailability(CATALOG, { readOnly, toolsets, assumedOperations: true });
  const [action, day] = [perAction, perDay].map((digits) => digits && parseMoney(digits, 'SAR'));
  const limits = { ...(action && { perAction: action }), ...(day && { perDay: day }) };
  return { tools: offered, withheld, approval, limits, answerMs, waitMs };
}

interface Dialogs {
  readonly person: NonNullable<Scene['person']>;
  readonly asked: string[];
  /** Runs while a question is open. */
  meanwhile(): Promise<void>;
}

const SILENT: Dialogs = { person: 'yes', asked: [], meanwhile: async () => undefined };

/** Calls, and answers as the person would. */
async function answered(clerk: Clerk, tool: string, args: Args, { person, asked, meanwhile }: Dialogs, caller = DESK) {
  const how = { caller, canElicit: person !== 'absent', canOpenUrls: false };
  const first = await clerk.call(tool, args, how);
  if (first.kind === 'result') return first;
  if (first.kind !== 'ask') throw new Error('a page was to be opened where none can be');
  asked.push(first.message);
  await meanwhile();
  const act = first.form.properties.decision.enum.find((choice) => choice !== 'no');
  const decision = person === 'yes' ? act : 'no';
  const raw = person === 'closes' ? { action: 'cancel' } : { action: 'accept', content: { decision } };
  const then = await clerk.call(tool, args, { ...how, dialog: { handle: first.handle, raw } });
  if (then.kind !== 'result') throw new Error('a question was answered with a question');
  return then;
}

type World = Pick<Scene, 'settings' | 'person' | 'dialect' | 'startsAt' | 'travellers' | 'list' | 'plays'>;

const NO_BROWSER = { available: () => false, open: async () => false };

/** @param whileAsked runs while the person has a question before them */
export async function openOffice(
  { settings = {}, person = 'yes', dialect = 'rail', startsAt, travellers, list, plays }: World,
  whileAsked: (colleague: (tool: string, args: Args) => Promise<Result>) => Promise<void> = async () => undefined,
) {
  const before = failures.length;
  const answerMs = plays.some(({ comes }) => comes === 'pending') ? STAYS_AWAY_MS : LATE_MS;
  const page = createLocalPage(NO_BROWSER);
  const desk = await openDesk({
    ...{ settleMs: SETTLE_MS, sql: true, sandbox: { dialect }, ...(startsAt !== undefined && { startsAt }) },
    ...{ detailsPage: list === undefined ? detailsPage : page.details, ...optionsOf(settings, answerMs) },
  });
  const { clerk, sandbox, parts, advance } = desk;
  page.serve(clerk);
  const stager = siblingOf(desk, optionsOf({ toolsets: ['core', 'desk', 'plans'] }));
  const asked: string[] = [];
  let elsewhere: Awaited<ReturnType<typeof openSqliteState>> | undefined;
  /** At another desk, of another clerk. */
  const colleague = async (tool: string, args: Args) => {
    elsewhere ??= await openSqliteState(':memory:', { now: parts.clock.now });
    const elsewhereParts = runtimeOf({
      airline: parts.airline,
      state: elsewhere,
      clock: parts.clock,
      settleMs: SETTLE_MS,
    });
    return answered(clerkOn(elsewhereParts, failures, optionsOf({})), tool, args, SILENT, COLLEAGUE);
  };
  let answers = 0;
  /** Travellers who were sent the address take their time. */
  async function enterWhenAsked({ structured }: Result): Promise<void> {
    const { status, details } = structured as { status?: string; details?: { id: string } };
    if (status !== 'details_required' || ++answers !== travellers?.afterAnswers) return;
    await enterDetails(parts.state, details?.id ?? '', travellers.enter, parts.clock.now());
  }
  let rows = list ?? [];
  async function pasteWhenAsked({ structured }: Result): Promise<void> {
    const { status, details } = structured as { status?: string; details?: { url: string; travellers: number } };
    if (list === undefined || status !== 'details_required' || details === undefined) return;
    await (await visit(details.url)).send(onCards(rows.slice(0, details.travellers)));
    rows = rows.slice(details.travellers);
  }
  const dialogs: Dialogs = { person, asked, meanwhile: () => whileAsked(colleague) };
  return {
    ...{ clerk, sandbox, advance, dialect },
    failures: () => failures.slice(before),
    asked: () => asked,
    /** A call by whoever plays; the person answers what is asked. */
    async call(tool: string, args: Args) {
      const result = await answered(clerk, tool, args, dialogs);
      await enterWhenAsked(result);
      await pasteWhenAsked(result);
      return result;
    },
    /** A call of the desk that sets the stage: the person says yes. */
    stage: (tool: string, args: Args) => answered(stager, tool, args, SILENT),
    operations: () => parts.state.operations.list({}),
    ledger: () => sandbox.ledger(),
    /** Documents come back as services too, in the airline dialect. */
    services: async (locator: string) =>
      (await parts.airline.read(locator)).services.flatMap(({ code = '' }) => (code === 'FOID' ? [] : [code])),
    names: async (locator: string) =>
      (await parts.airline.read(locator)).travelers.map(({ name }) => `${name?.given.join(' ')} ${name?.surname}`),
    async close() {
      await page.close();
      await desk.close();
      await elsewhere?.close();
    },
  };
}
