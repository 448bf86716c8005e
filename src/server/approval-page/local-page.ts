/**
 * The approval page on stdio: served on loopback from the first question on, and opened in the person's browser.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Approval } from '../../approvals/ports.ts';
import type { Clerk, PageOpener } from '../clerk.ts';
import { type BrowserOpener, systemBrowser } from './browser.ts';
import type { Loopback, LoopbackOptions } from './loopback.ts';
import { clerkState } from './page-state.ts';

export interface ApprovalPageOptions extends LoopbackOptions {
  /** Default: the system's. */
  readonly browser?: BrowserOpener;
}

export interface ApprovalPage extends PageOpener {
  /** Answers one request for a page; the loopback server's own listener. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** A page that nobody came to is opened again after this long, milliseconds. */
const OPEN_AGAIN_MS = 20_000;
/** An assistant that asks in a loop must not bury its person in pages: beyond this many in a minute, none is opened. */
const MOST_A_MINUTE = 6;

interface Shown {
  readonly at: number;
  readonly until: number;
}

type Opened = Awaited<ReturnType<PageOpener['open']>>;

/** Nothing is listened on, and no server code is loaded, before the first question. */
export function createApprovalPage(options: ApprovalPageOptions): ApprovalPage {
  const { browser = systemBrowser(), now } = options;
  const shown = new Map<string, Shown>();
  const turns = new Map<string, Promise<unknown>>();
  let started: Promise<Loopback> | undefined;

  function loopback(): Promise<Loopback> {
    started ??= import('./loopback.ts')
      .then(({ startLoopback }) => startLoopback(options))
      .catch((error) => {
        started = undefined;
        throw error;
      });
    return started;
  }

  /** Asked with every call that waits: a person who has the page, or is about to, gets no second one. */
  async function openOnce(approval: Approval, clientOpensUrls: boolean): Promise<Opened> {
    const { operationId, expiresAt } = approval;
    const before = shown.get(operationId);
    if (before !== undefined) {
      const visited = (await started)?.visited(operationId) === true;
      if (visited || now() - before.at < OPEN_AGAIN_MS) return { opened: true };
    }
    // The client is given the address once: in an answer after that, the model would see it.
    const forClient = clientOpensUrls && before === undefined;
    const lately = [...shown.values()].filter(({ at }) => now() - at < 60_000);
    if (lately.length >= MOST_A_MINUTE) return { opened: false };
    if (!forClient && !browser.available()) return { opened: false };
    const url = (await loopback()).addressFor(approval);
    if (!forClient && !(await browser.open(url))) return { opened: false };
    for (const [id, { until }] of shown) if (until <= now()) shown.delete(id);
    shown.set(operationId, { at: now(), until: expiresAt });
    return forClient ? { url, opened: false } : { opened: true };
  }

  return {
    canOpen: () => browser.available(),
    open(approval, clientOpensUrls) {
      const id = approval.operationId;
      const before = turns.get(id) ?? Promise.resolve();
      const turn = before.catch(() => undefined).then(() => openOnce(approval, clientOpensUrls));
      turns.set(id, turn);
      return turn.finally(() => {
        if (turns.get(id) === turn) turns.delete(id);
      });
    },
    async handle(request, response) {
      await (await loopback()).handle(request, response);
    },
    async close() {
      const running = await started?.catch(() => undefined);
      started = undefined;
      shown.clear();
      await running?.close();
    },
  };
}

/** The page of a clerk, which is itself made with a page: it is asked for only when there is a question. */
export function approvalPageOf(clerk: () => Clerk, browser?: BrowserOpener): ApprovalPage {
  const { state, ...looked } = clerkState(clerk);
  const page = createApprovalPage({
    ...looked,
    press: (operationId, yes) => clerk().decide(operationId, yes, { assurance: 'page' }),
    get environment() {
      return clerk().options.environment;
    },
    log: { failure: (fields) => clerk().options.log.failure(fields) },
    ...(browser && { browser }),
  });
  return {
    ...page,
    async open(approval, clientOpensUrls) {
      await state();
      return page.open(approval, clientOpensUrls);
    },
  };
}
