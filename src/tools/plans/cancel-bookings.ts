/** The recipe "cancel these bookings": a line for each. */
import type { PlanLine } from '../../approvals/plans/plan.ts';
import type { RecipeCall } from './recipe.ts';
import type { RecipeArgs } from './recipe-inputs.ts';

export async function cancelBookings({ args, at, read }: RecipeCall): Promise<readonly PlanLine[]> {
  const { locators } = args as RecipeArgs<'cancel_bookings'>;
  return Promise.all(
    locators.map(async (locator, i) => ({
      title: `Cancel booking: ${locator}`,
      locator,
      steps: [
        { tool: 'cancel_booking', args: await read('cancel_booking', { locator }, `${at}.arguments.locators[${i}]`) },
      ],
    })),
  );
}
