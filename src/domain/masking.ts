/**
 * Personal data as shown without `reveal_personal`.
 */

/** All but the last three characters as dots: `•••••678`. */
export function maskNumber(number: string): string {
  const text = number.replace(/\s/g, '');
  return text.length <= 3 ? '•••' : `${'•'.repeat(Math.min(text.length - 3, 8))}${text.slice(-3)}`;
}

/** `a***@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '***' : `${[...email][0] ?? ''}***${email.slice(at)}`;
}
