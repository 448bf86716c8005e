/** A trip at the sandbox airline is played once; what the airline answers is kept by what it had done until then, and given again. */
import { createTransport } from '../../../src/ota/transport/http.ts';
import { startSandbox } from '../../support/sandbox/start.ts';
import { MODIFY, PAY, READ } from '../support/acts.ts';
import { type Asking, CREDENTIALS, type DeskOptions, type Dialect, messageOf, openDesk, type Person } from './desk.ts';
import type { Played } from './play.ts';
import { type Json, START } from './trips.ts';

/** What an airline answers until it does the next thing. */
export interface Phase {
  /** By message. */
  readonly replies: Readonly<Record<string, Json>>;
  /** To the message that ends the phase. */
  readonly sent?: Json;
}

export interface Recording {
  readonly desk: DeskOptions;
  readonly phases: readonly Phase[];
}

export const HOLD = 'OTA_AirBookRQ';
export const SEARCH = 'OTA_AirLowFareSearchRQ';

/** A message that does something. */
const DOES: ReadonlySet<string> = new Set([HOLD, PAY, MODIFY, 'OTA_CancelRQ']);

/** Offers of a search: the others would only be lied about in the same way. */
const OFFERS = 3;

function cut(reply: Json, fare: string): Json {
  const list = reply?.pricedItineraries?.pricedItinerary;
  if (!Array.isArray(list)) return reply;
  const wanted = list.filter((offer) => JSON.stringify(offer).includes(fare));
  return { ...reply, pricedItineraries: { pricedItinerary: wanted.slice(0, OFFERS) } };
}

/** Plays a trip at the sandbox airline, and keeps what it answers. */
async function record(
  dialect: Dialect,
  name: string,
  play: (person: Person) => Promise<Played>,
  fare = '',
): Promise<Recording> {
  const sandbox = await startSandbox({
    ...{ dialect, accepts: 'key', seed: 1, now: () => START, credentials: CREDENTIALS },
  });
  const { settings } = sandbox;
  const wire = createTransport();
  const desk = {
    ...{ dialect, at: START, currency: settings.FARECLERK_CURRENCY ?? '', carrier: settings.FARECLERK_CARRIER },
  };
  const phases: { replies: Record<string, Json>; sent?: Json }[] = [{ replies: {} }];
  const ask: Asking = async (request) => {
    const { pathname, search } = new URL(request.url);
    const message = messageOf(request);
    const { status, text } = await wire.exchange({
      ...request,
      url: sandbox.url + pathname + search,
      mayStart: () => true,
    });
    const reply = cut(JSON.parse(text), fare);
    const phase = phases.at(-1);
    if (status !== 200 || phase === undefined) throw new Error(`${message}: ${text}`);
    if (DOES.has(message)) {
      phase.sent = reply;
      phases.push({ replies: {} });
    } else phase.replies[message] ??= reply;
    return reply;
  };
  const open = await openDesk(desk);
  try {
    const seen = await play(open.person(ask));
    const refused = Object.entries(seen).find(([place, one]) => one?.refused && place !== 'tickets');
    if (refused !== undefined || open.failures.length > 0)
      throw new Error(`no honest trip of ${name} (${dialect}): ${JSON.stringify([refused, ...open.failures])}`);
    return { desk, phases };
  } finally {
    await open.close();
    await wire.close();
    await sandbox.close();
  }
}

/** Answers as it was recorded. `lied`: another reply to a message of a phase; of the message that ends it, `sent`. */
export function replaying(phases: readonly Phase[], lied: (at: number, key: string) => Json | undefined): Asking {
  let at = 0;
  return (request) => {
    const message = messageOf(request);
    if (DOES.has(message)) {
      const reply = lied(at, 'sent') ?? phases[at]?.sent;
      if (reply !== undefined) at += 1;
      return reply;
    }
    const held = phases.slice(0, at + 1).findLast(({ replies }) => message in replies);
    return lied(at, message) ?? held?.replies[message];
  };
}

const recorded = new Map<string, Promise<Recording>>();

export function recordedOnce(...[dialect, name, play, fare = '']: Parameters<typeof record>): Promise<Recording> {
  const key = `${dialect} ${name} ${fare}`;
  const recording = recorded.get(key) ?? record(dialect, name, play, fare);
  recorded.set(key, recording);
  return recording;
}

/** @param turn how often the airline showed the booking since the act began; 0 until then */
export type Rewrite = (reply: Json, message: string, turn: number) => Json;

/** Answers as it was recorded, rewritten. `begin`: the act begins. */
export function rewriting(phases: readonly Phase[], rewrite: Rewrite): { readonly asking: Asking; begin(): void } {
  const honest = replaying(phases, () => undefined);
  let turn = 0;
  let isBegun = false;
  return {
    begin() {
      isBegun = true;
    },
    asking(request) {
      const message = messageOf(request);
      const reply = honest(request);
      if (reply === undefined) return reply;
      // Offers and seats are of the reading before them.
      if (isBegun && (message === READ || DOES.has(message))) turn += 1;
      return rewrite(reply, message, turn);
    },
  };
}
