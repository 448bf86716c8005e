/**
 * `fareclerk approve --watch`: the inbox in a terminal. Announces each new question, lets the person pick one and answer, and
 * goes on until Ctrl-C. Without a keyboard, or with `--json`, it only announces.
 */
import { createInterface } from 'node:readline';
import type { Approval } from '../../approvals/ports.ts';
import { programOf } from '../../server/approval-page/who-asks.ts';
import type { ExitCode } from '../commands/command.ts';
import { printable } from '../terminal/question-text.ts';
import { isInteractive } from '../terminal/typed-yes.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { decidePending } from './answer.ts';
import { actOf, leftText, type Pending, pending, type Run, record } from './pending.ts';

const LOOK_MS = 500;
const BELL = '\u0007';

type News =
  | { readonly event: 'asked'; readonly question: Pending; readonly n: number }
  /** `how`: granted, declined, void, replaced or expired. */
  | { readonly event: 'gone'; readonly approval: Approval; readonly how: string };

/** The open questions by a number that stays theirs. */
class Board {
  readonly #run: Run;
  #open = new Map<string, { readonly n: number; readonly question: Pending }>();
  #last = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  /** What changed since the last look. */
  async look(): Promise<readonly News[]> {
    const open = await pending(this.#run);
    const news: News[] = [];
    for (const [id, { question }] of this.#open) {
      if (open.some(({ approval }) => approval.operationId === id)) continue;
      news.push({ event: 'gone', approval: question.approval, how: await this.#endOf(question.approval) });
    }
    const known = this.#open;
    this.#open = new Map(
      open.map((question) => {
        const id = question.approval.operationId;
        const n = known.get(id)?.n ?? ++this.#last;
        if (!known.has(id)) news.push({ event: 'asked', question, n });
        return [id, { n, question }];
      }),
    );
    return news;
  }

  /** Answered by the person here: no news. */
  forget(id: string): void {
    this.#open.delete(id);
  }

  numbered(n: number): Pending | undefined {
    return [...this.#open.values()].find((one) => one.n === n)?.question;
  }

  lines(): readonly string[] {
    return [...this.#open.values()].map(({ n, question }) => `  ${n}) ${lineOf(question)}`);
  }

  async #endOf({ handleHash }: Approval): Promise<string> {
    const state = await this.#run.composed.state();
    const { decision, decidedAt } = (await state.approvals.get(handleHash)) ?? {};
    // Nobody answered it: its plan was asked anew.
    if (decision === 'void' && decidedAt === undefined) return 'replaced';
    return decision === undefined || decision === 'pending' ? 'expired' : decision;
  }
}

export async function watch(run: Run): Promise<ExitCode> {
  const board = new Board(run);
  if (run.json || !isInteractive(run.terminal)) return announce(run, board);
  const { stderr } = run.terminal;
  stderr.write('Waiting for questions. Ctrl-C ends this; the questions stay.\n');
  for (;;) {
    const picked = await pick(run, board);
    if (picked === undefined) break;
    const answered = (await decidePending(run, picked)) === 0;
    if (answered) board.forget(picked.approval.operationId);
  }
  stderr.write('\n');
  return 0;
}

/** Only announces, for a program or a second screen. */
async function announce(run: Run, board: Board): Promise<ExitCode> {
  const { stdout } = run.terminal;
  const ended = untilStopped(run.terminal).then(() => 'ended' as const);
  for (;;) {
    for (const news of await board.look()) stdout.write(run.json ? jsonLine(news) : `${wordsOf(news)}\n`);
    if ((await Promise.race([ended, pause()])) === 'ended') return 0;
  }
}

/** The question that the person picks by its number; undefined after Ctrl-C, Ctrl-D or a lost terminal. */
async function pick({ terminal: { stdin, stderr } }: Run, board: Board): Promise<Pending | undefined> {
  const reader = createInterface({ input: stdin, output: stderr, prompt: 'Number of a question: ' });
  const picked = Promise.withResolvers<Pending | undefined>();
  const over = new AbortController();
  const list = () => {
    const lines = board.lines();
    stderr.write(lines.length === 0 ? 'No questions are open.\n' : `${lines.join('\n')}\n`);
    reader.prompt(true);
  };
  reader.once('close', () => picked.resolve(undefined));
  reader.on('line', (line) => {
    const question = board.numbered(Number(line.trim()));
    if (question === undefined) list();
    else picked.resolve(question);
  });
  const looking = (async () => {
    for (let first = true; !over.signal.aborted; first = false) {
      const news = await board.look();
      if (news.length > 0) stderr.write(`\n${news.map(wordsOf).join('\n')}\n`);
      if (news.length > 0 || first) list();
      await Promise.race([pause(), picked.promise]);
    }
  })();
  try {
    return await Promise.race([picked.promise, looking.then(() => undefined)]);
  } finally {
    over.abort();
    reader.close();
    // The next look must not cross this one.
    await looking;
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, LOOK_MS));

function lineOf({ approval, leftMs }: Pending): string {
  const { act, locator } = approval;
  const where = locator === undefined || act.includes(locator) ? '' : `, booking ${locator}`;
  return printable(`${actOf(approval)}${where} (${leftText(leftMs)} left, asked by ${programOf(approval)})`);
}

const ENDS: Readonly<Record<string, string>> = {
  granted: 'Answered yes',
  declined: 'Answered no',
  void: 'Answered yes, and not carried out',
  replaced: 'Replaced by a newer question; nothing was sent by it',
  expired: 'Expired without an answer; nothing was sent',
};

function wordsOf(news: News): string {
  if (news.event === 'asked') return `${BELL}New question: ${lineOf(news.question)}`;
  return printable(`${ENDS[news.how] ?? news.how}: ${news.approval.act}`);
}

function jsonLine(news: News): string {
  const line =
    news.event === 'asked'
      ? { event: 'asked', ...record(news.question) }
      : {
          event: news.how === 'expired' || news.how === 'replaced' ? news.how : 'answered',
          operation_id: news.approval.operationId,
          how: news.how,
        };
  return `${JSON.stringify(line)}\n`;
}
