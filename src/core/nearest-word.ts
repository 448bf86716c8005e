/** No word that we know is longer: a longer text has none near, and comparing it would take long. */
const LONGEST_WORD = 100;

/**
 * Finds the known word closest to the typed one by edit distance, or else the shortest that has it as a part: `pay_booking`
 * for `pay`. Undefined if none is near.
 */
export function nearest(typed: string, knownWords: Iterable<string>): string | undefined {
  if (typed.length > LONGEST_WORD) return undefined;

  const typedWord = typed.toLowerCase();
  let best: string | undefined;
  // At most half of the letters may differ, or two of a short word.
  let bestDistance = Math.max(2, Math.floor(typedWord.length / 2)) + 1;

  for (const word of knownWords) {
    const distance = editDistance(typedWord, word.toLowerCase());
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }

  return best ?? shortestWithPart(typedWord, [...knownWords]);
}

/** The shortest known word that has this part; words that begin with it come first. */
function shortestWithPart(part: string, knownWords: readonly string[]): string | undefined {
  const splitWord = (word: string) => word.toLowerCase().split(/[-_]/);
  const candidates = knownWords
    .filter((word) => splitWord(word).includes(part))
    .toSorted((a, b) => a.length - b.length);
  return candidates.find((word) => splitWord(word)[0] === part) ?? candidates[0];
}

/** The Levenshtein distance of two words. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const keptOrReplaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(keptOrReplaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }

  return previous[b.length] ?? 0;
}
