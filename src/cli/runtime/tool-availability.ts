/** Which tools of the catalog the settings offer, and why the others are not offered. */
import type { AirlineConfig, Config } from '../../config/load.ts';
import { ClerkError } from '../../core/errors.ts';
import { isAssumed, type Tool } from '../../tools/definition/define.ts';

type Switches = Pick<Config, 'readOnly' | 'toolsets' | 'assumedOperations'> & {
  readonly plans?: boolean;
  readonly airline?: Pick<AirlineConfig, 'dialect'>;
};

/** `withheld`: by tool name, why it is not offered. */
export function toolAvailability(catalog: Iterable<Tool>, switches: Switches) {
  const offered: Tool[] = [];
  const withheld = new Map<string, ClerkError>();
  for (const tool of catalog) {
    const why = whyNot(tool, switches);
    if (why === undefined) offered.push(tool);
    else withheld.set(tool.name, why);
  }
  return { offered, withheld };
}

function whyNot(
  { name, effect, toolset, assumed }: Tool,
  { readOnly, toolsets, assumedOperations, plans = false, airline }: Switches,
): ClerkError | undefined {
  if (readOnly && effect !== 'read') {
    return new ClerkError('E_READ_ONLY', `${name} changes things, and this server only reads. Nothing was sent.`, {
      next: 'A person must do this elsewhere, or the operator sets another FARECLERK_TOOLSET than read.',
    });
  }
  if (toolset === 'plans') return plans ? undefined : plansOff(name);
  if (!toolsets.includes(toolset)) {
    return new ClerkError('E_CONFIG', `${name} is not offered by this server. Nothing was sent.`, {
      next: `Ask the operator to set FARECLERK_TOOLSET=${toolset}, if it is needed.`,
    });
  }
  if (!isAssumed(assumed, airline?.dialect) || assumedOperations) return undefined;
  return new ClerkError('E_CONFIG', `${name} rests on an assumed message and is switched off. Nothing was sent.`, {
    next: 'A person must do this at the airline, or the operator sets FARECLERK_ASSUMED_OPERATIONS.',
  });
}

function plansOff(name: string): ClerkError {
  return new ClerkError('E_CONFIG', `${name} is not offered by this server: plans are off. Nothing was sent.`, {
    next: 'Call the tools one by one, or ask the operator to set FARECLERK_TOOLSET=plans.',
  });
}
