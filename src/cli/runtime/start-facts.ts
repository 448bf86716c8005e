/** What a server over HTTP is, for its operator: printed once, when it starts to listen. No secrets. */
import { existsSync } from 'node:fs';
import type { Config } from '../../config/load.ts';
import { holdWords, pauseWords } from '../../journal/context.ts';
import { INBOX_PLACE, placePath } from '../../server/approval-page/page-access.ts';
import type { State } from '../../store/state.ts';
import { VERSION } from '../../version.ts';

interface StartFacts {
  readonly version: string;
  readonly listening: string;
  readonly public?: string;
  readonly issuer?: string;
  readonly audience?: string;
  /** Where people find their questions. */
  readonly approvals?: string;
  readonly airline: string;
  readonly state: string;
  readonly sending: string;
}

export function startFacts(config: Config, listening: string, sending: string): StartFacts {
  const { airline, http } = config;
  const { issuer, publicUrl, audience = publicUrl && `${publicUrl}/mcp` } = http;
  const approvals = http.page && placePath(INBOX_PLACE, publicUrl);
  return {
    version: VERSION,
    listening,
    public: publicUrl,
    issuer,
    audience: issuer && audience,
    approvals,
    airline: airline === undefined ? 'sandbox: nothing is real' : `live: ${airlineWords(config)}`,
    state: storeWords(config),
    sending,
  };
}

/** One line for each fact, indented. */
export function factLines(facts: StartFacts): string {
  const { listening: _, ...rest } = facts;
  return Object.entries(rest)
    .flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(9)} ${value}\n`]))
    .join('');
}

export function airlineWords({ airline, origin }: Config): string {
  const profile = origin.from === 'profile' ? ` (profile ${origin.profile})` : '';
  if (airline === undefined) return `the sandbox, nothing is real${profile}`;
  return `${new URL(airline.baseUrl).host}, agency ${airline.agencyId}, ${airline.currency}${profile}`;
}

/** The file, or host and database: never user or password. */
export function storeWords({ state }: Config): string {
  if (state.databaseUrl === undefined) return `SQLite ${state.file}`;
  const url = URL.parse(state.databaseUrl.reveal());
  return url === null ? 'PostgreSQL' : `PostgreSQL ${url.host}${url.pathname}`;
}

/** Whether something stops sending. Does not make a state that is not there yet. */
export async function sendingNow({ state }: Config, open: () => Promise<State>): Promise<string> {
  if (state.databaseUrl === undefined && !existsSync(state.file)) return 'allowed';
  const { hold, pause } = await (await open()).chain.status();
  if (hold !== undefined) return holdWords(hold);
  return pause === undefined ? 'allowed' : pauseWords(pause);
}
