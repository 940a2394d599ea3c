import type { Link } from '#connectors/contract/connector.ts'
import { toMajor } from './currency.ts'
import { codeOf } from './reference.ts'
import { send, type Wire } from './wire.ts'

type Held = {
  readonly attemptId: string
  readonly id: string
  readonly amount: number
  readonly currency: string
}

/**
 * Gives back what an issuer holds for a payment that CyberSource has stopped. Nothing depends on it: a hold that stays ends by itself
 * some days later.
 */
export async function reverse({ attemptId, id, amount, currency }: Held, link: Link): Promise<void> {
  const reversalInformation = { amountDetails: amountOf({ amount, currency }), reason: 'stopped' }
  await send(link, `/pts/v2/payments/${id}/reversals`, {
    clientReferenceInformation: { code: codeOf(attemptId) },
    reversalInformation,
  })
}

export function amountOf({ amount, currency }: Pick<Held, 'amount' | 'currency'>): Wire {
  return { totalAmount: toMajor(amount, currency), currency }
}
