import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { ServiceEntry } from '#resources/flows/schemas.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { NewEvent } from '../store/events.ts'
import { type Need, reasonToSkip } from './choose-services.ts'
import type { ChosenService } from './transform.ts'

type Sought = {
  readonly methods: readonly string[]
  readonly need: Need
  /** The entries of the rule that routes the payment. */
  readonly route: readonly ServiceEntry[] | null
}

/** Why no payment service could take a payment: one event for each service of the account. */
export async function explainSkips(
  scope: Scope,
  { providers }: Engine,
  { methods, need, route }: Sought,
): Promise<NewEvent[]> {
  const services = await paymentServices.listLive(scope)
  const isUsable = (service: paymentServices.StoredService) =>
    service.active && service.status === 'created' && methods.includes(service.method)
  const reasonOf = (service: paymentServices.StoredService) => {
    if (!methods.includes(service.method)) return 'other_method'
    if (!isUsable(service)) return 'inactive'
    const reason = reasonToSkip(service, providers.connectors, need)
    if (reason !== undefined) return reason
    const entry = route?.find(({ payment_service_id }) => payment_service_id === service.id)
    if (!route) return 'added_since'
    return entry ? 'no_second_scheme' : 'not_in_rule'
  }
  const skipped = services.map((service): NewEvent => skippedBecause(service, reasonOf(service)))
  if (services.some(isUsable)) return skipped
  const method = methods.join(' or ')
  const message = `this merchant account has no active payment service for ${method}`
  return [...skipped, { name: 'payment-service-missing', context: { method, message } }]
}

/** A rule wants network tokens, and the card has none for its services. */
export function withoutToken(candidates: readonly ChosenService[]): NewEvent[] {
  return candidates.map(({ service }) => skippedBecause(service, 'no_network_token'))
}

/** Why no other service is asked after a refusal, as words of the events of those services. */
export type Why = {
  readonly reason:
    | 'rule_does_not_retry'
    | 'provider_forbids_retry'
    | 'not_retriable'
    | 'scheme_advice'
    | 'scheme_limit'
    | 'out_of_time'
  /** The error code of the refusal. */
  readonly code: ErrorCode
}

/** Services that were not tried after another one had refused the payment. */
export function notTried(candidates: readonly ChosenService[], { reason, code }: Why): NewEvent[] {
  return candidates.map(({ service }) => skippedBecause(service, reason, { after_code: code }))
}

export function skippedBecause(
  service: Pick<paymentServices.StoredService, 'id' | 'display_name' | 'payment_service_definition_id'>,
  reason: string,
  more: Readonly<Record<string, unknown>> = {},
): NewEvent {
  return {
    name: 'payment-service-skipped',
    context: {
      payment_service_id: service.id,
      payment_service_display_name: service.display_name,
      payment_service_definition_id: service.payment_service_definition_id,
      reason,
      ...more,
    },
  }
}
