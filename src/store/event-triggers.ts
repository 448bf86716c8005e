/**
 * Triggers write events in the transaction that they report, so that no other code has to know of events or can forget
 * one.
 *
 * A trigger must not fail, because that would undo the reported change: it writes only existing columns, and leaves out
 * an event whose id is known. It looks for the id first, because a refused row would use up a number, for which readers
 * would wait.
 */
import type { SqlDialect } from './database.ts';

interface EventTrigger {
  readonly name: string;
  /** The changes after which it runs: `update of state`. */
  readonly after: string;
  readonly table: string;
  /** SQL: the condition of a row. */
  readonly when: string;
  /** SQL of the columns of the event, by name. */
  readonly columns: Readonly<Record<string, string>>;
}

/** In both databases, `new` and `old` are the row after and before the change. */
function eventTriggers({ text, prefix: s }: Pick<SqlDialect, 'text' | 'prefix'>): readonly EventTrigger[] {
  // Leaves out steps of a plan. The conditions below leave out `echo`, too:
  // the caller's own reply asks there, or nobody has to be asked.
  const isQuestion = '(new.plan is null or new.plan_alone = 1)';

  // An operation can reach a state twice, so the id has the number of its next event in the journal.
  const step = `(select coalesce(max(e.seq), 0) + 1 from ${s}event e where e.operation_id = new.id)`;
  const operation = {
    at: 'new.updated_at',
    tenant: 'new.tenant',
    caller: 'new.caller',
    tool: 'new.tool',
    locator: `coalesce(new.locator, ${text('new.outcome', ['locator'])})`,
    operation_id: 'new.id',
  };
  const stateMoved = { after: 'update of state', table: 'operation' };

  return [
    {
      name: 'operation_event',
      ...stateMoved,
      when: `old.state not in ('intent', new.state) and new.state in ('succeeded', 'refused', 'not_executed', 'needs_person', 'resolved')`,
      columns: {
        ...operation,
        id: `'operation/' || new.id || '/' || ${step} || '/' || new.state`,
        type: `case new.state when 'needs_person' then 'operation.needs_person' else 'operation.settled' end`,
        kind: 'new.state',
      },
    },
    {
      name: 'refund_event',
      ...stateMoved,
      when: `new.state = 'succeeded' and old.state <> 'succeeded' and ${text('new.outcome', ['refund', 'orderStatus'])} = 'PAID'`,
      columns: { ...operation, id: `'refund/' || new.id`, type: `'refund.arrived'`, kind: `'stated'` },
    },
    {
      name: 'finding_event',
      after: 'insert',
      table: 'finding',
      when: 'true',
      columns: {
        id: `'finding/' || new.id`,
        type: `case new.kind when 'refund_arrived' then 'refund.arrived' else 'booking.changed' end`,
        at: 'new.seen_at',
        tenant: 'new.tenant',
        caller: `(select w.caller from ${s}watch w where w.tenant = new.tenant and w.locator = new.locator)`,
        locator: 'new.locator',
        finding_id: 'new.id',
        kind: 'new.kind',
      },
    },
    {
      name: 'question_event',
      after: 'insert',
      table: 'approval',
      when: `new.decision = 'pending' and ${isQuestion} and new.asked_by <> 'echo'`,
      columns: {
        id: `'question/' || new.operation_id || '/waiting'`,
        type: `'question.waiting'`,
        at: 'new.created_at',
        ...questionColumns(text, 'new'),
      },
    },
  ];
}

/** The columns of an event about a question. `kind`: `page`, or `dialog` for the dialog of the caller's program. */
export function questionColumns(text: SqlDialect['text'], row: string) {
  return {
    tenant: `${row}.tenant`,
    caller: `${row}.caller`,
    tool: text(`${row}.body`, ['tool']),
    locator: text(`${row}.body`, ['locator']),
    operation_id: `${row}.operation_id`,
    kind: `case ${row}.asked_by when 'page' then 'page' else 'dialog' end`,
    due_at: `${row}.expires_at`,
  };
}

/** SQL: writes the event unless its id is known. `f` has the id of the new event. @param insert the statement's first words */
function insertEvent(insert: string, prefix: string, { id, ...rest }: EventTrigger['columns']): string {
  const columns = ['id', ...Object.keys(rest)].join(', ');
  return `${insert} into ${prefix}outbox(${columns}) select ${['f.id', ...Object.values(rest)].join(', ')} from (select ${id} as id) f
  where not exists (select 1 from ${prefix}outbox o where o.id = f.id)`;
}

/** SQL that makes the triggers of SQLite, whose tables have no prefix, and replaces those of an earlier version. */
export function sqliteEventTriggers(dialect: Pick<SqlDialect, 'text' | 'prefix'>): string {
  return eventTriggers(dialect)
    .map(
      ({ name, after, table, when, columns }) => `
drop trigger if exists ${name};
create trigger ${name} after ${after} on ${table} when ${when}
begin ${insertEvent('insert or ignore', '', columns)}; end;`,
    )
    .join('\n');
}

/** SQL that makes the functions of PostgreSQL's triggers, one for each. */
export function postgresEventFunctions(dialect: Pick<SqlDialect, 'text' | 'prefix'>): string {
  const { prefix: s } = dialect;
  return eventTriggers(dialect)
    .map(
      ({ name, columns }) => `
create or replace function ${s}${name}() returns trigger language plpgsql as $$
begin
  ${insertEvent('insert', s, columns)} on conflict do nothing;
  return null;
end $$;`,
    )
    .join('\n');
}

/** SQL that makes PostgreSQL's triggers, which run these functions. */
export function postgresEventTriggers(dialect: Pick<SqlDialect, 'text' | 'prefix'>): string {
  const { prefix: s } = dialect;
  return eventTriggers(dialect)
    .map(
      ({ name, after, table, when }) => `
create or replace trigger ${name} after ${after} on ${s}${table}
  for each row when (${when}) execute function ${s}${name}();`,
    )
    .join('\n');
}
