import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { About, Sound } from '#platform/http/meaning.ts'
import type { UpdateThreeDSScenario } from './schemas.ts'

/** What no issuer does. */
export function scenarioComplaints(
  { outcome }: Sound<UpdateThreeDSScenario>,
  { isRight }: About,
): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const answer = outcome?.authentication?.transaction_status
  if (!answer || !isRight('/outcome/result', '/outcome/result/transaction_status')) return details
  if (answer === 'C' && !outcome?.result) {
    const message = 'say what the issuer answers after the challenge: Y, N or timeout in transaction_status'
    details.push(inBody('/outcome/result', 'value_error.missing', message))
  }
  if (answer !== 'C' && outcome?.result) {
    const message = 'leave it out: there is a result only after a challenge (C)'
    details.push(inBody('/outcome/result', 'value_error.conflict', message))
  }
  return details
}
