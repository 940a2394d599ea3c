import { passesLuhn } from '#domain/card.ts'
import { type ErrorDetail, inBody } from '#platform/errors.ts'
import type { About, Sound } from '#platform/meaning.ts'
import type { UpdateThreeDSScenario } from './schemas.ts'

/** What no payment can meet, and what no issuer does. */
export function scenarioComplaints(
  { conditions, outcome }: Sound<UpdateThreeDSScenario>,
  { isRight }: About,
): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const number = conditions?.card_number
  if (number && !isMasked(number) && !passesLuhn(number)) {
    const message = 'check the number for a typing mistake: its check digit is wrong'
    details.push(inBody('/conditions/card_number', 'value_error.luhn', message))
  }
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

/** Whether a card number is one that an answer has shown. */
export function isMasked(number: string): boolean {
  return number.includes('*')
}
