/** How a caller is named in our own sentences: by the person, or by the id as it is stored. */
import { percentDecoded, quoted, type ShownName, shownName } from '../../core/clean-text.ts';

/** The person of a caller's id, for our own sentences: `ann` of `os:ann`, of `oauth:ann:desk`, and of `ann`, as commands take a name. */
export function callerName(id: string): ShownName {
  const [, name = id] = /^(?:os|oauth):([^:]*)/.exec(id) ?? [];
  // An operating system's user can have a percent sign, which escapes nothing.
  return shownName(percentDecoded(name));
}

/** A caller's id as it is stored, without anything that a reader could take for our words or for markup. */
const PLAIN_ID = /^(?!.*(?::_|_:))[A-Za-z0-9][\w.@%+:-]*$/;

/** The id of a caller, in text: quoted where it is more than words of letters and digits. */
export function callerId(id: string): string {
  return PLAIN_ID.test(id) ? id : quoted(id);
}
