/**
 * One instance of a fleet: the product's own composition, in a process of its own, told over IPC what to call.
 * FLEET_SKEW_MS: its machine's clock is wrong by so much.
 */
import { takeOrders } from './child.ts';
import { type Answer, type Asker, codeOf, type Result, yesTo } from './office.ts';
import { inParallel } from './pace.ts';

export interface Call {
  readonly tool: string;
  readonly args: object;
  /** Default: the OS user. */
  readonly caller?: Asker['caller'];
  /** An answer to a question, as the host sends it; `at once`: to whatever question comes. */
  readonly yes?: { readonly handle: string; readonly raw: unknown } | 'at once';
}

/** What came of a call: its code (office.ts, codeOf), and the question where one was asked. */
export type Came = ReturnType<typeof cameOf>;

export interface Order {
  readonly calls: readonly Call[];
  readonly width: number;
}

const skew = Number(process.env.FLEET_SKEW_MS ?? 0);
if (skew !== 0) {
  const real = Date.now;
  Date.now = () => real() + skew;
}
// Composed under that clock.
const { composeClerk } = await import('../../../src/cli/runtime/compose.ts');
const { readConfig } = await import('../../../src/config/load.ts');
const { withWaits } = await import('./waits.ts');
const { FLEET_SKEW_MS: _, ...env } = process.env;
const composed = composeClerk(withWaits(readConfig(env)));

function cameOf(answer: Answer) {
  const nothing: Pick<Result, 'text' | 'structured' | 'meta'> = { text: '', structured: {} };
  const { text, structured, meta } = answer.kind === 'result' ? answer : nothing;
  const question =
    answer.kind === 'ask' ? { handle: answer.handle, raw: yesTo(answer), message: answer.message } : undefined;
  return { code: codeOf(answer), text, structured, meta, question };
}

async function call({ tool, args, caller = composed.caller, yes }: Call): Promise<Answer> {
  const how = { caller, canElicit: true, canOpenUrls: false };
  if (yes !== undefined && yes !== 'at once') return composed.clerk.call(tool, args, { ...how, dialog: yes });
  const answer = await composed.clerk.call(tool, args, how);
  if (yes === undefined || answer.kind !== 'ask') return answer;
  return composed.clerk.call(tool, args, { ...how, dialog: { handle: answer.handle, raw: yesTo(answer) } });
}

// As a server does: it stands ready for what others leave.
await composed.resume();
takeOrders<Order, readonly Came[]>(
  ({ calls, width }) => inParallel(calls, width, async (one) => cameOf(await call(one))),
  async () => {
    await composed.clerk.idle();
    await composed.close();
  },
);
