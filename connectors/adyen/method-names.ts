/** How Adyen's webhooks and reports name the methods that are no cards. */
const NAMES: readonly (readonly [string, RegExp])[] = [
  ['ideal', /^ideal/],
  ['bancontact', /^bcmc/],
  ['klarna', /^klarna/],
  ['paypal', /^paypal/],
  ['sepa', /^sepadirectdebit/],
  ['ach', /^ach/],
]

/**
 * The method of the API behind Adyen's name for it. All methods of a merchant account share its webhooks and reports, and
 * each connector takes its own.
 */
export function methodNamed(name: string): string {
  return NAMES.find(([, shape]) => shape.test(name))?.[0] ?? 'card'
}
