import type { Link } from '#connectors/contract/connector.ts'
import { isObject, type Json } from './wire.ts'

/** The connector's block of a request's `connection_options`. The server has checked its shape. */
export type Options = {
  readonly additionalData: Json
  readonly splits: { readonly authorization: unknown; readonly capture: unknown; readonly refund: unknown }
  /** Passed on as they are. */
  readonly passed: Json
  readonly windowOrigin: string | null
  readonly challengeIndicator: string | null
  readonly attemptAuthentication: string | null
  /** SEPA only: in Adyen's test environment, the name of the owner chooses what becomes of a debit. */
  readonly ownerName: string | null
}

const PASSED = ['merchantRiskIndicator', 'accountInfo', 'riskData'] as const

/** Returns the name of an option that we cannot honour. */
export function readOptions(options: Link['options']): Options | { readonly wrong: string } {
  // Adyen would charge again by itself, days later, after we had told the merchant that the payment was declined.
  if (options['autoRescue'] === true) return { wrong: 'autoRescue' }
  const { attemptAuthentication, splits } = options
  if (attemptAuthentication != null && !['always', 'never'].includes(String(attemptAuthentication))) {
    return { wrong: 'attemptAuthentication' }
  }
  const parts = isObject(splits) ? splits : {}
  return {
    additionalData: isObject(options['additionalData']) ? options['additionalData'] : {},
    splits: {
      authorization: parts['authorization'] ?? undefined,
      capture: parts['capture'] ?? undefined,
      refund: parts['refund'] ?? undefined,
    },
    passed: Object.fromEntries(PASSED.flatMap((name) => (options[name] ? [[name, options[name]]] : []))),
    windowOrigin: textOrNull(options['window_origin']),
    challengeIndicator: textOrNull(options['threeDSRequestorChallengeInd']),
    attemptAuthentication: textOrNull(attemptAuthentication),
    ownerName: textOrNull(options['ownerName']),
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
