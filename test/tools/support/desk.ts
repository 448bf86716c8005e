/** A whole clerk in front of an airline that answers from bookings made by hand. A tool is tried by calls, as a client does. */
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { clerkOn, runtimeOf, yesTo } from '../../campaigns/support/office.ts';
import { asRead, type held, NOW, OUT, pricing } from '../../support/bookings.ts';
import { expectGolden } from '../../support/golden.ts';
import { asSent, differences } from '../../support/halves.ts';

type Runtime = ReturnType<typeof runtimeOf>;
export type Airline = Parameters<typeof runtimeOf>[0]['airline'];
export type Booking = ReturnType<typeof held>;
type Settings = NonNullable<Parameters<typeof clerkOn>[2]>;
type How = Partial<Parameters<ReturnType<typeof clerkOn>['call']>[2]>;
export type ShelvedOffer = Parameters<Runtime['state']['offers']['put']>[1][number];
type Open = NonNullable<Runtime['state']['findings']>['open'];
export type Finding = Awaited<ReturnType<Open>>[number];

const DIGEST_KEY = new Uint8Array(32).fill(7);

export const CALLER = { tenant: 'desk', id: 'ann' };

export interface DeskOptions extends Omit<Settings, 'settings' | 'open'> {
  readonly bookings?: readonly Booking[];
  /** The only booking after something was sent, which is also the answer to it. Default: the same as before. */
  readonly after?: Booking;
  readonly airline?: Partial<Airline>;
  readonly settings?: Settings['settings'];
  readonly now?: number;
  /** Offers shown before, as `o000001` and so on. */
  readonly offers?: readonly ShelvedOffer[];
  readonly findings?: readonly Finding[];
  /** What comes of a comparison: whether nothing about the booking is open. Absent: no reading is compared. */
  readonly see?: (...reading: Parameters<NonNullable<Runtime['compareReading']>>) => Promise<boolean>;
}

/** What the airline was asked, in order: for an act, what was sent. */
type Asked = readonly [method: string, argument: unknown];

const ACTS: readonly string[] = ['create', 'createFromCounts', 'pay', 'modify', 'cancel', 'sendMail'];

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields the contract names
type Fields = any;

export type Desk = Awaited<ReturnType<typeof openDesk>>;

export async function openDesk(options: DeskOptions = {}) {
  const { bookings: _, after: __, airline: ___, settings, now = NOW, offers = [], findings, see, ...own } = options;
  const asked: Asked[] = [];
  let time = now;
  // A pause of seconds is between two looks.
  const sleep = (ms: number, signal?: AbortSignal) =>
    delay(ms > 5_000 ? ms : Math.min(ms, 20), undefined, signal && { signal }).catch(() => undefined);
  const clock = { now: () => time, sleep };
  const kept = await openSqliteState(':memory:', { now: () => time });
  const shelf = new Map<string, ShelvedOffer>();
  const running = new Map<string, Promise<void>>();
  const closed: { readonly ids: readonly string[]; readonly by: string }[] = [];
  const state: Runtime['state'] = {
    ...kept,
    // Digests of the same arguments and terms are the same in every run.
    digestKey: DIGEST_KEY,
    offers: {
      async put(_caller, shown) {
        return shown.map((offer) => {
          const handle = `o${String(shelf.size + 1).padStart(6, '0')}`;
          shelf.set(handle, offer);
          return handle;
        });
      },
      get: async (_caller, handle) => shelf.get(handle),
    },
    ...(findings && {
      findings: {
        open: async (_tenant, _now, locators) =>
          findings.filter(({ locator }) => locators === undefined || locators.includes(locator)),
        list: async () => findings,
        async close(_tenant, ids, by) {
          closed.push({ ids, by });
          return ids.length;
        },
      },
    }),
  };
  await state.offers.put(CALLER, offers);
  const compareReading: NonNullable<Runtime['compareReading']> = async (...reading) => ({
    isQuiet: (await see?.(...reading)) === true,
    seen: [],
  });
  const parts: Runtime = {
    ...runtimeOf({
      ...{ airline: airlineOf(options, asked), state: state as never, clock },
      readings: () => ({
        compareReading,
        readSoon: async (...[caller, booking]) => void (await compareReading(caller, booking)),
      }),
    }),
    state,
    plans: { leases: kept.leases, owner: 'desk', running, ending: new AbortController().signal },
  };
  const failures: unknown[] = [];
  const clerk = clerkOn(parts, failures, {
    ...own,
    settings: { assumedOperations: true, ...settings } as NonNullable<DeskOptions['settings']>,
  });
  /** Until everything is sent that is to be sent. */
  const idle = async () => {
    await Promise.all(running.values());
    await clerk.idle();
  };
  onTestFinished(async () => {
    await idle();
    await kept.close();
  });
  const call = async (tool: string, args: object, how: How = {}) =>
    asSent(await clerk.call(tool, args, { caller: CALLER, canElicit: true, canOpenUrls: false, ...how }));
  const result = async (tool: string, args: object, how?: How) => {
    const answer = await call(tool, args, how);
    if (answer.kind !== 'result') throw new Error(`${tool} asked: ${answer.message}`);
    const apart = differences(answer);
    if (apart.length > 0)
      throw new Error(`${tool}: ${apart.join('; ')}\n${answer.text}\n${JSON.stringify(answer.structured)}`);
    return answer;
  };
  /** What was sent since the desk opened. */
  const sent = (): Fields[] => asked.filter(([method]) => ACTS.includes(method)).map(([, argument]) => argument);
  return {
    clerk,
    state,
    asked,
    shelf,
    closed,
    failures,
    result,
    sent,
    idle,
    methods: () => asked.map(([method]) => method).filter((method) => !BESIDE.includes(method)),
    /** From now on it is this time, RFC 3339. */
    moveTo(iso: string) {
      time = Date.parse(iso);
    },
    operations: () => kept.operations.list({}) as Promise<Fields[]>,
    /** Erases what is kept of the people of a booking. */
    async forget(locator: string) {
      await kept.forgetting.erase({ locator }, await kept.forgetting.find({ locator }), time);
    },
    ledger: async (locator: string) =>
      (await kept.ledger.find(CALLER, { locators: [locator], limit: 1 })).entries[0] as Fields,
    /** The question that a person sees. */
    async ask(tool: string, args: object) {
      const answer = await call(tool, args);
      if (answer.kind !== 'ask') throw new Error(`${tool} did not ask: ${JSON.stringify(answer)}`);
      const act = answer.form.properties.decision.enum[1] ?? '';
      return { ...answer, act, text: `${answer.message}\n\n[ ${act} ]`, lines: answer.message.split('\n') };
    },
    /** A result that is no error. */
    async read(tool: string, args: object, how?: How) {
      const { structured, text, isError, links } = await result(tool, args, how);
      if (isError) throw new Error(text);
      return { view: structured as Fields, text, lines: text.split('\n'), links };
    },
    /** Calls, says yes if it is asked, and gives the result with what was sent and kept. */
    async say(tool: string, args: object) {
      const question = await call(tool, args);
      const dialog = question.kind === 'ask' && { handle: question.handle, raw: yesTo(question) };
      const { structured, text, isError, meta } = dialog ? await result(tool, args, { dialog }) : (question as Fields);
      if (isError) throw new Error(text);
      const id = structured.operation_id ?? meta?.operation_id;
      const operation: Fields = await kept.operations.get(String(id));
      const again = { ...args, ...(dialog && { approval_id: dialog.handle }) };
      const lines = text.split('\n') as string[];
      return { view: structured as Fields, text, lines, isError, sent: sent().at(-1), operation, again };
    },
    /** An error, before anything was sent: its code, message and next step. */
    async refused(tool: string, args: object, how?: How) {
      const { structured, text } = await result(tool, args, how);
      const { error } = structured as { error?: { code: string; message: string; next: string; effect: string } };
      if (error === undefined) throw new Error(`${tool} was not refused: ${text}`);
      if (sent().length > 0) throw new Error(`${tool} was refused after something was sent`);
      return { ...error, text, words: `${error.code} ${error.message}` };
    },
  };
}

/** What the airline lists of the agency's accounts. */
const ACCOUNTS = [{ name: 'desk-account', available: { minor: 500_000_00, currency: 'SAR' }, isActive: true }];

const station = (code: string) => ({ code, name: code, city: code, cityCode: code, country: 'SA' });

function airlineOf(options: Pick<DeskOptions, 'bookings' | 'after' | 'airline'>, asked: Asked[]): Airline {
  const refuse = (method: string) => async () => {
    throw new Error(`the airline must not be asked: ${method}`);
  };
  const read = (locator: string, wasSent: boolean) => {
    const { after, bookings = [] } = options;
    const known = wasSent && after !== undefined ? [after, ...bookings] : bookings;
    const booking = known.find(({ references }) => references.some(({ id }) => id === locator));
    if (booking) return asRead(booking);
    throw new ClerkError('E_NOT_FOUND', 'There is no such booking.', { next: 'Ask the person.' });
  };
  const wasSent = () => asked.some(([method]) => ACTS.includes(method));
  const changed = async () => asRead(options.after ?? (options.bookings?.[0] as Booking));
  const own: Airline = {
    pausedMs: async () => 0,
    searchFares: refuse('searchFares'),
    create: changed,
    createFromCounts: changed,
    read: async (locator) => read(locator, wasSent()),
    pay: refuse('pay'),
    modify: changed,
    cancel: async () => ({ locator: options.bookings?.[0]?.locator ?? '', status: 'CANCELLED' }),
    sendMail: async () => undefined,
    seatMap: refuse('seatMap'),
    ticketDocument: refuse('ticketDocument'),
    routes: async () => [{ from: station('MED'), to: [station('JED')] }],
    calendar: refuse('calendar'),
    accounts: async () => ACCOUNTS,
    ...options.airline,
  };
  const noted = Object.entries(own).map(([method, answer]) => [
    method,
    (...args: Fields[]) => {
      if (method === 'placeName') return answer(...(args as [never]));
      const [first, dispatch = first?.dispatch] = args;
      asked.push([method, first?.send === undefined ? first : Object.values(first.send)[0]]);
      if (ACTS.includes(method)) dispatch?.mayStart();
      return (answer as (...args: Fields[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(noted);
}

/** Asked beside what a tool does. */
const BESIDE: readonly string[] = ['routes', 'accounts', 'pausedMs'];

/** The calls of one tool, each on a desk of its own. */
export function callsOf(tool: string, common: object = { locator: 'ABC123' }) {
  const on = (booking: Booking | undefined, options: DeskOptions = {}) =>
    openDesk({ ...(booking && { bookings: [booking] }), ...options });
  const calling =
    <K extends 'ask' | 'say' | 'read' | 'refused'>(kind: K) =>
    async (booking?: Booking, args: object = {}, options?: DeskOptions) => {
      const desk = await on(booking, options);
      const answer = (await desk[kind](tool, { ...common, ...args })) as Awaited<ReturnType<Desk[K]>>;
      return { ...answer, desk };
    };
  const said = calling('say');
  return {
    ask: calling('ask'),
    say: said,
    read: calling('read'),
    refused: calling('refused'),
    /** As `say`, and it must be done. */
    async done(...args: Parameters<typeof said>) {
      const answer = await said(...args);
      if (answer.view.status !== 'done') throw new Error(answer.text);
      return answer;
    },
  };
}

/** What read_booking shows of a booking. */
export async function shown(booking: Booking, args: object = {}, options?: DeskOptions) {
  const { view, text, desk } = await callsOf('read_booking', { locator: 'abc123' }).read(booking, args, options);
  return { booking: view.booking, refund: view.refund, next: view.next, text, desk };
}

/** One scene of a golden file: a line, or some, for each title. */
export async function expectLines(name: string, scene: string, lines: Readonly<Record<string, Promise<string>>>) {
  const told: string[] = [];
  for (const [title, line] of Object.entries(lines)) told.push(`- ${title}: ${(await line).replaceAll('\n', '\n  ')}`);
  await expectGolden(name, { [scene]: told.join('\n') });
}

/** Each is refused before anything is sent, with the code and in the words of the golden file. */
export const expectRefusals = (tool: string, refusals: Readonly<Record<string, Promise<{ text: string }>>>) => {
  // Without the next step that every refused argument has.
  const own = ({ text }: { text: string }) =>
    text.replace(/\nNext: Call the tool again with a valid value for \S+$/, '');
  const lines = Object.entries(refusals).map(([title, refused]) => [title, refused.then(own)] as const);
  return expectLines(`errors/${tool}`, 'What it refuses', Object.fromEntries(lines));
};

/** What people read of answers, as scenes of a golden file. */
export async function expectTexts(name: string, answers: Readonly<Record<string, Promise<{ text: string }>>>) {
  const scenes: Record<string, string> = {};
  for (const [title, answer] of Object.entries(answers)) scenes[title] = (await answer).text;
  await expectGolden(name, scenes);
}

const PLACES = new Map([
  ['MED', 'Madinah'],
  ['JED', 'Jeddah'],
]);
export const placeName = (code: string) => PLACES.get(code);

type Offer = ShelvedOffer['offer'];

export function offer(over: Partial<Offer> = {}): Offer {
  return { options: [OUT], pricing: pricing(34500), notes: [], ...over };
}

export function shelved(over: Partial<ShelvedOffer> = {}): ShelvedOffer {
  return {
    offer: offer(),
    passengers: { adults: 1, children: 0, infants: 0 },
    shownAt: NOW,
    legs: [{ from: 'MED', to: 'JED', date: '2026-12-01' }],
    ...over,
  };
}
