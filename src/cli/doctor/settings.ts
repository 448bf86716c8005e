/** Checks the settings, and by them whether a person can be asked for an approval. */

import { readCallersFile } from '../../config/callers.ts';
import { type Config, readConfig, SettingsError } from '../../config/load.ts';
import { joined } from '../../core/words.ts';
import type { DoctorOptions } from './check.ts';
import { type CheckOutcome, finding, good } from './check-outcomes.ts';

/** Reads the settings as a start does. Without `config` they are wrong. */
export function readSettings({ env, flags, origin }: DoctorOptions): {
  readonly config?: Config;
  readonly found: readonly CheckOutcome[];
} {
  try {
    const config = readConfig(env, flags, origin);
    readCallersFile(config.http.callersFile);

    const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => env[name]);
    const found = [good(summary(config))];
    if (proxies.length > 0 && config.airline !== undefined)
      found.push(finding('proxy_ignored', { names: proxies.join(' and ') }));
    found.push(...config.ignoredVariables.map((ignored) => finding('variable_ignored', { ...ignored })));

    return { config, found };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { found: error.problems.map((problem) => finding('setting_wrong', { ...problem })) };
  }
}

function summary({ airline, environment }: Config): string {
  if (airline === undefined) return 'No airline is set. The embedded sandbox airline answers. Nothing is real';
  const { credentials, currency, carrier, country, dialect } = airline;
  const seller = joined([currency, country, carrier && `carrier ${carrier}`]);
  return `${environment}; ${dialect} dialect; credentials: ${credentials}; point of sale: ${seller}`;
}

/** Checks that a person can be asked: a page is the way that always works. @param browser whether one can be opened here */
export function checkApproval(
  { approval: mode, environment, http: { publicUrl }, readOnly }: Config,
  browser: boolean,
): CheckOutcome {
  if (readOnly) return good('No approvals: FARECLERK_TOOLSET=read');
  if (mode === 'echo' && environment === 'live') return finding('asked_by_the_model');
  const dialog = mode !== 'page' && mode !== 'echo' && "the host's dialog where it has one";
  const page = publicUrl === undefined ? browser && 'a page in the browser here' : `a page at ${publicUrl}/approve`;
  const ways = joined([dialog, page, '`fareclerk approve` in a terminal'], '; or ');
  return page !== false || mode === 'echo' ? good(`Approvals by ${ways}`) : finding('nobody_to_ask', { ways });
}
