/**
 * What a resource is: something to read, under an address, that a person or host attaches to a conversation. It is read
 * through the clerk like a tool call, and shows what the tool would show.
 */

import type { Completes } from '../prompts/define.ts';
import type { Visitor } from '../request-context.ts';

export interface Resource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** An address, or a template of RFC 6570 level 1: `fareclerk://bookings/{locator}`. */
  readonly uri: string;
  readonly mimeType: string;
  /** The tool that reads it: where it is not offered, neither is the resource. */
  readonly needs: string;
  readonly completes?: Readonly<Record<string, Completes>>;
  /** @throws ClerkError */
  read(variables: Readonly<Record<string, string>>, visitor: Visitor): Promise<string>;
}

export const isTemplate = ({ uri }: Resource): boolean => uri.includes('{');

/** The variables of an address; undefined where it is another resource's. */
export function matches({ uri: template }: Resource, uri: string): Readonly<Record<string, string>> | undefined {
  const names: string[] = [];
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name) => {
    names.push(name);
    return '([^/?#]{1,180})';
  });
  const found = new RegExp(`^${pattern}$`).exec(uri);
  if (found === null) return undefined;
  return Object.fromEntries(names.map((name, i) => [name, decoded(found[i + 1] ?? '')]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
