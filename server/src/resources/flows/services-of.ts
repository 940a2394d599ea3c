import type { Outcome, ServiceEntry } from './schemas.ts'

/** The payment services that an outcome names, and where. */
export function servicesOf(outcome: Outcome): readonly { readonly id: string; readonly pointer: string }[] {
  if (outcome.type === 'card-routing') {
    return outcome.result.map((entry, index) => ({
      id: entry.payment_service_id,
      pointer: `/outcome/result/${index}/payment_service_id`,
    }))
  }
  if (outcome.type !== 'list') return []
  return outcome.result.map((id, index) => ({ id, pointer: `/outcome/result/${index}` }))
}

/** The entries to try. Payments that are not by card have no choice of instrument. */
export function entriesOf(outcome: Outcome): readonly ServiceEntry[] {
  if (outcome.type === 'card-routing') return outcome.result
  if (outcome.type !== 'list') return []
  return outcome.result.map((payment_service_id) => ({ payment_service_id, instrument: 'pan' }))
}
