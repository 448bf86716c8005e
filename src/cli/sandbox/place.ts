/** Which sandbox a command means: the one inside the servers of this user, or one on a port. Never a real airline. */
import { existsSync } from 'node:fs';
import { readConfig, UsageError } from '../../config/load.ts';
import { isLoopback } from '../../core/hosts.ts';
import { CONTROL_MARK } from '../../sandbox/failures/control.ts';
import type { Terminal } from '../commands/command.ts';

export const EMBEDDED = 'the embedded sandbox';

function isHere(address: string): boolean {
  return isLoopback(URL.parse(address)?.hostname ?? '');
}

type SandboxPlace = { readonly file: string } | { readonly origin: string };

/** `command` begins the message of a refusal. Throws UsageError. */
export function findSandbox(command: string, url: string | undefined, env: Terminal['env']): SandboxPlace {
  if (url !== undefined) {
    if (isHere(url)) return { origin: new URL(url).origin };
    throw new UsageError('--url: expected a sandbox on this machine, such as http://127.0.0.1:8770.');
  }
  const { airline, state } = readConfig(env, {});
  if (airline === undefined) return { file: state.sandboxFile };
  // These are the settings that `fareclerk sandbox` printed; the answer there must prove it.
  if (isHere(airline.baseUrl)) return { origin: new URL(airline.baseUrl).origin };
  throw new UsageError(
    `${command}: FARECLERK_BASE_URL names a real airline, and faults and mishaps exist in the sandbox only. Give --url.`,
  );
}

export function needFile(command: string, file: string): void {
  if (existsSync(file)) return;
  throw new UsageError(`${command}: ${EMBEDDED} has not run yet (${file}). Start a server or call a tool first.`);
}

/** Asks a sandbox on a port, or posts to it. Throws UsageError if no sandbox of fareclerk answers. */
export async function askControl(origin: string, path: string, posted?: object): Promise<Record<string, unknown>> {
  const init =
    posted === undefined
      ? {}
      : { method: 'POST', body: JSON.stringify(posted), headers: { 'content-type': 'application/json' } };
  const response = await fetch(origin + path, { ...init, redirect: 'error' }).catch(() => undefined);
  const reply: unknown = await response?.json().catch(() => undefined);
  const answer = (typeof reply === 'object' && reply !== null ? reply : {}) as Record<string, unknown>;
  if (answer.sandbox === CONTROL_MARK) return answer;
  throw new UsageError(`--url: no sandbox of fareclerk answers at ${origin}. Start \`fareclerk sandbox\`.`);
}
