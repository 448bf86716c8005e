/** `Cancel segment` for `cancel segment`: words of our own that begin a sentence. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
