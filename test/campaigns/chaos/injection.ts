/**
 * Injected texts of an airline: every payload in every free text field, and some payloads in every field in turn.
 * Nothing runs without approval. No control, direction or markup character of a payload appears in a dialog, on the
 * page or in a result. In terms, our own words come first.
 *
 *   node test/campaigns/chaos/injection.ts [--runs 42000] [--seed 1]     42,000: every payload everywhere
 */
import { dialectOf } from '../support/airline.ts';
import { Chance } from '../support/chance.ts';
import { type Office, openOffice } from '../support/office.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';
import { IMITATIONS, PAYLOADS } from './support/payloads.ts';
import { type Json, type Player, player, textPlaces, withText } from './support/replay.ts';
import { enriched, type Played, recordScenes, type Scene } from './support/scenes.ts';
import { forbiddenIn, imitates, wrongWith, wrongWithTerms } from './support/text-checks.ts';

const HARMLESS = 'Benign';
/** Messages that move money or undo something. */
const ACTS = ['OTA_AirBookRQ', 'OTA_AirDemandTicketRQ', 'OTA_AirBookModifyRQ', 'OTA_CancelRQ'];

/** Fields that an airline may fill with any words without being misunderstood. */
const FREE =
  /(?:givenName|middleName|surname|namePrefix|nameSuffix|nameTitle|cityName|remark|taxName|feeName|amenity|shortText|title|message|detail|exception|path|service|field|fareBaggageAllowance|text|emdType|description|correlationId|requestId)(?:\.\*)?(?:\.value)?$|^\*\.(?:origin|destinations\.\*)\.(?:name|country)$|comment\.\*\.(?:name|value)$|email\.\*\.value$/;

interface Theatre {
  readonly scenes: readonly Scene[];
  readonly player: Player;
  readonly settings: Readonly<Record<string, string>>;
}

/** Places of texts, by message. */
type Places = ReadonlyMap<string, ReadonlySet<string>>;

interface Outcome {
  readonly played: Played;
  readonly sends: number;
}

function placesOf(scene: Scene, wanted: (place: string) => boolean): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [message, replies] of scene.recorded) {
    const places = replies.flatMap(({ text }) => (text === '' ? [] : [...textPlaces(enriched(JSON.parse(text)))]));
    found.set(message, new Set(places.filter(wanted)));
  }
  return found;
}

async function play(theatre: Theatre, office: Office, scene: Scene, places: Places, text: string): Promise<Outcome> {
  const none: ReadonlySet<string> = new Set();
  theatre.player.rewind(scene.recorded, (body: Json, message) =>
    withText(enriched(body), places.get(message) ?? none, text),
  );
  const played = await scene.play(office);
  return { played, sends: theatre.player.asked.filter((message) => ACTS.includes(message)).length };
}

const curtain = ({ player: { airline }, settings }: Theatre) => openOffice({ airline, dialect: dialectOf(settings) });

/** In an office of its own, which is closed after it. */
async function alone(theatre: Theatre, scene: Scene, places: Places, text: string): Promise<Outcome> {
  const office = await curtain(theatre);
  const outcome = await play(theatre, office, scene, places, text);
  await office.close();
  return outcome;
}

/**
 * What a payload got that a harmless word did not. `free`: our own words of a line of terms do not depend on the field.
 * `meant`: the payload may mean something there (a currency), and bring lines of our own; it has no line end itself.
 */
function compare(evil: Outcome, harmless: Outcome, free: boolean, meant = false): string[] {
  const wrong: (string | undefined)[] = [
    evil.sends > harmless.sends ? `${evil.sends} sent, not ${harmless.sends}` : undefined,
    ...evil.played.fields.map(forbiddenIn),
  ];
  const alike = isAlike(evil, harmless);
  for (const [i, { kind, text }] of evil.played.shown.entries()) {
    const plain = harmless.played.shown[i]?.text ?? '';
    const check = kind === 'terms' && free ? wrongWithTerms : wrongWith;
    const problem =
      (alike ? check(text, plain, meant) : forbiddenIn(text)) ?? (kind === 'text' ? undefined : imitates(text));
    wrong.push(problem && `${kind} ${problem}: ${JSON.stringify(strange(text, plain))}`);
  }
  return wrong.filter((problem) => problem !== undefined);
}

function isAlike(a: Outcome, b: Outcome): boolean {
  return a.played.codes.join() === b.played.codes.join();
}

/** The first line that is not as it should be. */
function strange(text: string, plain: string): string {
  const own = new Set(plain.split('\n'));
  const line = text
    .split('\n')
    .find((one) => !own.has(one) && (forbiddenIn(one) || /[<>`*_~#|\\[\]{}]|https?:/.test(one)));
  return (line ?? text).slice(0, 160);
}

/** What was changed must be in the answer to the change as it was sent, and names that were, before it: not free there. */
async function freePlaces(theatre: Theatre, scene: Scene, before: Outcome): Promise<Places> {
  const all = placesOf(scene, (place) => FREE.test(place));
  if (isAlike(before, await alone(theatre, scene, all, HARMLESS))) return all;
  const others = new Map([...all].filter(([message]) => message !== 'OTA_AirBookModifyRQ'));
  if (isAlike(before, await alone(theatre, scene, others, HARMLESS))) return others;
  const unnamed = placesOf(scene, (place) => FREE.test(place) && !place.includes('personName'));
  return new Map([...unnamed].filter(([message]) => others.has(message)));
}

/** A payload of which nothing can be seen is like no text at all. */
function isNothing(payload: string): boolean {
  return payload.replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '') === '';
}

/** Every payload, in all free fields at once. */
async function corpus(
  theatre: Theatre,
  choose: (payloads: readonly string[]) => readonly string[],
  problems: string[],
): Promise<number> {
  let runs = 0;
  for (const scene of theatre.scenes) {
    const before = await alone(theatre, scene, new Map(), '');
    const places = await freePlaces(theatre, scene, before);
    const office = await curtain(theatre);
    const harmless = await play(theatre, office, scene, places, HARMLESS);
    const empty = await play(theatre, office, scene, places, '');
    if (!isAlike(before, harmless)) {
      problems.push(
        `${scene.name}: ${HARMLESS} ends in ${harmless.played.codes.join()}, not ${before.played.codes.join()}`,
      );
    }
    for (const payload of choose(PAYLOADS)) {
      const evil = await play(theatre, office, scene, places, payload);
      runs += 1;
      const sends = Math.max(empty.sends, harmless.sends);
      for (const problem of isNothing(payload)
        ? compare(evil, { ...empty, sends }, false)
        : compare(evil, harmless, true))
        problems.push(`${scene.name}, ${shownAs(payload)}: ${problem}`);
    }
    problems.push(...office.failures.map((error) => `${scene.name}: failed inside: ${String(error)}`));
    await office.close();
  }
  return runs;
}

/** Codes and names of places that stand in sentences of ours. */
const CODED =
  /(?:resBookDesigCode|fareBasis|fareBasisCode|fareReference|seatNumber|flightNumber)(?:\.\*)?(?:\.value)?$|(?:origin|destinations\.\*)\.(?:name|city)$/;

/** Sentences in place of all codes and names of places: none is read as ours. */
async function sentences(theatre: Theatre, problems: string[]): Promise<void> {
  for (const scene of theatre.scenes) {
    const all = placesOf(scene, (place) => CODED.test(place));
    for (const wanted of [/class|resBook|fare/i, /name|city/i, /flightNumber|seatNumber/]) {
      const some = new Map(
        [...all].map(([message, places]) => [message, new Set([...places].filter((one) => wanted.test(one)))]),
      );
      for (const text of IMITATIONS) {
        const { played } = await alone(theatre, scene, some, text);
        for (const { kind, text: shown } of played.shown) {
          const problem = kind === 'text' ? undefined : imitates(shown);
          if (problem)
            problems.push(
              `${scene.name}, ${shownAs(text)}: ${kind} ${problem}: ${JSON.stringify(shown.split('\n').find(imitates))}`,
            );
        }
      }
    }
  }
}

/** Every field that holds a text, whatever it is for, in turn. */
async function fields(theatre: Theatre, runs: number, chance: Chance, problems: string[]): Promise<[number, number]> {
  const all = theatre.scenes.flatMap((scene) =>
    [...placesOf(scene, () => true)].flatMap(([message, places]) =>
      [...places].map((place) => ({
        scene,
        places: new Map([[message, new Set([place])]]),
        place: `${message} ${place}`,
      })),
    ),
  );
  const untouched = new Map<Scene, number>();
  for (const scene of theatre.scenes) untouched.set(scene, (await alone(theatre, scene, new Map(), '')).sends);
  const due = Array.from({ length: Math.ceil(runs / Math.max(1, all.length)) }, () => chance.shuffled(all)).flat();
  for (const { scene, places, place } of due.slice(0, runs)) {
    const payload = chance.pick(PAYLOADS);
    const harmless = await alone(theatre, scene, places, isNothing(payload) ? '' : HARMLESS);
    const fresh = await curtain(theatre);
    const evil = await play(theatre, fresh, scene, places, payload);
    const wrong = [
      ...compare(
        evil,
        { ...harmless, sends: Math.max(untouched.get(scene) ?? 0, harmless.sends) },
        false,
        !/[\n\v\f\r\u0085\u2028\u2029]/.test(payload),
      ),
      ...fresh.failures.map((error) => `failed inside: ${String(error)}`),
    ];
    for (const problem of wrong) problems.push(`${scene.name}, ${place} = ${shownAs(payload)}: ${problem}`);
    await fresh.close();
  }
  return [Math.min(runs, due.length), all.length];
}

function shownAs(payload: string): string {
  return JSON.stringify(payload.slice(0, 40));
}

export async function proveInjection(
  { runs, seed }: ProofOptions,
  dialects: readonly ('rail' | 'airline')[] = ['rail', 'airline'],
): Promise<Proved> {
  const problems: string[] = [];
  const chance = new Chance(seed);
  const seen: string[] = [];
  for (const dialect of dialects) {
    const { sandbox, scenes } = await recordScenes(dialect);
    const { settings } = sandbox;
    const theatre = { scenes, settings, player: player(settings) };
    const each = Math.ceil(runs / dialects.length / scenes.length);
    const whole = await corpus(theatre, (some) => chance.shuffled(some).slice(0, each), problems);
    const [single, places] = await fields(theatre, Math.ceil(runs / dialects.length / 5), chance, problems);
    await sentences(theatre, problems);
    const payloads = Math.min(each, PAYLOADS.length);
    seen.push(
      `${dialect}: ${scenes.length} conversations × ${payloads} of ${PAYLOADS.length} payloads (${whole}), ${single} single fields of ${places}`,
    );
    await sandbox.close();
  }
  return { seen: seen.join('; '), problems: [...new Set(problems)] };
}

if (import.meta.main) await command('injection', { runs: 42_000, seed: 1 }, (options) => proveInjection(options));
