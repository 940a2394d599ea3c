import type { NewReport } from '#connectors/contract/connector.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import * as feeds from './feeds/store.ts'
import * as offers from './offers/store.ts'

/** A provider has published a file. The job reads it soon. Returns whether the service's reports are wanted. */
export async function takeNewReport(
  scope: Scope,
  { providers }: Engine,
  paymentServiceId: string,
  { file }: NewReport,
): Promise<boolean> {
  const service = await paymentServices.find(scope, paymentServiceId)
  if (!service?.settlement_reporting_enabled) return false
  if (!providers.connectors.find(service.payment_service_definition_id)?.reports) return false
  await inTransaction(scope, async (tx) => {
    await offers.note(tx, paymentServiceId, [file])
    await feeds.lookNow(tx, paymentServiceId)
  })
  return true
}
