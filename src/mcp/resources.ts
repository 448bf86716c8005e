/**
 * Lists resources and reads them: texts and files under an address, which a person or host attaches to a conversation. Each is read
 * through the clerk by a tool call, with the same access and masking. A skill is a resource that says how a job is done (SEP-2640).
 * In order: what a resource is, each of them (with the texts of fare rules and the rows of a question), listing, skills, reading, and
 * the completion of an argument of a prompt or of an address.
 */

import { createHash } from 'node:crypto';
import {
  type CompleteRequestParams,
  type CompleteResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { type Result, sandboxed } from '../approvals/answer.ts';
import type { Clerk } from '../clerk/clerk.ts';
import { withPointOfSale } from '../clerk/context.ts';
import { cleanRef, percentDecoded, plainText } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { own } from '../core/own.ts';
import { MOST_CHARACTERS, tooLong } from '../core/text-limits.ts';
import { csvRow } from '../core/words.ts';
import { showDeadline } from '../domain/booking/deadlines.ts';
import { listStations, showRoute } from '../domain/booking/stations.ts';
import { passengerTypeWord } from '../domain/booking/status-codes.ts';
import type { Caller } from '../domain/people/caller.ts';
import { foldName } from '../domain/people/identity-text.ts';
import { ALL_ROWS, LEDGER_ROWS } from '../tools/query-ledger.ts';
import type { BookingView, RuleView } from '../tools/views/booking-schema.ts';
import { ruleText } from '../tools/views/price-and-rules.ts';
import type { Refund } from '../tools/views/refund-schema.ts';
import { endLine, refundText } from '../tools/views/refund-text.ts';
import type { Completes } from './prompts.ts';
import SKILLS from './skills.json' with { type: 'json' };

/** The most pairs that list_routes returns at once. */
const MOST_PAIRS = 500;

/** Completed values in one reply, at most (MCP, completion). */
const MOST_COMPLETED = 100;

/** Characters of a completed station, at most: its name is the airline's. */
const LONGEST_STATION = 60;

/** Bookings that are searched for a locator, at most. */
const MOST_LOCATORS = 1000;

/** How the text of fare rules names what a rule is about. */
const ACTS = { refund: 'Cancelling', change: 'Changing' } as const;

/** Where hosts look for skills by convention. */
const SKILL_SCHEME = 'skill://';

/** Who asks, through which clerk. */
export interface RequestContext {
  readonly clerk: Clerk;
  readonly caller: Caller;
  readonly signal?: AbortSignal;
}

interface Resource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** An address, or a template of RFC 6570 level 1: `fareclerk://bookings/{locator}`. */
  readonly uri: string;
  readonly mimeType: string;
  /** The tool that reads it. Without the tool the resource is not offered. */
  readonly needs: string;
  readonly completes?: Readonly<Record<string, Completes>>;
  /** @throws ClerkError */
  read(variables: Readonly<Record<string, string>>, context: RequestContext): Promise<string | Uint8Array>;
}

/** The variable that holds a statement: it is longer than others. */
const STATEMENT = 'sql';

const isTemplate = ({ uri }: Resource): boolean => uri.includes('{');

/** Reads the variables of an address. Undefined if the address is not this resource's. */
export function matches({ uri: template }: Resource, uri: string): Readonly<Record<string, string>> | undefined {
  if (uri.length > MOST_CHARACTERS.address) return undefined;
  const names: string[] = [];
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name) => {
    names.push(name);
    return '([^/?#]+)';
  });
  const found = new RegExp(`^${pattern}$`).exec(uri);
  if (found === null) return undefined;
  const longest = (name: string) =>
    name === STATEMENT ? MOST_CHARACTERS.statementInAddress : MOST_CHARACTERS.variable;
  if (names.some((name, i) => (found[i + 1] ?? '').length > longest(name))) return undefined;
  return Object.fromEntries(names.map((name, i) => [name, percentDecoded(found[i + 1] ?? '')]));
}

/** Calls a tool for its result. @throws ClerkError if the tool answers with an error */
async function readByTool(
  { clerk, caller, signal }: RequestContext,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Result> {
  const asker = { caller, canElicit: false, canOpenUrls: false, signal };
  const answer = await clerk.call(tool, args, asker);
  if (answer.kind !== 'result') throw new Error(`${tool} asked a question`);
  if (!answer.isError) return answer;
  const { code, message, next } = answer.structured.error as Pick<ClerkError, 'code' | 'message' | 'next'>;
  throw new ClerkError(code, message, { next });
}

export const booking: Resource = {
  name: 'booking',
  title: 'Booking',
  description:
    'A booking as the airline holds it now: state, deadlines, segments, passengers, tickets. Personal data is masked.',
  uri: 'fareclerk://bookings/{locator}',
  mimeType: 'text/plain',
  needs: 'read_booking',
  completes: { locator: 'locator' },
  read: async ({ locator }, context) => (await readByTool(context, 'read_booking', { locator })).text,
};

export const ticket: Resource = {
  name: 'ticket',
  title: 'Ticket',
  description: 'A ticket as PDF, fetched from the airline now. get_tickets lists the addresses of a booking.',
  uri: 'fareclerk://tickets/{locator}/{number}/{coupon}',
  mimeType: 'application/pdf',
  needs: 'get_tickets',
  completes: { locator: 'locator' },
  read: ({ locator = '', number = '', coupon = '' }, { clerk, caller, signal }) =>
    clerk.ticket({ locator, number, coupon }, { caller, signal }),
};

export const routes: Resource = {
  name: 'routes',
  title: 'Routes',
  description: 'City pairs that the airline sells, by station of departure.',
  uri: 'fareclerk://routes',
  mimeType: 'text/plain',
  needs: 'list_routes',
  read: async (_, context) => (await readByTool(context, 'list_routes', { max_results: MOST_PAIRS })).text,
};

const routesFrom: Resource = {
  name: 'routes_from',
  title: 'Routes from a station',
  description: 'Where one can travel to from a station or city.',
  uri: 'fareclerk://routes/{station}',
  mimeType: 'text/plain',
  needs: 'list_routes',
  completes: { station: 'station' },
  read: async ({ station }, context) =>
    (await readByTool(context, 'list_routes', { from: station, max_results: MOST_PAIRS })).text,
};

export const fareRules: Resource = {
  name: 'fare_rules',
  title: 'Fare rules of a booking',
  description: 'What cancelling or changing a booking costs, in words, by passenger type and time.',
  uri: 'fareclerk://bookings/{locator}/rules',
  mimeType: 'text/plain',
  needs: 'read_booking',
  completes: { locator: 'locator' },
  async read({ locator }, context) {
    const { booking, refund } = (await readByTool(context, 'read_booking', { locator, detail: 'full' })).structured;
    const rules = rulesText(booking as BookingView, refund as Refund | undefined);
    return sandboxed(context.clerk.options.environment, rules);
  },
};

/** Writes the fare rules. @param refund from read_booking; it includes the airline's own text if that sent no other rule */
function rulesText(booking: BookingView, refund?: Refund): string {
  const { rules = [], deadlines = {}, locator, segments } = booking;
  const { cancel_until: cancel, names_until: names } = deadlines;
  const departure = segments[0]?.departs;
  return [
    `Fare rules of booking ${locator}, as the airline states them.`,
    ...(refund === undefined
      ? []
      : [`Cancelling everything now: ${refundText(refund, booking.currency ?? '').join(' ')}`]),
    ...(['refund', 'change'] as const).flatMap((kind) => section(kind, rules, booking)),
    ...endLine(cancel, departure),
    ...(names === undefined ? [] : [`Names can be changed until ${showDeadline(names, departure)}.`]),
  ].join('\n');
}

function section(kind: RuleView['kind'], rules: readonly RuleView[], booking: BookingView): readonly string[] {
  const rulesOfKind = rules.filter((rule) => rule.kind === kind);
  if (rulesOfKind.length === 0)
    return [`${ACTS[kind]}: the airline sent no rule with an amount. Tell the person to ask it.`];
  return [`${ACTS[kind]}:`, ...new Set(rulesOfKind.map((rule) => `- ${sentence(rule, booking)}`))];
}

/** `Each adult, child on HHR101 MED → JED, until Tue 1 Dec 08:00 (UTC+3): a fee of SAR 150.00, tax included.` */
function sentence(rule: RuleView, booking: BookingView): string {
  const departure = booking.segments[0]?.departs;
  const who = `Each ${rule.passenger_types.map((type) => passengerTypeWord(type) || 'passenger').join(', ')}`;
  const spans = rule.holds.map(({ segment_refs: refs, from, until }) => {
    const where = refs === undefined ? '' : ` on ${flights(refs, booking)}`;
    const beginText = from === undefined ? '' : `, from ${showDeadline(from, departure)}`;
    return `${where}${beginText}${until === undefined ? '' : `, until ${showDeadline(until, departure)}`}`;
  });
  const airlineWords =
    rule.text === undefined ? '' : ` The airline's words: “${rule.text.replace(/[\u201C\u201D"]/g, "'")}”.`;
  return `${who}${spans.join(';')}: ${ruleText(rule, '')}.${airlineWords}`;
}

function flights(refs: readonly string[], { segments }: BookingView): string {
  return refs
    .map((ref) => {
      const segment = segments.find((each) => each.ref === ref);
      return segment === undefined ? `segment ${cleanRef(ref)}` : `${segment.flight} ${showRoute(segment)}`;
    })
    .join(', ');
}

const ledger: Resource = {
  name: 'ledger',
  title: "The desk's records",
  description: 'The views that query_ledger answers from: bookings, operations, questions and more, with examples.',
  uri: 'fareclerk://ledger',
  mimeType: 'text/plain',
  needs: 'query_ledger',
  read: async (_, context) => (await readByTool(context, 'query_ledger', {})).text,
};

export const ledgerRows: Resource = {
  name: 'ledger_rows',
  title: 'Rows of a question',
  description: `All rows of a SELECT as CSV, at most ${ALL_ROWS.rows}. query_ledger gives the address where rows were left out.`,
  uri: LEDGER_ROWS,
  mimeType: 'text/csv',
  needs: 'query_ledger',
  async read({ from = '', to = '', sql = '' }, { clerk, caller, signal }) {
    const { columns, rows } = await clerk.ledgerTable({ from, to, sql }, { caller, signal });
    return [columns, ...rows].map(csvRow).join('');
  },
};

const RESOURCES: readonly Resource[] = [...[routes, ledger, booking, fareRules], ...[routesFrom, ticket, ledgerRows]];

/** Finds the resources whose tool is offered. */
function offeredResources(clerk: Pick<Clerk, 'tools'>): readonly Resource[] {
  return RESOURCES.filter(({ needs }) => offers(clerk, needs));
}

function listEntry({ name, title, description, mimeType }: Resource) {
  return { name, title, description, mimeType };
}

export function listResources(clerk: Pick<Clerk, 'tools'>): ListResourcesResult {
  const withoutVariables = offeredResources(clerk).filter((each) => !isTemplate(each));
  return { resources: withoutVariables.map((each) => ({ uri: each.uri, ...listEntry(each) })) };
}

export function listTemplates(clerk: Pick<Clerk, 'tools'>): ListResourceTemplatesResult {
  const templates = offeredResources(clerk).filter(isTemplate);
  return { resourceTemplates: templates.map((each) => ({ uriTemplate: each.uri, ...listEntry(each) })) };
}

/** A skill as `scripts/skills.ts` made it. */
interface MadeSkill {
  readonly name: string;
  readonly description: string;
  readonly needs: readonly string[];
  readonly text: string;
}

/** Finds the skills whose tools are all offered. The core toolset has none. */
function offeredSkills({ tools }: Pick<Clerk, 'tools'>): readonly MadeSkill[] {
  if (tools.every(({ toolset }) => toolset === 'core')) return [];
  const names = new Set(tools.map(({ name }) => name));
  return SKILLS.filter(({ needs }) => needs.every((tool) => names.has(tool)));
}

const skillUri = ({ name }: MadeSkill): string => `${SKILL_SCHEME}${name}/SKILL.md`;

/** Writes the entry of a skill: its first lines, and its one file, which hosts verify (specification of the extension, Skill Entries). */
function skillEntry(skill: MadeSkill) {
  const { name, description, text } = skill;
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const file = { uri: skillUri(skill), digest, size: Buffer.byteLength(text) };
  return { uri: file.uri, frontmatter: { name, description }, resources: [file] };
}

export function listSkills(clerk: Pick<Clerk, 'tools'>) {
  return { skills: offeredSkills(clerk).map(skillEntry) };
}

/** @throws ProtocolError where the address is that of no skill offered here */
export function getSkill(clerk: Pick<Clerk, 'tools'>, uri: string) {
  refuseLongAddress(uri);
  return { skill: skillEntry(findSkill(clerk, uri)) };
}

function readSkill(clerk: Pick<Clerk, 'tools'>, uri: string): ReadResourceResult {
  return { contents: [{ uri, mimeType: 'text/markdown', text: findSkill(clerk, uri).text }] };
}

function findSkill(clerk: Pick<Clerk, 'tools'>, uri: string): MadeSkill {
  const found = offeredSkills(clerk).find((skill) => skillUri(skill) === uri);
  if (found === undefined) throw new ResourceNotFoundError(uri);
  return found;
}

export async function readResource(context: RequestContext, uri: string): Promise<ReadResourceResult> {
  refuseLongAddress(uri);
  if (uri.startsWith(SKILL_SCHEME)) return readSkill(context.clerk, uri);
  for (const resource of offeredResources(context.clerk)) {
    const variables = matches(resource, uri);
    if (variables === undefined) continue;
    const content = await resource.read(variables, context).catch((error) => {
      throw protocolError(error, uri);
    });
    const body = typeof content === 'string' ? { text: content } : { blob: Buffer.from(content).toString('base64') };
    return { contents: [{ uri, mimeType: resource.mimeType, ...body }] };
  }
  throw new ResourceNotFoundError(uri);
}

/** @throws ProtocolError, which does not repeat the address */
function refuseLongAddress(uri: string): void {
  if (uri.length > MOST_CHARACTERS.address)
    throw invalidParams(`uri: ${tooLong(MOST_CHARACTERS.address)} Nothing was sent.`);
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Maps a ClerkError to a protocol error. The clerk has replaced unexpected errors already. */
function protocolError(error: unknown, uri: string): unknown {
  if (!(error instanceof ClerkError)) return error;
  const message = `${error.code}: ${error.message} Next: ${error.next}`;
  if (error.code === 'E_NOT_FOUND') return new ResourceNotFoundError(uri, message);
  const code = error.code === 'E_INPUT' ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, message);
}

/** Completes an argument. Never fails: without data the reply is empty. */
export async function complete(context: RequestContext, params: CompleteRequestParams): Promise<CompleteResult> {
  const { argument, ref } = params;
  if (argument.value.length > MOST_CHARACTERS.completed)
    return { completion: { values: [], total: 0, hasMore: false } };
  const valueKind = await findCompletion(ref, argument.name);
  const values =
    valueKind === undefined ? [] : await FIND_VALUES[valueKind](context, argument.value, ref.type).catch(() => []);
  const hasMore = values.length > MOST_COMPLETED;
  return { completion: { values: values.slice(0, MOST_COMPLETED), total: values.length, hasMore } };
}

/** Finds the kind of values that completes this argument. Undefined if none does. */
async function findCompletion(ref: CompleteRequestParams['ref'], argument: string): Promise<Completes | undefined> {
  if (ref.type === 'ref/prompt') {
    const prompt = (await import('./prompts.ts')).PROMPTS.find(({ name }) => name === ref.name);
    if (prompt === undefined) throw invalidParams('There is no such prompt.');
    return prompt.arguments.find(({ name }) => name === argument)?.completes;
  }
  const resource = RESOURCES.find(({ uri }) => uri === ref.uri);
  if (resource === undefined) throw invalidParams('There is no such resource.');
  const { completes = {} } = resource;
  return own(completes, argument);
}

/** Finds the values that begin with the typed text. @param ref the type of reference that is completed */
type FindValues = (context: RequestContext, typed: string, ref: string) => Promise<readonly string[]>;

/** Finds stations. A prompt gets the station's name too; an address only the code. */
const findStations: FindValues = async ({ clerk, caller, signal }, typed, ref) => {
  if (!offers(clerk, 'list_routes')) return [];
  const { airline } = withPointOfSale(await clerk.runtime(), caller);
  const wanted = foldName(typed);
  return listStations(await airline.routes({ signal }))
    .filter(({ code, name, city }) => [code, name, city].some((text) => foldName(text).startsWith(wanted)))
    .map(({ code, name }) => plainText(ref === 'ref/prompt' ? `${code} ${name}` : code, LONGEST_STATION))
    .toSorted();
};

/** Finds the bookings that this caller made or read. */
const findLocators: FindValues = async ({ clerk, caller }, typed) => {
  if (!offers(clerk, 'read_booking')) return [];
  const { state } = await clerk.runtime();
  const wanted = typed.trim().toUpperCase();
  const { entries } = await state.ledger.find(caller, {
    query: wanted === '' ? undefined : wanted,
    limit: MOST_LOCATORS,
  });
  return entries.map(({ locator }) => locator).filter((locator) => locator.startsWith(wanted));
};

const FIND_VALUES: Readonly<Record<Completes, FindValues>> = { station: findStations, locator: findLocators };

function offers({ tools }: Pick<Clerk, 'tools'>, tool: string): boolean {
  return tools.some(({ name }) => name === tool);
}
