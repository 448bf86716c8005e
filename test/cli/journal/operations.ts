/** Operations in the embedded sandbox's journal, as another process left them. */
import { newOperation } from '../../store/support/new-operation.ts';
import { openState } from '../desk.ts';
import { freshState } from '../screen.ts';

type State = Awaited<ReturnType<typeof openState>>;
type Target = Parameters<State['operations']['transition']>[1]['to'];

interface Left {
  /** When it began, milliseconds since 1970; each later step a second after. */
  readonly at?: number;
  /** Its last state. Default succeeded. */
  readonly state?: Target | 'intent';
  readonly outcome?: object;
  readonly more?: Parameters<typeof newOperation>[1];
}

async function leave({ operations }: State, id: string, { at = 1_000, state = 'succeeded', outcome, more }: Left = {}) {
  await operations.insert(newOperation(id, { locator: 'ABC999', ...more }), {
    now: at,
    owner: 'p1',
    leaseUntil: at + 60_000,
  });
  if (state === 'intent') return;
  const by = { actor: 'p1' };
  const sent = { dispatchedAt: at + 1_000 };
  await operations.transition(id, { from: ['intent'], to: 'dispatched', patch: sent }, { ...by, now: at + 1_000 });
  if (state === 'dispatched') return;
  const end = { outcome: { ...(state === 'succeeded' && { basis: 'reply' as const }), ...outcome } };
  await operations.transition(id, { from: ['dispatched'], to: state, patch: end }, { ...by, now: at + 2_000 });
}

/** A state folder with these operations, by id. */
export async function journalOf(operations: Readonly<Record<string, Left>>) {
  const env = freshState();
  const state = await openState(env);
  for (const [id, left] of Object.entries(operations)) await leave(state, id, left);
  await state.close();
  return env;
}
