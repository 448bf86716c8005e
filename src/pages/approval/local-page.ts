/**
 * The approval page and the details page on this computer: starts their server on loopback at the first use, and opens them in the
 * person's browser.
 */

import { hostname } from 'node:os';
import type { Approval } from '../../approvals/approval.ts';
import type { Clerk, ClientAndPage, PageOpener } from '../../clerk/clerk.ts';
import type { DetailsPage } from '../../clerk/context.ts';
import { cleanText } from '../../core/clean-text.ts';
import { MINUTE_MS } from '../../core/times.ts';
import { DETAILS_MS } from '../../details/details-form.ts';
import { outsideTrace } from '../../tracing/tracer.ts';
import { type BrowserOpener, systemBrowser } from './browser.ts';
import type { Loopback } from './loopback.ts';
import { pageState } from './page-state.ts';

interface LocalPage extends PageOpener {
  readonly details: DetailsPage;
  /** Shows the questions and forms of this clerk. It is called once, before the clerk asks anything. */
  serve(clerk: Clerk): void;
  close(): Promise<void>;
}

/** Characters of the computer's name that are shown, at most. */
const LONGEST_COMPUTER_NAME = 60;

/** Says that the page was opened, and on which computer: a person at another one must know where to look. */
const OPENED = { opened: true, computer: cleanText(hostname(), LONGEST_COMPUTER_NAME) };

/** Time after which a page that nobody visited is opened again, milliseconds. */
const OPEN_AGAIN_MS = 20_000;
/** Pages opened per minute, at most: an assistant that asks in a loop must not flood its person with pages. */
const MOST_A_MINUTE = 6;

/** When the page of a question was opened, and by whom. Times in milliseconds since 1970. */
interface OpenedQuestion {
  readonly at: number;
  /** `client`: it received the address, to open it itself. `browser`: this computer's browser opened it. */
  readonly opener: 'client' | 'browser';
  /** When the question expires. */
  readonly until: number;
}

type PageOpening = Awaited<ReturnType<PageOpener['open']>>;

/** Creates the pages without a server: it loads and listens only when the first page is opened. */
export function createLocalPage(browser: BrowserOpener = systemBrowser()): LocalPage {
  /** Undefined until {@link LocalPage.serve}. */
  let servedClerk: { readonly clerk: Clerk; readonly reads: ReturnType<typeof pageState> } | undefined;

  /** By operation. */
  const openedQuestions = new Map<string, OpenedQuestion>();
  /** By operation: the last call that opens its page. Calls for one operation go one after another. */
  const turns = new Map<string, Promise<unknown>>();

  /** By address: when a browser opened that details page. Milliseconds since 1970. */
  const openedDetails = new Map<string, number>();
  let started: Promise<Loopback> | undefined;

  function served(): NonNullable<typeof servedClerk> {
    if (servedClerk === undefined) throw new Error('a page was opened before it had a clerk');
    return servedClerk;
  }

  const now = () => served().reads.now();

  /** Opens the state, so that `now` reads its clock from here on. Returns milliseconds since 1970. */
  async function stateTime(): Promise<number> {
    await served().reads.state();
    return now();
  }

  async function start(): Promise<Loopback> {
    const [{ startLoopback }, { detailsSource }] = await Promise.all([
      import('./loopback.ts'),
      import('../details/handler.ts'),
    ]);
    const { clerk, reads } = served();
    const { environment, tracer, typed } = clerk.options;

    return startLoopback({
      ...reads,
      decide: ({ operationId }, yes, _approver, ticked) =>
        clerk.decide(operationId, yes, { assurance: 'page' }, ticked),
      environment,
      typed,
      tracer,
      details: { ...detailsSource(clerk), environment },
    });
  }

  function loopback(): Promise<Loopback> {
    // Requests of browsers do not belong to the trace of the call that starts it.
    started ??= outsideTrace(start).catch((error) => {
      started = undefined;
      throw error;
    });
    return started;
  }

  /** Opens a question's page. Every call that waits for the answer asks for it; a person who has the page gets no second one. */
  async function openOnce(approval: Approval, client: ClientAndPage): Promise<PageOpening> {
    const askedAt = await stateTime();
    const { operationId, expiresAt } = approval;
    const earlier = openedQuestions.get(operationId);
    // A page that this computer's browser opened once is not left to the client afterwards.
    const opener = client === 'opens_itself' && earlier?.opener !== 'browser' ? 'client' : 'browser';

    if (earlier !== undefined) {
      const isVisited = (await started)?.visited(operationId) === true;
      if (isVisited || !mayOpenAgain(earlier, client, askedAt)) return OPENED;
    }

    const openings = [...openedQuestions.values()].map(({ at }) => at);
    if (hasOpenedMany(openings, askedAt)) return { opened: false };
    if (opener === 'browser' && !browser.available()) return { opened: false };

    const url = (await loopback()).addressFor(approval);
    if (opener === 'browser' && !(await browser.open(url))) return { opened: false };

    for (const [id, { until }] of openedQuestions) if (until <= now()) openedQuestions.delete(id);
    openedQuestions.set(operationId, { at: now(), until: expiresAt, opener });

    return opener === 'client' ? { url, opened: false } : OPENED;
  }

  const detailsAddress = async (id: string) => (await loopback()).detailsAddress(id);

  /** Opens a details page. Returns true if it is open, now or from before: a person who has it gets no second one. */
  async function openDetails(id: string): Promise<boolean> {
    const askedAt = await stateTime();
    for (const [url, at] of openedDetails) if (askedAt - at >= DETAILS_MS) openedDetails.delete(url);
    const url = await detailsAddress(id);
    if (openedDetails.has(url)) return true;
    if (hasOpenedMany([...openedDetails.values()], askedAt) || !browser.available()) return false;

    openedDetails.set(url, now());
    const isOpen = await browser.open(url);
    if (!isOpen) openedDetails.delete(url);

    return isOpen;
  }

  return {
    details: { address: detailsAddress, open: openDetails },

    serve(clerk) {
      servedClerk = { clerk, reads: pageState(clerk) };
    },

    canOpen: () => browser.available(),

    open(approval, client) {
      const id = approval.operationId;
      const earlierTurn = turns.get(id) ?? Promise.resolve();
      const turn = earlierTurn.catch(() => undefined).then(() => openOnce(approval, client));
      turns.set(id, turn);
      return turn.finally(() => {
        if (turns.get(id) === turn) turns.delete(id);
      });
    },

    async close() {
      const running = await started?.catch(() => undefined);
      started = undefined;
      openedQuestions.clear();
      openedDetails.clear();
      await running?.close();
    },
  };
}

/**
 * Whether a page that nobody has visited is opened again:
 *
 * | who was to open it earlier | the client now        | opened again                |
 * | -------------------------- | --------------------- | --------------------------- |
 * | the client                 | opens it itself       | at once, at a new address   |
 * | the client                 | failed to show it     | at once, in the browser     |
 * | the client                 | opens none            | after {@link OPEN_AGAIN_MS} |
 * | this computer's browser    | whatever it does      | after {@link OPEN_AGAIN_MS} |
 *
 * The client needs a new address because each address opens the page once.
 */
function mayOpenAgain(earlier: OpenedQuestion, client: ClientAndPage, now: number): boolean {
  if (earlier.opener === 'client' && client !== 'opens_none') return true;
  return now - earlier.at >= OPEN_AGAIN_MS;
}

/** Whether the last minute saw as many openings as are allowed. @param openings times in milliseconds since 1970 */
function hasOpenedMany(openings: readonly number[], now: number): boolean {
  return openings.filter((at) => now - at < MINUTE_MS).length >= MOST_A_MINUTE;
}
