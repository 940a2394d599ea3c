import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import type { ServiceEntry } from '#resources/flows/schemas.ts'
import type { StoredService } from '#resources/payment-services/store.ts'
import type { Candidate } from './choose-services.ts'

/** An entry of a rule, with the scheme that it charges the card through, if that is not the first one. */
export type RoutedEntry = ServiceEntry & { readonly secondScheme: string | null }

export type ChosenService = Candidate<StoredService> & {
  /** What the rule that chose the service says about it. */
  readonly entry?: RoutedEntry
}

/** The order as the rule wants it for this service. */
export function transformed(
  order: AuthorizeOrder,
  { entry }: { readonly entry?: RoutedEntry },
): AuthorizeOrder {
  if (!entry) return order
  const { instrument } = order
  return {
    ...order,
    ...(hasTransformation(entry, 'force_mit') && { isMerchantInitiated: true, threeDSecure: null }),
    ...(entry.secondScheme !== null &&
      instrument.kind === 'card' && { instrument: { ...instrument, scheme: entry.secondScheme } }),
  }
}

export function hasTransformation(
  { transformations = [] }: ServiceEntry,
  wanted: NonNullable<ServiceEntry['transformations']>[number]['name'],
): boolean {
  return transformations.some(({ name }) => name === wanted)
}
