import { TOKEN_SCHEMES } from '#connectors/contract/network-token.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { askAbout, recordToken } from './drop.ts'
import { findActiveService } from './find-service.ts'
import * as networkTokens from './store.ts'

type NewCard = {
  readonly paymentMethodId: string
  readonly scheme: string
  readonly isMerchantInitiated: boolean
  readonly isSubsequentPayment: boolean
  /** The payment that stored the card. */
  readonly transactionId: string | null
}

/**
 * A card was stored. If its merchant account wants network tokens, the job asks for one: in the same commit,
 * so that neither a crash nor a slow token service keeps the card from being stored.
 */
export async function queueProvision(
  tx: Scope<Tx>,
  { providers }: Pick<Engine, 'providers'>,
  card: NewCard,
): Promise<void> {
  const scheme = TOKEN_SCHEMES.find((one) => one === card.scheme)
  if (!scheme || !(await merchantAccounts.wantsNetworkTokens(tx))) return
  const at = await findActiveService(tx, providers)
  const requestor = (await merchantAccounts.requestorOf(tx, scheme)) ?? null
  if (!at?.connector.schemes.includes(scheme) || (at.connector.needsRequestor && !requestor)) return
  const token = await networkTokens.insert(tx, {
    payment_method_id: card.paymentMethodId,
    scheme,
    service_id: at.service?.id ?? null,
    requestor,
    merchant_initiated: card.isMerchantInitiated,
    is_subsequent_payment: card.isSubsequentPayment,
    transaction_id: card.transactionId,
  })
  await attempts.queue(tx, askAbout(token, 'provision-token'), tx.clock())
  await recordToken(tx, 'created', token)
}
