/**
 * Spoilt replies through adapter, tools and journal: conversations with an airline (chaos/support/scenes.ts), one message of
 * which is answered badly from some time on, and all others well.
 */
import { systemClock } from '../../../src/journal/clock.ts';
import type { HttpReply } from '../../../src/ota/transport/http.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { adapter, replay } from '../chaos/support/replay.ts';
import type { recordScenes, Scene } from '../chaos/support/scenes.ts';
import { ACTS, READ, SENDING } from '../support/acts.ts';
import type { OtaAirline, Settings } from '../support/airline.ts';
import { type Answer, openOffice } from '../support/office.ts';
import { handedOver } from './bench.ts';
import type { Fuzzer } from './drive.ts';
import { errorReply } from './errors.ts';
import { spoilt } from './mutate.ts';
import { pick, type Random } from './random.ts';
import { judgeResult, type Seen } from './verdict.ts';

export type Theatre = Awaited<ReturnType<typeof recordScenes>>;
export type Answerer = ReturnType<typeof replay>['answer'];

const OTHER = 'ZZ9ZZ9';
const STATUSES = [
  200, 200, 200, 200, 200, 200, 200, 201, 204, 301, 302, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504, 599,
];
/** Every so many results are held against their schema. */
const DEEP_EVERY = 4;

export const locatorIn = (text: string) => /"id":"([A-Z0-9]{6})"/.exec(text)?.[1] ?? '';

interface Bad {
  readonly reply: HttpReply;
  /** Nothing of it names the booking: it is somebody else's, or nobody's. */
  readonly foreign: boolean;
  /** An error that blames a system: it proves nothing. */
  readonly blames: boolean;
}

/** Spoils it; at times the whole of it is another's, at times the status is another, or it is an error. */
function bad(good: HttpReply, random: Random): Bad {
  const way = random(16);
  const locator = locatorIn(good.text);
  if (way >= 13) return { ...errorReply(random), foreign: true };
  if (way === 0 && locator !== '')
    return { reply: { ...good, text: good.text.replaceAll(locator, OTHER) }, foreign: true, blames: false };
  const text = good.text === '' ? '' : spoilt(good.text, random);
  const status = way === 2 ? pick(STATUSES, random) : good.status;
  const after = way === 3 ? { retryAfterSeconds: pick([0, 1, 3600, -1, Number.NaN, 1e12], random) } : {};
  const foreign = locator !== '' && !text.toUpperCase().includes(locator);
  return { reply: { status, text, ...after }, foreign, blames: false };
}

/** @param connect the adapter to an airline that gives these answers */
export function spoiltReplies(
  theatres: readonly Theatre[],
  connect: (settings: Settings, answer: Answerer, random: Random) => OtaAirline = (settings, answer) =>
    adapter(settings, handedOver(answer)),
): Fuzzer {
  return {
    draw(random, run) {
      const { dialect, sandbox, scenes, at } = pick(theatres, random);
      // Most of them only read, which takes less time.
      const acts = random(5) === 0;
      const scene = pick(
        scenes.filter(({ name, tool }) => !name.includes(', error') && ACTS.some((act) => act.tool === tool) === acts),
        random,
      );
      const [message, replies] = pick([...scene.recorded], random);
      const from = random(replies.length);
      const spoils: Bad[] = [];
      const failures: unknown[] = [];
      const playing = replay(scene.recorded, (reply, name, nth) => {
        if (name !== message || nth < from) return reply;
        const spoil = bad(reply, random);
        spoils.push(spoil);
        return spoil.reply;
      });
      return {
        ...{ tool: scene.tool, failures: () => failures },
        input: () => `${scene.name}, ${message}: ${spoils[0]?.reply.text}`,
        async play() {
          const airline = connect(sandbox.settings, playing.answer, random);
          const began = performance.now();
          const now = () => Math.round(at + performance.now() - began);
          const clock = { now, sleep: systemClock.sleep };
          const state = { ...(await openSqliteState(':memory:', { now })), clock };
          const office = await openOffice({ airline, dialect, state, answerMs: 20, waitMs: 5 });
          const answers: (readonly [tool: string, answer: Answer])[] = [];
          const { call } = office.clerk;
          office.clerk.call = async (tool, args, how) => {
            const answer = await call(tool, args, how).catch((error) => {
              failures.push(error);
              throw error;
            });
            answers.push([tool, answer]);
            return answer;
          };
          // A conversation whose answers make no sense ends early.
          await scene.play(office).catch(() => undefined);
          failures.push(...office.failures);
          await office.close();
          await airline.close();
          const sent = playing.asked.filter((name) => SENDING.includes(name));
          return verdict(answers, { scene, message, spoils, sent, failures, deep: run % DEEP_EVERY === 0 });
        },
      };
    },
    close: async () => undefined,
  };
}

interface Played {
  readonly scene: Scene;
  readonly message: string;
  readonly spoils: readonly Bad[];
  readonly sent: readonly string[];
  readonly failures: readonly unknown[];
  readonly deep: boolean;
}

function verdict(answers: readonly (readonly [tool: string, answer: Answer])[], played: Played): Seen {
  const seen = answers.map(([tool, answer]) => [tool, judgeResult(answer, tool, played.deep)] as const);
  // What came of the yes, or of the only call.
  const told = seen.flatMap(([tool, one]) =>
    tool === played.scene.tool && one.outcome !== 'ask' ? [one.outcome] : [],
  );
  const outcome = `${played.scene.tool} ${told[0] ?? 'not called'}`;
  const failed = played.failures.length > 0 ? 'it failed inside' : undefined;
  const own = answers.filter(([tool]) => tool === played.scene.tool).map(([, answer]) => misled(answer, played));
  const wrong = [...seen.map(([, { wrong: why }]) => why), failed, tooMany(played), ...own];
  return { outcome, wrong: wrong.find((one) => one !== undefined) };
}

/** A spoilt reply makes no second message of one. */
function tooMany({ scene: { recorded }, sent }: Played): string | undefined {
  const more = [...new Set(sent)].filter((one) => {
    return sent.filter((name) => name === one).length > (recorded.get(one)?.length ?? 0);
  });
  return more.length > 0 ? `sent ${more.join(', ')} too often` : undefined;
}

function misled(answer: Answer, { scene: { tool, recorded }, message, spoils }: Played): string | undefined {
  if (answer.kind !== 'result') return undefined;
  const act = ACTS.find((one) => one.tool === tool && one.message === message);
  const { booking, status, error } = answer.structured as {
    readonly booking?: { readonly locator?: string };
    readonly status?: string;
    readonly error?: { readonly effect?: string };
  };
  if (act !== undefined && spoils[0]?.blames && error?.effect === 'none')
    return 'a failed system was taken for a refusal';
  // A booking that was just made has whatever name its reply gives it.
  if (answer.isError || tool === 'create_booking' || act?.named) return undefined;
  const known = [...recorded.values()].flat().map(({ text }) => text);
  const { locator } = booking ?? {};
  if (locator !== undefined && !known.some((text) => text.includes(locator))) return `booking ${locator} is another's`;
  const tells = (tool === 'read_booking' && message === READ) || (act !== undefined && status === 'done');
  return tells &&
    spoils.length > 0 &&
    spoils.every(({ foreign }) => foreign) &&
    !/No answer settled it|But the booking shows that it was done/.test(answer.text)
    ? "somebody else's reply was taken for the answer"
    : undefined;
}
