/** A caller's mistake can put a card number anywhere, even into a path or a field's name. Ids never have so many digits. */
export function maskNumbers(text: string): string {
  return text.replaceAll(/\d{13,}/g, '***')
}
