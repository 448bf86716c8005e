/**
 * Serves the page "Decided": what a person who signed in asked or answered last, what became of it and what moved. A supervisor sees
 * what the whole desk asked and answered.
 */
import type { IncomingMessage } from 'node:http';
import { RUN_PLAN } from '../../approvals/approval.ts';
import { whereText, whoText } from '../../approvals/booking-gist.ts';
import { mayOpen } from '../../approvals/who-may-answer.ts';
import { DAY_MS, utcText } from '../../core/times.ts';
import { capitalized, joined } from '../../core/words.ts';
import { showDeadline } from '../../domain/booking/deadlines.ts';
import { type SignedInPerson, withoutApplication } from '../../domain/people/caller.ts';
import { callerName } from '../../domain/people/caller-names.ts';
import { isActive, type Operation } from '../../journal/operation.ts';
import { movedMoney } from '../../journal/outcome.ts';
import type { OperationStore } from '../../journal/ports.ts';
import { ASSURANCE_WORDS, questionOutcome, STATE_WORDS } from '../../ledger/history.ts';
import type { DecidedQuestion, DecidedQuestions } from '../../ledger/ports.ts';
import { PLAN_YES_MS } from '../../plans/plan.ts';
import { movedTexts } from '../../plans/plan-money.ts';
import { ACTS } from '../../tools/index.ts';
import { partyInWords } from '../../tools/rules/party-size.ts';
import { framed, type Html, html, icon, withArrows } from '../browser/html.ts';
import { type SignedInListOptions, serveList } from './inbox.ts';
import { DECIDED_PLACE, INBOX_PLACE } from './page-access.ts';
import { asAnother } from './signed-in-access.ts';

const DAYS = 30;
const ROWS = 50;
const ANSWERS = { no: 'not approved', lapsed: 'nobody answered', withdrawn: 'withdrawn', waiting: 'open' } as const;

const NOTHING_DECIDED = {
  person: 'Nothing was decided that you asked or answered.',
  desk: 'Nothing was decided at this desk.',
} as const;

interface DecidedOptions extends SignedInListOptions {
  state(): Promise<{ readonly decided?: DecidedQuestions; readonly operations: Pick<OperationStore, 'getAll'> }>;
}

export function createDecided(options: DecidedOptions): (request: IncomingMessage) => Promise<Response> {
  const { environment, path } = options;
  const title = `Decided in the last ${DAYS} days`;

  return serveList(DECIDED_PLACE, options, async (person) => {
    const items = await decidedItems(person, options);
    const list = html`<ul class="inbox decided" role="list" aria-label="Decided questions">\n${items}</ul>`;
    const main = html`<h1>${title}</h1>
${items.length === 0 ? html`<p>${NOTHING_DECIDED[person.supervisor ? 'desk' : 'person']}</p>` : list}
<p><a href="${path(INBOX_PLACE)}">Open questions for you</a></p>`;

    const foot = html`<p>Signed in as ${person.name}. Read-only.</p>
<p><a href="${asAnother(path(DECIDED_PLACE))}">Sign in with another account</a></p>`;
    return framed({ title, environment, main, foot, look: 'list' });
  });
}

async function decidedItems(person: SignedInPerson, options: DecidedOptions): Promise<readonly Html[]> {
  const { decided, operations } = await options.state();
  const now = options.now();
  const since = now - DAYS * DAY_MS;

  const own = person.supervisor ? undefined : withoutApplication(person).id;
  const query = { tenant: person.tenant, person: own, since, now, limit: ROWS };
  const questions = (await decided?.lastOf(query)) ?? [];
  const ids = questions.flatMap(({ operationId, steps = [] }) => [operationId, ...steps.map((act) => act.operationId)]);
  const known = new Map((await operations.getAll(ids)).map((operation) => [operation.id, operation]));
  return questions.map((question) => decidedItem(question, known, person, options));
}

type ById = ReadonlyMap<string, Operation>;

function decidedItem(question: DecidedQuestion, known: ById, person: SignedInPerson, options: DecidedOptions): Html {
  const { operationId, isRecent, caller, approver = caller, assurance = 'none', askedAt, decidedAt } = question;
  const asker = { tenant: person.tenant, id: caller };
  const isPerson = (id: string) => options.login.isSame({ ...asker, id }, person);
  const name = (id: string, you: string) => (isPerson(id) ? html`${you}` : html`<bdi>${callerName(id)}</bdi>`);

  const operation = known.get(operationId);
  const what = whatWasAsked(question, operation);
  const near = question.departs ?? operation?.facts?.departs;

  // The same may be asked twice: each link has a name of its own.
  const id = operationId.slice(0, 8);
  const outcome = questionOutcome(question, options.now());
  const verb = outcome === 'yes' ? 'approved' : 'declined';
  const answered = html` ${name(approver, 'You')} ${verb} it${ASSURANCE_WORDS[assurance]}${decidedAt && html`, ${moment(decidedAt, near)}`}.`;

  // A plan has several acts, any other question has one.
  const acts = question.steps ?? [question];
  const endings = acts.map((act) => endingOf(act.decision, known.get(act.operationId), question, options.now()));
  const tone =
    (['wait', 'bad', 'good'] as const).find((each) => endings.some((ending) => ending.tone === each)) ?? 'no';

  const words = [...Map.groupBy(endings, (ending) => ending.words)].map(([text, { length }]) =>
    acts.length === 1 ? text : `${length} ${text}`,
  );

  const operations = acts.flatMap((act) => known.get(act.operationId) ?? []);
  const moved = movedTexts(operations.map((operation) => ({ moved: movedMoney(operation) })));
  const about = html`${what}<span class="what">${capitalized(moved.join(', '))}</span>`;
  const link = html`<a href="${options.path(operationId)}">${about}<span class="hidden">, reference ${id}</span></a>`;

  return html`<li>${isRecent && mayOpen(person, asker, options) ? link : html`<span class="about">${about}</span>`}
<span class="kind ${tone}">${icon(tone)}<span>${capitalized(words.join(' · '))}</span></span>
<span>Asked for ${name(caller, 'you')}, ${moment(askedAt, near)}.${outcome === 'yes' || outcome === 'no' ? answered : undefined}</span></li>
`;
}

/** `Payment, booking ABC123, Amal Haddad` below the trip. Once the names are erased, the journal still has the number of each type. */
function whatWasAsked(question: DecidedQuestion, operation: Operation | undefined): Html {
  const { tool, locator, people, route, departs } = question;
  const { facts = {}, outcome } = operation ?? {};
  const { adults = 0, children = 0, infants = 0 } = facts;
  const party = partyInWords({ adults, children, infants });
  const who = people.length > 0 ? whoText({ people, count: people.length }) : party;

  const booking = outcome?.locator ?? locator;
  const word = tool === RUN_PLAN ? 'plan' : (ACTS.named(tool)?.word ?? 'change');
  const act = joined([capitalized(word), booking && `booking ${booking}`, who]);
  const where = whereText({ route: route ?? facts.route?.replaceAll('-', ' → '), departs: departs ?? facts.departs });
  return html`${where && html`<strong>${withArrows(where)}</strong> `}<span class="what">${act}</span>`;
}

/** What became of an act. The journal knows more than the question. */
function endingOf(decision: string, operation: Operation | undefined, question: DecidedQuestion, now: number) {
  const { tool, steps, expiresAt, decidedAt = 0, isStale } = question;
  if (operation?.state === 'succeeded') return { tone: 'good', words: STATE_WORDS.succeeded };
  if (operation) return { tone: isActive(operation.state) ? 'wait' : 'bad', words: STATE_WORDS[operation.state] };

  const outcome = questionOutcome({ ...question, decision }, now);
  if (outcome !== 'yes') return { tone: 'no', words: ANSWERS[outcome] };
  // The acts of a plan are kept as long as its questions; their operations stay in the journal.
  if (tool === RUN_PLAN && steps === undefined) return { tone: 'no', words: 'carried out: see each booking' };

  const until = steps === undefined ? expiresAt : decidedAt + PLAN_YES_MS;
  if (decision === 'granted' && now < until) return { tone: 'wait', words: 'not done yet' };

  return { tone: 'bad', words: isStale ? 'not done: the terms had changed' : 'not done' };
}

/** `Tue 17 Nov 15:42 (UTC+3)`. @param near a departure of the trip, whose offset gives local times */
function moment(ms: number, near: string | undefined): Html {
  const iso = utcText(ms);
  return html`<time datetime="${iso}">${showDeadline(iso, near)}</time>`;
}
