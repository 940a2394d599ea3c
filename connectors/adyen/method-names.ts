/** How Adyen's webhooks and reports name the methods that are no cards. */
const NAMES: readonly (readonly [string, RegExp])[] = [
  ['ideal', /^ideal/],
  ['bancontact', /^bcmc/],
  ['klarna', /^klarna/],
  ['paypal', /^paypal/],
  ['sepa', /^sepadirectdebit/],
  ['ach', /^ach/],
]

/** Cards of Bancontact are paid by their number, too. The name does not say by which of the two. */
const BANCONTACT_CARD = 'bcmc'

/**
 * Whether Adyen's name is that of a method of the API. All methods of a merchant account share its webhooks and reports,
 * and each connector takes its own.
 */
export function isNameOf(method: string, name: string): boolean {
  const own = NAMES.find(([, shape]) => shape.test(name))?.[0] ?? 'card'
  return own === method || (method === 'card' && name === BANCONTACT_CARD)
}
