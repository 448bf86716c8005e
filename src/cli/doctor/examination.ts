/** Examines a set-up: runs all checks in order, from the settings and the state outwards to the airline. */
import type { Config } from '../../config/load.ts';
import { checkAirline } from './airline.ts';
import type { Checks, DoctorOptions } from './check.ts';
import { secretsOf } from './secrets.ts';
import { checkApproval, readSettings } from './settings.ts';
import { checkSignIn } from './sign-in.ts';
import { checkState } from './state.ts';

interface Examined {
  /** Undefined if the settings are wrong. */
  readonly config?: Config;
  /** What no result may show. */
  readonly secrets: readonly string[];
}

export async function examine(options: DoctorOptions, checks: Checks): Promise<Examined> {
  const { config, found } = readSettings(options);
  await checks.run('settings', [], () => found);
  if (config === undefined) return { secrets: [] };

  await checkState(config, checks);
  await checkSignIn(config, options.ca, checks);

  // Without an airline the embedded sandbox answers, which needs no check.
  const tokens = config.airline && (await checkAirline(config.airline, options, checks));
  await checks.run('approval', [], () => checkApproval(config, options.browser));

  return { config, secrets: secretsOf(config, tokens) };
}
