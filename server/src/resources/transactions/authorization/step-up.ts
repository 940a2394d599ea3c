import type { ThreeDSecureResult } from '#connectors/contract/orders.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { ChosenService } from '../attempts/ask.ts'
import type { StoredTransaction } from '../store.ts'
import { type Authenticated, authenticateCard } from './authenticate.ts'
import { isBuyerThere, isDoneByProvider } from './authenticate-at-provider.ts'
import type { OpenableSource } from './open-instrument.ts'
import { codeOfRefusal, type Refusal } from './reason-to-end.ts'

type Refused = {
  readonly transaction: StoredTransaction
  readonly chosen: ChosenService
  readonly source: OpenableSource
  /** What the refused order said about 3-D Secure. */
  readonly threeDSecure: ThreeDSecureResult | 'provider' | null
  readonly answer: Refusal
}

/** How the buyer proves to be the cardholder after all. */
export type SteppedUp =
  | { readonly by: 'provider' }
  | { readonly by: 'us'; readonly authenticated: Extract<Authenticated, { next: 'authorize' }> }
  | { readonly by: 'challenge'; readonly authenticated: Extract<Authenticated, { next: 'challenge' }> }

/**
 * The issuer wants the buyer to be authenticated, and the buyer can be: the same service is asked once more, with 3-D Secure.
 * Undefined: the buyer is not there, the card does not take part, or the authentication failed.
 */
export async function stepUp(
  scope: Scope,
  engine: Engine,
  { transaction, chosen, source, threeDSecure, answer }: Refused,
): Promise<SteppedUp | undefined> {
  if (codeOfRefusal(answer) !== 'requires_buyer_authentication' || threeDSecure !== null) return undefined
  const { document } = transaction
  if (!isBuyerThere(transaction) || document.redirect_url === null || document.instrument_type !== 'pan')
    return undefined
  const { capabilities } = chosen.connector.manifest
  if (capabilities.threeDSecureByProvider)
    return isDoneByProvider(transaction, chosen) ? undefined : { by: 'provider' }
  if (!engine.threeDSecure || !capabilities.threeDSecurePassThrough) return undefined
  const authenticated = await authenticateCard(scope, engine, { row: transaction, document, source })
  if (authenticated.next === 'challenge') return { by: 'challenge', authenticated }
  return authenticated.next === 'authorize' && authenticated.result ? { by: 'us', authenticated } : undefined
}
