/**
 * Injected texts of an airline: every payload in every free text field, and some payloads in every field in turn.
 * Nothing runs without approval. No control, direction or markup character of a payload appears in a dialog, on the
 * page or in a result. In terms, our own words come first.
 *
 *   node test/campaigns/chaos/injection.ts [--runs 42000] [--seed S]     42,000: every payload everywhere
 */
import { SENDING } from '../support/acts.ts';
import { Chance } from '../support/chance.ts';
import { openOffice } from '../support/office.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';
import { IMITATIONS, PAYLOADS } from './support/payloads.ts';
import { type Json, type Player, player, textPlaces, withText } from './support/replay.ts';
import { enriched, type Played, recordScenes, type Scene } from './support/scenes.ts';
import { forbiddenIn, imitates, wrongWith, wrongWithTerms } from './support/text-checks.ts';

const HARMLESS = 'Benign';

/** Fields that an airline may fill with any words without being misunderstood. */
const FREE =
  /(?:givenName|middleName|surname|namePrefix|nameSuffix|nameTitle|cityName|remark|taxName|feeName|amenity|shortText|title|message|detail|exception|path|service|field|fareBaggageAllowance|text|emdType|description|correlationId|requestId)(?:\.\*)?(?:\.value)?$|^\*\.(?:origin|destinations\.\*)\.(?:name|country)$|comment\.\*\.(?:name|value)$|email\.\*\.value$/;
/** Codes, pointers and names of places that stand in sentences of ours. */
const CODED =
  /(?:rph|RPH|resBookDesigCode|fareBasis|fareBasisCode|fareReference|seatNumber|flightNumber)(?:\.\*)?(?:\.value)?$|(?:origin|destinations\.\*)\.(?:name|city)$/;

type Places = ReadonlyMap<string, ReadonlySet<string>>;

interface Outcome {
  readonly played: Played;
  readonly sends: number;
}

function placesOf(scene: Scene, wanted: (place: string) => boolean): Places {
  const found = new Map<string, Set<string>>();
  for (const [message, replies] of scene.recorded) {
    const places = replies.flatMap(({ text }) => (text === '' ? [] : [...textPlaces(enriched(JSON.parse(text)))]));
    found.set(message, new Set(places.filter(wanted)));
  }
  return found;
}

const isAlike = (a: Outcome, b: Outcome) => a.played.codes.join() === b.played.codes.join();

/** A payload of which nothing can be seen is like no text at all. */
const isNothing = (payload: string) => payload.replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '') === '';

/** A condition of a refund without any word is none, so that its line is not there to be compared. */
const hasWords = (payload: string) => /[\p{L}\p{N}]/u.test(payload);

const shownAs = (payload: string) => JSON.stringify(payload.slice(0, 40));

/**
 * What a payload got that a harmless word did not. `free`: our own words of a line of terms do not depend on the field.
 * `meant`: the payload may mean something there (a currency), and bring lines of our own; it has no line end itself.
 */
function compare(evil: Outcome, harmless: Outcome, free: boolean, meant = false): string[] {
  const wrong = evil.sends > harmless.sends ? [`${evil.sends} sent, not ${harmless.sends}`] : [];
  wrong.push(...evil.played.fields.map(forbiddenIn).filter((problem) => problem !== undefined));
  const alike = isAlike(evil, harmless);
  for (const [i, { kind, text }] of evil.played.shown.entries()) {
    const plain = harmless.played.shown[i]?.text ?? '';
    const check = kind === 'terms' && free ? wrongWithTerms : wrongWith;
    const found = alike ? check(text, plain, meant) : forbiddenIn(text);
    const problem = found ?? (kind === 'text' ? undefined : imitates(text));
    if (problem !== undefined) wrong.push(`${kind} ${problem}: ${JSON.stringify(strange(text, plain))}`);
  }
  return wrong;
}

/** The first line that is not as it should be. */
function strange(text: string, plain: string): string {
  const plainLines = new Set(plain.split('\n'));
  const isOdd = (line: string) => forbiddenIn(line) || /[<>`*_~#|\\[\]{}]|https?:/.test(line);
  return (text.split('\n').find((line) => !plainLines.has(line) && isOdd(line)) ?? text).slice(0, 160);
}

class Theatre {
  readonly problems: string[] = [];
  readonly #dialect: 'rail' | 'airline';
  readonly #player: Player;
  readonly #scenes: readonly Scene[];

  constructor(dialect: 'rail' | 'airline', player: Player, scenes: readonly Scene[]) {
    this.#dialect = dialect;
    this.#player = player;
    this.#scenes = scenes;
  }

  /** Plays a scene in an office of its own, in which nothing may fail, and which has read no other text before. */
  async #play(scene: Scene, places: Places, text: string): Promise<Outcome> {
    const office = await openOffice({ airline: this.#player.airline, dialect: this.#dialect });
    const with_ = (body: Json, message: string) => withText(enriched(body), places.get(message) ?? new Set(), text);
    this.#player.rewind(scene.recorded, with_);
    const played = await scene.play(office);
    this.problems.push(
      ...played.unasked.map((tool) => `${scene.name}: ${tool} was done before anybody was asked`),
      ...office.failures.map((error) => `${scene.name}: failed inside: ${String(error)}`),
    );
    await office.close();
    const sends = this.#player.asked().filter((message) => SENDING.includes(message)).length;
    return { played, sends };
  }

  /** What was changed must be in the answer to the change as it was sent, and names that were, before it: not free there. */
  async #freePlaces(scene: Scene, before: Outcome): Promise<Places> {
    const all = placesOf(scene, (place) => FREE.test(place));
    if (isAlike(before, await this.#play(scene, all, HARMLESS))) return all;
    const others = new Map([...all].filter(([message]) => message !== 'OTA_AirBookModifyRQ'));
    if (isAlike(before, await this.#play(scene, others, HARMLESS))) return others;
    const unnamed = placesOf(scene, (place) => FREE.test(place) && !place.includes('personName'));
    return new Map([...unnamed].filter(([message]) => others.has(message)));
  }

  /** Payloads, each in all free fields at once. */
  async corpus(choose: () => readonly string[]): Promise<number> {
    let runs = 0;
    for (const scene of this.#scenes) {
      const before = await this.#play(scene, new Map(), '');
      const places = await this.#freePlaces(scene, before);
      const harmless = await this.#play(scene, places, HARMLESS);
      const empty = await this.#play(scene, places, '');
      const sends = Math.max(empty.sends, harmless.sends);
      if (!isAlike(before, harmless)) this.problems.push(`${scene.name}: ${HARMLESS} ends in ${harmless.played.codes}`);
      for (const payload of choose()) {
        runs += 1;
        const evil = await this.#play(scene, places, payload);
        const wrong = isNothing(payload)
          ? compare(evil, { ...empty, sends }, false)
          : compare(evil, harmless, hasWords(payload), !hasWords(payload));
        this.problems.push(...wrong.map((problem) => `${scene.name}, ${shownAs(payload)}: ${problem}`));
      }
    }
    return runs;
  }

  /** Every field that holds a text, whatever it is for, in turn. Returns how many were played, and how many there are. */
  async fields(runs: number, chance: Chance): Promise<[number, number]> {
    const all = this.#scenes.flatMap((scene) =>
      [...placesOf(scene, () => true)].flatMap(([message, places]) =>
        [...places].map((place) => ({
          scene,
          places: new Map([[message, new Set([place])]]),
          at: `${message} ${place}`,
        })),
      ),
    );
    const untouched = new Map<Scene, number>();
    for (const scene of this.#scenes) untouched.set(scene, (await this.#play(scene, new Map(), '')).sends);
    const due = Array.from({ length: Math.ceil(runs / Math.max(1, all.length)) }, () => chance.shuffled(all)).flat();
    for (const { scene, places, at } of due.slice(0, runs)) {
      const payload = chance.pick(PAYLOADS);
      const harmless = await this.#play(scene, places, isNothing(payload) ? '' : HARMLESS);
      const evil = await this.#play(scene, places, payload);
      const sends = Math.max(untouched.get(scene) ?? 0, harmless.sends);
      const wrong = compare(evil, { ...harmless, sends }, false, !/[\n\v\f\r\u0085\u2028\u2029]/.test(payload));
      this.problems.push(...wrong.map((problem) => `${scene.name}, ${at} = ${shownAs(payload)}: ${problem}`));
    }
    return [Math.min(runs, due.length), all.length];
  }

  /** Sentences in place of all codes and names of places: none is read as ours. */
  async sentences(): Promise<void> {
    for (const scene of this.#scenes) {
      for (const wanted of [/class|resBook|fare/i, /name|city/i, /flightNumber|seatNumber/, /rph/i]) {
        const places = placesOf(scene, (place) => CODED.test(place) && wanted.test(place));
        for (const text of IMITATIONS) {
          const { played } = await this.#play(scene, places, text);
          const bad = played.shown.filter(({ kind, text: shown }) => kind !== 'text' && imitates(shown));
          this.problems.push(
            ...bad.map(({ kind }) => `${scene.name}, ${shownAs(text)}: ${kind} has a sentence like ours`),
          );
        }
      }
    }
  }
}

async function proveInjection({ runs, seed }: ProofOptions): Promise<Proved> {
  const chance = new Chance(seed);
  const seen: string[] = [];
  const problems: string[] = [];
  for (const dialect of ['rail', 'airline'] as const) {
    const { sandbox, scenes } = await recordScenes(dialect);
    const theatre = new Theatre(dialect, player(sandbox.settings), scenes);
    const each = Math.min(PAYLOADS.length, Math.ceil(runs / 2 / scenes.length));
    const whole = await theatre.corpus(() => chance.shuffled(PAYLOADS).slice(0, each));
    const [single, places] = await theatre.fields(Math.ceil(runs / 10), chance);
    await theatre.sentences();
    seen.push(
      `${dialect}: ${scenes.length} conversations × ${each} of ${PAYLOADS.length} payloads (${whole}), ${single} single fields of ${places}`,
    );
    problems.push(...theatre.problems);
    await sandbox.close();
  }
  return { seen: seen.join('; '), problems: [...new Set(problems)] };
}

await command('injection', 42_000, proveInjection);
