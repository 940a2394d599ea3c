import type { ActivityAnswer, ListedOperation, Unknown } from '#connectors/contract/connector.ts'
import type { Context } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider, lineTo } from '#processing/provider.ts'
import { linkTo } from '#resources/payment-services/link.ts'
import type { WorkingService } from '#resources/payment-services/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'

export type Window = { readonly from: Date; readonly until: Date }

/** What one payment service listed, or why it listed nothing. */
export type ServiceActivity = {
  readonly service: WorkingService
  readonly operations: readonly ListedOperation[]
  /** `silent`: it can be asked, and gave no answer now. */
  readonly problem?: { readonly kind: 'cannot' | 'silent'; readonly reason: string }
}

/** An operation at a provider, with the services through which it was listed: several may share one account there. */
export type Listed = { readonly operation: ListedOperation; readonly services: readonly WorkingService[] }

/** Asks one payment service after the other, each page by page. */
export async function askServices(
  context: Context,
  engine: Engine,
  { from, until, serviceId }: Window & { readonly serviceId: string | undefined },
): Promise<ServiceActivity[]> {
  const all = await paymentServices.listSince(context, from)
  const activities: ServiceActivity[] = []
  for (const service of all.filter(({ id }) => serviceId === undefined || id === serviceId)) {
    activities.push(await askService(context, engine, service, { from, until }))
  }
  return activities
}

async function askService(
  context: Context,
  engine: Engine,
  service: WorkingService,
  { from, until }: Window,
): Promise<ServiceActivity> {
  const scope = { ...context, merchantAccountId: service.merchant_account_id }
  const cannot = (reason: string): ServiceActivity => ({
    service,
    operations: [],
    problem: { kind: 'cannot', reason },
  })
  const link = await linkTo(scope, engine, service.id, null)
  if (!link) return cannot('its connector or its credentials are gone')
  const { activity } = link.connector
  if (!activity) return cannot('its provider has no list of payments that can be asked')
  const operations: ListedOperation[] = []
  let after: string | null = null
  do {
    const line = lineTo(engine.providers, link.connector, 'activity')
    const page: ActivityAnswer | Unknown = await askProvider(line, activity, { from, until, after }, link)
    if (page.outcome !== 'listed') {
      const reason = page.outcome === 'unknown' ? page.reason : page.message
      return { service, operations: [], problem: { kind: 'silent', reason } }
    }
    operations.push(...page.operations)
    after = page.next
  } while (after !== null)
  return { service, operations }
}

/** Each operation once. */
export function gather(activities: readonly ServiceActivity[]): Listed[] {
  const found = new Map<string, { operation: ListedOperation; services: WorkingService[] }>()
  for (const { service, operations } of activities) {
    for (const operation of operations) {
      const key = nameOf(operation)
      const known = found.get(key)
      if (!known) found.set(key, { operation, services: [service] })
      else if (!known.services.includes(service)) known.services.push(service)
    }
  }
  return [...found.values()]
}

function nameOf({ attemptId, operation, authorization, answer }: ListedOperation): string {
  return attemptId ?? `${operation} ${authorization} ${answer.reference}`
}
