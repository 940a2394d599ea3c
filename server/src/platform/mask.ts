const PLAIN = /\d{13,}/g
/** In groups of four, or as on an American Express card, with nothing around that would make it part of an id. */
const GROUPED = /(?<![\w-])\d{4}(?:[ +-]|%20)\d{4,6}(?:[ +-]|%20)\d{4,5}(?:(?:[ +-]|%20)\d{1,7})?(?![\w-])/g

/** A caller's mistake can put a card number anywhere, even into a path or a field's name. Ids never have so many digits. */
export function maskNumbers(text: string): string {
  return text.replaceAll(PLAIN, '***').replaceAll(GROUPED, '***')
}
