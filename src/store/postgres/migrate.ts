/**
 * Brings the tables up to date when the state is opened, by whichever process comes first.
 */
import { ClerkError } from '../../errors.ts';
import type { PostgresDatabase } from './database.ts';
import { cannotOpen, codeOf, sqlState } from './errors.ts';
import { META, MIGRATIONS, SCHEMA_VERSION } from './schema.ts';

/** `create trigger`, `sha256()` and all else that the tables use. */
const OLDEST_SERVER = 14;

/** Of this program among the users of advisory locks; held to the end of the transaction, so poolers do not matter. */
export const LOCK = 7_211_907_114;

/** Throws ClerkError E_CONFIG where the database cannot be used, or is from a newer version. */
export async function prepare(db: PostgresDatabase): Promise<void> {
  try {
    await assertFit(db);
    while (!(await isUpToDate(db)));
  } catch (error) {
    throw error instanceof ClerkError && error.code === 'E_CONFIG' ? error : unusable(db.schema, error);
  }
}

async function assertFit(db: PostgresDatabase): Promise<void> {
  const server = await db.get(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
     pg_is_in_recovery() as standby`,
  );
  if (Number(server?.version) < OLDEST_SERVER * 10_000) {
    throw cannotOpen(`is older than PostgreSQL ${OLDEST_SERVER}.`, 'The operator upgrades the server.');
  }
  if (server?.encoding !== 'UTF8') {
    throw cannotOpen('is not in UTF8.', "The operator makes a database with encoding 'UTF8' and names that.");
  }
  if (server.standby === true) {
    throw cannotOpen('is a standby, which cannot be written.', 'The operator names the primary server.');
  }
}

/** True once the tables are of this version; false after a step that somebody else may have taken first. */
async function isUpToDate(db: PostgresDatabase): Promise<boolean> {
  const version = await versionNow(db);
  if (version === SCHEMA_VERSION) return true;
  if (version > SCHEMA_VERSION) throw fromNewer(version);
  const [there] = await db.all('select to_regnamespace($1) is not null as there', db.schema);
  try {
    await db.script(steps(db.schema, version, there?.there !== true));
  } catch (error) {
    if (!OVERTAKEN.includes(sqlState(error) ?? '')) throw error;
  }
  return false;
}

/** 0: there are no tables yet. */
async function versionNow(db: PostgresDatabase): Promise<number> {
  const there = await db.get('select to_regclass($1) is not null as there', `${db.schema}.meta`);
  if (there?.there !== true) return 0;
  const row = await db.get(`select value from ${db.schema}.meta where key = 'schema_version'`);
  return Number(row?.value ?? 0);
}

const MOVED_ON = 'FC002';
/** Another process made the schema, or took the step, between our look and our lock. */
const OVERTAKEN = [MOVED_ON, '42P06'];

/** One transaction. The schema is made only where there is none: `if not exists` would ask for the right to make it. */
function steps(schema: string, from: number, makesSchema: boolean): string {
  return `
select pg_advisory_xact_lock(${LOCK});
${makesSchema ? `create schema ${schema};` : ''}
${META(schema)};
do $$ begin
  if coalesce((select value from ${schema}.meta where key = 'schema_version'), '0') <> '${from}' then
    raise exception 'another process was first' using errcode = '${MOVED_ON}';
  end if;
end $$;
${MIGRATIONS.slice(from)
  .map((step) => step(schema))
  .join('\n')}
insert into ${schema}.meta(key, value) values ('schema_version', '${SCHEMA_VERSION}')
  on conflict (key) do update set value = excluded.value;`;
}

function fromNewer(version: number): ClerkError {
  return cannotOpen(
    `was written by a newer fareclerk (its version is ${version}, this program knows ${SCHEMA_VERSION}).`,
    'The operator installs the newer fareclerk on every instance.',
  );
}

function unusable(schema: string, cause: unknown): ClerkError {
  const inner = cause instanceof ClerkError ? cause.cause : cause;
  const state = sqlState(inner) ?? '';
  if (/^(?:28|3D)/.test(state)) {
    return cannotOpen(
      'does not let this program in.',
      'The operator checks user, password and database name in FARECLERK_DATABASE_URL.',
      cause,
    );
  }
  if (state === '42501') {
    return cannotOpen(
      `gives this user no right to make or use the schema ${schema}.`,
      `The operator grants CREATE on the database, or makes the schema with this user as its owner.`,
      cause,
    );
  }
  const known = UNREACHED.find(({ code }) => code.test(codeOf(inner) ?? ''));
  return cannotOpen(
    known?.why ?? 'cannot be reached or used.',
    known?.next ?? 'The operator checks that the PostgreSQL server runs and that FARECLERK_DATABASE_URL names it.',
    cause,
  );
}

/** By the codes of Node's sockets, resolver and TLS. */
const UNREACHED: readonly { readonly code: RegExp; readonly why: string; readonly next: string }[] = [
  {
    code: /^ECONNREFUSED$/,
    why: 'cannot be reached: nothing takes connections there.',
    next: 'The operator checks that the PostgreSQL server runs, and host and port in FARECLERK_DATABASE_URL.',
  },
  {
    code: /^(?:ENOTFOUND|EAI_AGAIN)$/,
    why: 'cannot be reached: the name of its host is not known here.',
    next: 'The operator checks the host in FARECLERK_DATABASE_URL, and the name service of this machine.',
  },
  {
    code: /^(?:CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CONNECTION_SILENT)$/,
    why: 'cannot be reached: it does not answer in time.',
    next: 'The operator checks the host in FARECLERK_DATABASE_URL, and whether the network and its firewalls let this machine through.',
  },
  {
    code: /CERT|UNABLE_TO_VERIFY|SELF_SIGNED/,
    why: 'shows a certificate that this machine does not trust, or that bears another name.',
    next: 'The operator names the host in FARECLERK_DATABASE_URL as the certificate does; for an authority of your own, NODE_EXTRA_CA_CERTS names the file with its certificate.',
  },
];
