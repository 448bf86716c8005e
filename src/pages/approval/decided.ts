/** Serves the page "Decided" to a person who signed in: what became of what they asked or answered. The sign-in of the inbox opens it too. */
import type { IncomingMessage } from 'node:http';
import type { Environment } from '../../approvals/answer.ts';
import { mayOpen } from '../../approvals/who-may-answer.ts';
import { DAY_MS } from '../../core/times.ts';
import { type SignedInPerson, withoutApplication } from '../../domain/people/caller.ts';
import type { OperationStore } from '../../journal/ports.ts';
import type { DecidedQuestions } from '../../ledger/ports.ts';
import { type DecidedRow, decidedPage } from './decided-view.ts';
import { sendToSignIn } from './inbox.ts';
import { DECIDED_PLACE, INBOX_PLACE, isOurHost } from './page-access.ts';
import { notice, pageReply } from './page-reply.ts';
import { findListVisit, type SignedInAccessOptions, wantsAnotherSignIn } from './signed-in-access.ts';

const DAYS = 30;

/** Questions on the page, at most. */
const ROWS = 50;

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
    const rows = await readRows(person, options);
    const page = decidedPage({
      environment,
      rows,
      name: person.name,
      now: now(),
      inbox: path(INBOX_PLACE),
    });
    return pageReply(200, page);
  };
}

async function readRows(person: SignedInPerson, options: DecidedOptions): Promise<readonly DecidedRow[]> {
  const { decided, operations } = await options.state();
  const { tenant } = person;
  const now = options.now();
  const query = { tenant, person: withoutApplication(person).id, since: now - DAYS * DAY_MS, now, limit: ROWS };
  const questions = (await decided?.lastOf(query)) ?? [];
  const ids = questions.flatMap(({ operationId, steps = [] }) => [
    operationId,
    ...steps.map((step) => step.operationId),
  ]);
  const known = new Map((await operations.getAll(ids)).map((operation) => [operation.id, operation]));
  const isPerson = (id: string) => options.login.isSame({ tenant, id }, person);
  return questions.map((question) => {
    const { operationId, caller, approver = caller, isRecent, steps } = question;
    return {
      question,
      operation: known.get(operationId),
      acts: steps?.map((step) => ({ decision: step.decision, operation: known.get(step.operationId) })),
      isOwn: isPerson(caller),
      isOwnAnswer: isPerson(approver),
      path: isRecent && mayOpen(person, { tenant, id: caller }, options) ? options.path(operationId) : undefined,
    };
  });
}
