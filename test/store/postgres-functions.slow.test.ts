/** Functions of the database that another version of the program made. */
import { describe, expect, test } from 'vitest';
import { errorOf, suiteDatabase } from './support/suite-database.ts';

const { cluster, url, open, freshSchema } = suiteDatabase();

const sql = (text: string) => cluster().sql('clerk', text);

/** Name and body of each function of a schema, without its name. */
async function bodies(schema: string) {
  const rows = await sql(
    `select proname, prosrc from pg_proc where pronamespace = '${schema}'::regnamespace order by 1`,
  );
  return rows.map(({ proname, prosrc }) => `${proname}: ${String(prosrc).replaceAll(`${schema}.`, '')}`);
}

/** As an earlier version with a mistake left them. `noted`: whether it noted its functions. */
async function madeByAnother({ noted }: { readonly noted: boolean }): Promise<string> {
  const schema = freshSchema();
  await (await open({ schema })).close();
  await sql(`
    create or replace function ${schema}.digest(words text) returns text language sql as $$ select 'wrong' $$;
    create or replace function ${schema}.booking_takes_one() returns trigger language plpgsql as $$ begin return new; end $$;
    create or replace function ${schema}.refund_event() returns trigger language plpgsql as $$ begin return null; end $$;
    ${noted ? `update ${schema}.meta set value = 'other' where key = 'functions'` : `delete from ${schema}.meta where key = 'functions'`}`);
  return schema;
}

describe('functions of another version', () => {
  test.each([true, false])('are replaced at the start (noted: %s)', async (noted) => {
    const fresh = freshSchema();
    await open({ schema: fresh });
    const schema = await madeByAnother({ noted });
    expect(await bodies(schema)).not.toEqual(await bodies(fresh));
    await open({ schema });
    expect(await bodies(schema)).toEqual(await bodies(fresh));
  });

  test('are replaced where instances start together, and left alone by the next start', async () => {
    const schema = await madeByAnother({ noted: true });
    await Promise.all(Array.from({ length: 5 }, () => open({ schema })));
    const versions = () =>
      sql(`select xmin::text from pg_proc where pronamespace = '${schema}'::regnamespace order by oid`);
    const before = await versions();
    await open({ schema });
    expect(await versions()).toEqual(before);
  });

  test('that this user may not replace stop the start with a clear error, and the same functions do not', async () => {
    const schema = await madeByAnother({ noted: true });
    await sql(`create role clerk_user login; grant usage on schema ${schema} to clerk_user;
      grant all on all tables in schema ${schema} to clerk_user; grant all on all sequences in schema ${schema} to clerk_user`);
    const at = url().replace(/\/\/[^@]+@/, '//clerk_user@');
    const error = await errorOf(open({ schema, at }));
    expect(error).toMatchObject({ code: 'E_CONFIG' });
    expect(error.message).toBe(
      `The database of FARECLERK_DATABASE_URL has functions of another version of fareclerk in the schema ${schema}, and this user may not replace them. It was not changed.`,
    );
    expect(error.next).toContain('starts this version once as the owner of the schema');
    await (await open({ schema })).close();
    await open({ schema, at });
  });
});
