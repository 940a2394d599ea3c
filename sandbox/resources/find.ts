import type { Simulation } from '#connectors/contract/simulation.ts'
import type { StoredTransaction } from '#payments/store/payments.ts'
import * as transactions from '#payments/store/payments.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Engine } from '#processing/engine.ts'
import { openFields } from '#processing/service-accounts/fields.ts'
import * as paymentServices from '#resources/payment-services/store.ts'

/** A payment service of the simulator, and the way to tell the simulator what to do. `what` is named in the refusal of others. */
export async function findSimulation(scope: Scope, { providers, vault }: Engine, id: string, what: string) {
  const service = await paymentServices.find(scope, id)
  if (!service) throw errors.notFound()
  const definition = service.payment_service_definition_id
  const simulation: Simulation | undefined = providers.connectors.find(definition)?.simulation
  if (!simulation) throw errors.refused(`${definition} has no ${what} on request; use mock-card`)
  const openLink = async () => ({
    fields: await openFields(scope, vault, service, paymentServices.KIND),
    options: {},
  })
  return { service, simulation, openLink }
}

type Named = { readonly transaction_id: string; readonly paymentServiceId: string }

/** A payment at a payment service. A payment of another account is not found. */
export async function findPayment(scope: Scope, named: Named): Promise<StoredTransaction> {
  const transaction = await transactions.find(scope, named.transaction_id)
  const complain = (type: 'value_error.not_found' | 'value_error.conflict', message: string) =>
    errors.invalid(inBody('/transaction_id', type, message))
  if (!transaction) throw complain('value_error.not_found', 'there is no such transaction')
  if (transaction.payment_service_id !== named.paymentServiceId) {
    throw complain('value_error.conflict', 'name the payment service of this transaction: it has another one')
  }
  return transaction
}
