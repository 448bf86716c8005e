/** How a caller is named in our own sentences: by the person. */
import { percentDecoded, type ShownName, shownName } from '../../core/clean-text.ts';

/** The person of a caller's id, for our own sentences: `ann` of `os:ann`, of `oauth:ann:desk`, and of `ann`, as commands take a name. */
export function callerName(id: string): ShownName {
  const [, name = id] = /^(?:os|oauth):([^:]*)/.exec(id) ?? [];
  // An operating system's user can have a percent sign, which escapes nothing.
  return shownName(percentDecoded(name));
}
