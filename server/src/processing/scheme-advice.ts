import type { Facts, SyncAnswer } from '#connectors/contract/connector.ts'

/** A card scheme's advice never to retry a refused card. */
export type Advice = { readonly kind: 'merchant_advice_code' | 'response_code'; readonly code: string }

/** Mastercard: do not try again; stop recurring payments. */
const NEVER_BY_ADVICE = new Set(['03', '21'])

/** Visa, category 1: the issuer will never approve. */
const NEVER_BY_VISA = new Set([
  '03',
  '04',
  '07',
  '12',
  '15',
  '41',
  '43',
  '46',
  '57',
  '62',
  '78',
  '93',
  'R0',
  'R1',
  'R3',
])

/** Undefined: the scheme does not forbid a retry. */
export function adviceAgainstRetry(scheme: string | null, answer: SyncAnswer): Advice | undefined {
  if (answer.outcome !== 'declined' && answer.outcome !== 'failed') return undefined
  const { merchantAdviceCode: advice, isoResponseCode: response }: Facts = answer.facts
  if (advice && NEVER_BY_ADVICE.has(advice)) return { kind: 'merchant_advice_code', code: advice }
  if (scheme === 'visa' && response && NEVER_BY_VISA.has(response)) {
    return { kind: 'response_code', code: response }
  }
  return undefined
}
