import type { Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { StoredRule } from './schemas.ts'
import { servicesOf } from './services-of.ts'

type Rule = Pick<StoredRule, 'flow' | 'action' | 'outcome'>

/** Refuses a rule that names a service that is not there, or that can never take the payments of its flow. */
export async function refuseUnfitServices(scope: Scope, rule: Rule): Promise<void> {
  if (rule.action !== 'route-transaction') return
  const live = new Map((await paymentServices.listLive(scope)).map((service) => [service.id, service]))
  const complaints = servicesOf(rule.outcome).flatMap(({ id, pointer }): ErrorDetail[] => {
    const service = live.get(id)
    if (!service) {
      return [inBody(pointer, 'value_error.not_found', 'this merchant account has no such payment service')]
    }
    const isForCards = service.method === 'card'
    if (isForCards === (rule.flow === 'card-transaction')) return []
    const message = isForCards
      ? `${service.display_name} takes cards: route it in the flow card-transaction`
      : `${service.display_name} takes ${service.method}, not cards: route it in the flow redirect-transaction`
    return [inBody(pointer, 'value_error.conflict', message)]
  })
  if (complaints.length > 0) throw errors.invalid(...complaints)
}
