import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { memoryOf, openFields, unlessGone } from '#processing/service-accounts/fields.ts'
import * as paymentServices from './store.ts'

type Options = Readonly<Record<string, unknown>>

/** What is needed to ask a payment service, also a deleted one. Undefined if it cannot be asked any more. */
export async function linkTo(
  scope: Scope,
  { vault, secrets, providers }: Engine,
  id: string,
  options: Options | null,
) {
  const service = (await paymentServices.findMany(scope, [id])).get(id)
  const connector = service && providers.connectors.find(service.payment_service_definition_id)
  if (!service || !connector) return undefined
  const fields = await openFields(scope, vault, service, paymentServices.KIND).catch(unlessGone)
  if (!fields) return undefined
  const memory = memoryOf(scope, secrets, service, fields)
  return { providers, service, connector, options: optionsFor(options ?? {}, service), fields, memory }
}

/** A connector gets only its own options. */
export function optionsFor(
  all: Options,
  { payment_service_definition_id }: Pick<paymentServices.StoredService, 'payment_service_definition_id'>,
): Options {
  return (all[payment_service_definition_id] ?? {}) as Options
}
