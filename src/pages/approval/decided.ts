/**
 * Serves the page "Decided" to a person who signed in: what became, in the last 30 days, of the questions that their inbox would
 * show them. It decides nothing. The sign-in of the inbox opens it too.
 */
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../../approvals/answer.ts';
import { mayOpen, maySee } from '../../approvals/who-may-answer.ts';
import { DAY_MS } from '../../core/times.ts';
import { type SignedInPerson, withoutApplication } from '../../domain/people/caller.ts';
import type { OperationStore } from '../../journal/ports.ts';
import type { DecidedPlace, DecidedQuestion, DecidedQuestions } from '../../ledger/ports.ts';
import { type DecidedRow, decidedPage } from './decided-view.ts';
import { sendToSignIn } from './inbox.ts';
import { DECIDED_PLACE, INBOX_PLACE, isOurHost, queryOf } from './page-access.ts';
import { notice, pageReply } from './page-reply.ts';
import { findListVisit, type SignedInAccessOptions, wantsAnotherSignIn } from './signed-in-access.ts';

const DAYS = 30;

/** Questions on a page. */
const ROWS = 50;

/** In the page's address: the question behind which the page begins. */
const BEFORE = /^(\d{1,15})\.([\w-]{0,64})$/;

interface DecidedState {
  readonly decided?: DecidedQuestions;
  readonly operations: Pick<OperationStore, 'getAll'>;
}

interface DecidedOptions extends SignedInAccessOptions {
  readonly environment: Environment;
  origins(): readonly string[];
  /** Milliseconds since 1970. */
  now(): number;
  state(): Promise<DecidedState>;
}

export function createDecided(options: DecidedOptions): (request: IncomingMessage) => Promise<Response> {
  const { environment, path, now } = options;
  return async (request) => {
    if (request.method !== 'GET') return pageReply(405, null, { allow: 'GET' });
    if (!isOurHost(request, options.origins())) return notice('wrong_address', environment);
    const visit = await findListVisit(request, options);
    if (visit === undefined) {
      // A new sign-in must be the one that counts in both lists.
      return sendToSignIn(request, wantsAnotherSignIn(request) ? INBOX_PLACE : DECIDED_PLACE, options);
    }
    const { person } = visit;
    const before = placeIn(request.url);
    const { rows, earlier } = await readPage(person, before, options);
    const page = decidedPage({
      environment,
      rows,
      isNewest: before === undefined,
      name: person.name,
      now: now(),
      path: path(DECIDED_PLACE),
      inbox: path(INBOX_PLACE),
      earlier: earlier && `${path(DECIDED_PLACE)}?before=${earlier.at}.${earlier.id}`,
    });
    return pageReply(200, page);
  };
}

/** Where the page of an address begins. Undefined: with the newest. */
function placeIn(url: string | undefined): DecidedPlace | undefined {
  const [, at, id = ''] = BEFORE.exec(queryOf(url).get('before') ?? '') ?? [];
  return at === undefined ? undefined : { at: Number(at), id };
}

interface ReadPage {
  readonly rows: readonly DecidedRow[];
  readonly earlier?: DecidedPlace | undefined;
}

async function readPage(
  person: SignedInPerson,
  before: DecidedPlace | undefined,
  options: DecidedOptions,
): Promise<ReadPage> {
  const { decided, operations } = await options.state();
  const now = options.now();
  const isOfTenant = person.approver || person.supervisor;
  const query = { tenant: person.tenant, since: now - DAYS * DAY_MS, now, limit: ROWS, before };
  const one = isOfTenant ? undefined : withoutApplication(person).id;
  const { rows = [], earlier } = (await decided?.page({ ...query, person: one })) ?? {};
  const asker = ({ caller }: DecidedQuestion) => ({ tenant: person.tenant, id: caller });
  const listed = rows.filter((question) => maySee(person, asker(question), options));
  const ids = listed.map(({ operationId }) => operationId);
  const known = new Map((await operations.getAll(ids)).map((operation) => [operation.id, operation]));
  const isPerson = (id: string | undefined) =>
    id !== undefined && options.login.isSame({ tenant: person.tenant, id }, person);
  return {
    earlier,
    rows: listed.map((question) => ({
      question,
      operation: known.get(question.operationId),
      isOwn: isPerson(question.caller),
      isOwnAnswer: isPerson(question.approver ?? question.caller),
      path:
        question.isRecent && mayOpen(person, asker(question), options) ? options.path(question.operationId) : undefined,
    })),
  };
}
