/** Which tools are offered, and why the others are not. */
import type { AirlineConfig, Config } from '../../config/load.ts';
import { type ClerkError, notSent } from '../../core/errors.ts';
import { RESTRICTS_SINCE } from '../../ledger/sql-tables.ts';
import { isAssumed, type Tool } from '../../tools/definition/define.ts';

/** The settings that decide which tools are offered. */
type Switches = Pick<Config, 'readOnly' | 'toolsets' | 'assumedOperations'> & {
  /** Whether this version of Node.js can run SQL safely. Default: true. */
  readonly runsSql?: boolean;
  /** Whether the operator offers it. Default: true. */
  readonly queryLedger?: boolean;
  readonly airline?: Pick<AirlineConfig, 'dialect'>;
};

/** Splits the catalog into the tools that are offered, and the reasons why the others are withheld, by tool name. */
export function toolAvailability(catalog: Iterable<Tool>, switches: Switches) {
  const offered: Tool[] = [];
  const withheld = new Map<string, ClerkError>();
  for (const tool of catalog) {
    const reason = whyWithheld(tool, switches);
    if (reason === undefined) offered.push(tool);
    else withheld.set(tool.name, reason);
  }

  return { offered, withheld };
}

/** Says why a tool is withheld, by the first reason that applies. Undefined if it is offered. */
function whyWithheld(
  { name, effect, toolset, assumed, needsSql }: Tool,
  { readOnly, toolsets, assumedOperations, airline, runsSql = true, queryLedger = true }: Switches,
): ClerkError | undefined {
  if (readOnly && effect !== 'read') {
    const next =
      'Tell the person to do this elsewhere, or ask the operator to set another FARECLERK_TOOLSET than read.';
    return notSent('E_READ_ONLY', `${name} changes things, and this server only reads.`, next);
  }

  if (!toolsets.includes(toolset)) {
    const instead = toolset === 'plans' ? 'Call the tools one by one, or ask' : 'Ask';
    const next = `${instead} the operator to set FARECLERK_TOOLSET=${toolset}, if it is needed.`;
    return notSent('E_CONFIG', `${name} is not offered by this server.`, next);
  }

  if (needsSql && !(queryLedger && runsSql)) {
    const next = `Use list_bookings, or ask the operator to set FARECLERK_QUERY_LEDGER=true, with Node.js ${RESTRICTS_SINCE} or newer.`;
    return notSent('E_CONFIG', `${name} is switched off.`, next);
  }

  if (isAssumed(assumed, airline?.dialect) && !assumedOperations) {
    const next = 'Tell the person to do this at the airline, or ask the operator to set FARECLERK_ASSUMED_OPERATIONS.';
    return notSent('E_CONFIG', `${name} is not yet confirmed with an airline, so it is switched off.`, next);
  }

  return undefined;
}
