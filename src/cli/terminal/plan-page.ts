/** Opens the page of a plan from a terminal: a plan is answered there, booking by booking. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlanApproval } from '../../approvals/approval.ts';
import type { DecisionOutcome } from '../../approvals/outcome-words.ts';
import type { Clerk } from '../../clerk/clerk.ts';
import { UsageError } from '../../config/load.ts';
import { systemBrowser } from '../../pages/approval/browser.ts';
import { createLocalPage } from '../../pages/approval/local-page.ts';
import type { PlanView } from '../../plans/plan.ts';
import { planOutcome } from '../../plans/plan-words.ts';
import type { Terminal } from './command.ts';

/** Time between two looks at the plan, milliseconds. */
const LOOK_MS = 500;

const OPEN_STATES: ReadonlySet<PlanView['state']> = new Set(['asked', 'running']);

/**
 * Opens the page in the browser, and prints its address for a person whose browser does not open. Waits until the plan is answered and
 * carried out. If this process ends before, another one goes on with the plan.
 */
export async function answerPlanOnPage(clerk: Clerk, approval: PlanApproval, terminal: Terminal) {
  const browser = systemBrowser({ env: terminal.env, platform: process.platform });
  const page = createLocalPage({
    available: () => true,
    async open(url) {
      terminal.stderr.write(`Answer the plan on its page. This address opens it once:\n  ${url}\n`);
      await browser.open(url);
      return true;
    },
  });
  page.serve(clerk);

  try {
    await page.open(approval, 'opens_none');
    return await planEnd(clerk, approval.part.plan);
  } finally {
    await page.close();
  }
}

async function planEnd(clerk: Clerk, planId: string): Promise<DecisionOutcome> {
  for (;;) {
    const view = await clerk.plan(planId);
    if (view === undefined) throw new UsageError('This plan is no longer kept.');
    if (!OPEN_STATES.has(view.state)) return planOutcome(view);
    await sleep(LOOK_MS);
  }
}
