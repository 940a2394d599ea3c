import type { CardScheme } from '#domain/card-scheme.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { CardFacts } from './store.ts'

/**
 * Puts the scheme that the buyer chose first: it is the one that the payment is made with (EU regulation 2015/751,
 * article 8).
 */
export function chooseScheme(facts: CardFacts, chosen: CardScheme | null | undefined): CardFacts {
  if (!chosen || chosen === facts.scheme) return facts
  const all = [facts.scheme, ...facts.additionalSchemes]
  if (!all.includes(chosen)) {
    const message = `must be a scheme of the card: ${all.join(' or ')}`
    throw errors.invalid(inBody('/payment_method/scheme', 'value_error.const', message))
  }
  return { ...facts, scheme: chosen, additionalSchemes: all.filter((scheme) => scheme !== chosen) }
}
