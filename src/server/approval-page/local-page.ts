/** Serves the approval page and the details page on loopback, from the first use on, and opens them in the person's browser. */
import { hostname } from 'node:os';
import type { Approval } from '../../approvals/ports.ts';
import { cleanText } from '../../core/clean-text.ts';
import { DETAILS_MS } from '../../details/ports.ts';
import type { Clerk, PageOpener } from '../clerk.ts';
import type { DetailsPage } from '../context.ts';
import { outsideTrace } from '../tracing/tracer.ts';
import { type BrowserOpener, systemBrowser } from './browser.ts';
import type { Loopback } from './loopback.ts';
import { pageState, ticketsFrom } from './page-state.ts';

interface LocalPage extends PageOpener {
  readonly details: DetailsPage;
  close(): Promise<void>;
}

/** The page was opened, on this computer: a person at another one must know where to look. */
const OPENED = { opened: true, computer: cleanText(hostname(), 60) };

/** Time after which a page that nobody visited is opened again, milliseconds. */
const OPEN_AGAIN_MS = 20_000;
/** An assistant that asks in a loop must not flood its person with pages. */
const MOST_A_MINUTE = 6;
const MINUTE_MS = 60_000;

interface OpenedAt {
  readonly at: number;
  /** The client was given the address. */
  readonly forClient: boolean;
  readonly until: number;
}

type PageOpening = Awaited<ReturnType<PageOpener['open']>>;

/** Loads the server and listens only when the first question is asked: `clerk`, made with this page, exists by then. */
export function createLocalPage(clerk: () => Clerk, browser: BrowserOpener = systemBrowser()): LocalPage {
  const { state, ...reads } = pageState(clerk);
  const { now } = reads;
  /** By operation: when its page was opened, and for whom. */
  const openedQuestions = new Map<string, OpenedAt>();
  /** By operation: the last call that opens its page. Calls for one operation go one after another. */
  const turns = new Map<string, Promise<unknown>>();
  /** When a browser opened a details page, by its address. */
  const openedDetails = new Map<string, number>();
  let started: Promise<Loopback> | undefined;

  async function start(): Promise<Loopback> {
    const [{ startLoopback }, { detailsSource }] = await Promise.all([
      import('./loopback.ts'),
      import('../details-page/handler.ts'),
    ]);
    const { environment, tracer } = clerk().options;
    return startLoopback({
      ...reads,
      ...ticketsFrom(clerk),
      decide: ({ operationId }, yes, _approver, ticked) =>
        clerk().decide(operationId, yes, { assurance: 'page' }, ticked),
      environment,
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

  /** Opens a question's page. Runs for every call that waits: a person who has the page gets no second one. */
  async function openOnce(approval: Approval, clientOpensUrls: boolean, unseen: boolean): Promise<PageOpening> {
    // Opens the state, whose clock `now` is.
    await state();
    const { operationId, expiresAt } = approval;
    const earlier = openedQuestions.get(operationId);
    // A client whose person did not come yet gets another address: each opens the page once.
    const forClient = clientOpensUrls && earlier?.forClient !== false;
    if (earlier !== undefined) {
      const isVisited = (await started)?.visited(operationId) === true;
      const isTooSoon = now() - earlier.at < OPEN_AGAIN_MS && !(unseen && earlier.forClient) && !forClient;
      if (isVisited || isTooSoon) return OPENED;
    }
    const openedLately = [...openedQuestions.values()].filter(({ at }) => now() - at < MINUTE_MS);
    if (openedLately.length >= MOST_A_MINUTE) return { opened: false };
    if (!forClient && !browser.available()) return { opened: false };
    const url = (await loopback()).addressFor(approval);
    if (!forClient && !(await browser.open(url))) return { opened: false };
    for (const [id, { until }] of openedQuestions) if (until <= now()) openedQuestions.delete(id);
    openedQuestions.set(operationId, { at: now(), until: expiresAt, forClient });
    return forClient ? { url, opened: false } : OPENED;
  }

  const detailsAddress = async (id: string) => (await loopback()).detailsAddress(id);

  /** Opens a details page. True if it is open already: a person who has the page gets no second one. */
  async function openDetails(id: string): Promise<boolean> {
    await state();
    for (const [url, at] of openedDetails) if (now() - at >= DETAILS_MS) openedDetails.delete(url);
    const url = await detailsAddress(id);
    if (openedDetails.has(url)) return true;
    const openedLately = [...openedDetails.values()].filter((at) => now() - at < MINUTE_MS);
    if (openedLately.length >= MOST_A_MINUTE || !browser.available()) return false;
    openedDetails.set(url, now());
    const isOpen = await browser.open(url);
    if (!isOpen) openedDetails.delete(url);
    return isOpen;
  }

  return {
    details: { address: detailsAddress, open: openDetails },
    canOpen: () => browser.available(),
    open(approval, clientOpensUrls, unseen = false) {
      const id = approval.operationId;
      const earlierTurn = turns.get(id) ?? Promise.resolve();
      const turn = earlierTurn.catch(() => undefined).then(() => openOnce(approval, clientOpensUrls, unseen));
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
