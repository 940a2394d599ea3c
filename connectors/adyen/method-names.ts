import { METHODS, typesOf } from './methods.ts'

/** How Adyen's webhooks and reports name the methods that are no cards. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...METHODS.flatMap((row) => (row.names ?? typesOf(row)).map((name) => [name, row.method] as const)),
  ['sepadirectdebit', 'sepa'],
  ['directdebit_GB', 'bacs'],
  ['ach', 'ach'],
])

/** Cards of Bancontact are paid by their number, too. The name does not say by which of the two. */
const BANCONTACT_CARD = 'bcmc'

/**
 * Whether Adyen's name is that of a method of the API. All methods of a merchant account share its webhooks and reports,
 * and each connector takes its own.
 */
export function isNameOf(method: string, name: string): boolean {
  return methodOf(name) === method || (method === 'card' && name === BANCONTACT_CARD)
}

/** A kind of a method has a longer name: `klarna_account`. */
function methodOf(name: string): string {
  for (
    let shorter = name;
    shorter !== '';
    shorter = shorter.slice(0, Math.max(0, shorter.lastIndexOf('_')))
  ) {
    const found = NAMES.get(shorter)
    if (found !== undefined) return found
  }
  return 'card'
}
