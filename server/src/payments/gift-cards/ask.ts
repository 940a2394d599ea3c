import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { GiftCardConnector, PresentedCard } from '#connectors/contract/gift-card.ts'
import type { Scope } from '#platform/database/db.ts'
import { askGiftCard, inPaymentWords } from '#processing/ask-gift-card.ts'
import type { PaymentAttempt as Attempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { transcriptOf } from '#processing/exchanges/transcribe.ts'
import { lineFor } from '#processing/provider.ts'
import { openFields, unlessGone } from '#processing/service-accounts/fields.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { withPresentedCard } from '#resources/gift-cards/present.ts'
import * as giftCards from '#resources/gift-cards/store.ts'
import { ItemGone, type Vault, WrongItem } from '#vault'
import { withItem } from '../store/cards.ts'
import type { StoredTransaction } from '../store/payments.ts'
import type { Redemption } from '../store/redemptions.ts'
import * as redemptions from '../store/redemptions.ts'

const DELETED = inPaymentWords({
  outcome: 'refused',
  code: 'invalid_gift_card',
  rawCode: null,
  rawMessage: 'the gift card was deleted',
})
const GONE: SyncAnswer = { outcome: 'unknown', reason: 'the gift card service was deleted' }

/** Asks a gift card service to do an attempt. May be called twice for the same attempt. */
export async function askGiftCardService(
  scope: Scope,
  engine: Engine,
  { transaction, attempt, redemption }: Asked,
): Promise<SyncAnswer> {
  const link = await linkTo(scope, engine, attempt, transaction)
  if (!link) return GONE
  const { connector, ...fields } = link
  const rest = {
    ...fields,
    transcript: transcript(scope, engine, { attempt, connector, purpose: 'request' }),
  }
  const line = lineFor(engine.providers, { connector: connector.manifest.id, act: attempt.kind })
  const money = { attemptId: attempt.id, amount: attempt.amount, currency: transaction.currency }
  const whole = { ...money, transactionId: transaction.id }
  if (attempt.kind === 'redeem') {
    return withCard(scope, engine.vault, redemption, async (card) => {
      if (!card) return inquireAboutDeleted(scope, engine, transaction, attempt)
      return inPaymentWords(await askGiftCard(line, connector.redeem, { ...whole, card }, rest))
    })
  }
  const order = {
    ...whole,
    reference: redemption.gift_card_service_redemption_id,
    redeemAttemptId: redemption.redeem_attempt_id ?? attempt.id,
  }
  const ask = attempt.kind === 'reverse' ? connector.reverse : connector.refund
  return inPaymentWords(await askGiftCard(line, ask, order, rest))
}

/** Asks for the outcome of an attempt whose answer did not reach us. */
export async function inquireAboutGiftCard(
  scope: Scope,
  engine: Engine,
  transaction: StoredTransaction,
  attempt: Attempt,
): Promise<SyncAnswer> {
  const link = await linkTo(scope, engine, attempt, transaction)
  if (!link) return GONE
  const { connector, ...fields } = link
  const rest = {
    ...fields,
    transcript: transcript(scope, engine, { attempt, connector, purpose: 'inquiry' }),
  }
  const line = lineFor(engine.providers, { connector: connector.manifest.id, act: 'sync' })
  const operation = attempt.kind as 'redeem' | 'refund' | 'reverse'
  return inPaymentWords(await askGiftCard(line, connector.sync, { attemptId: attempt.id, operation }, rest))
}

type Asking = {
  readonly attempt: Attempt
  readonly connector: GiftCardConnector
  readonly purpose: 'request' | 'inquiry'
}

function transcript(scope: Scope, { exchanges }: Engine, { attempt, connector, purpose }: Asking) {
  const { manifest } = connector
  return transcriptOf(scope, exchanges, { attempt, manifest, purpose, serviceType: 'gift-card-service' })
}

/** The card was deleted, but may have been redeemed before that. Only the provider knows. */
async function inquireAboutDeleted(
  scope: Scope,
  engine: Engine,
  transaction: StoredTransaction,
  attempt: Attempt,
): Promise<SyncAnswer> {
  const answer = await inquireAboutGiftCard(scope, engine, transaction, attempt)
  return answer.outcome === 'not_found' ? DELETED : answer
}

type Asked = {
  readonly transaction: StoredTransaction
  readonly attempt: Attempt
  readonly redemption: Redemption
}

async function linkTo(
  scope: Scope,
  { vault, providers }: Engine,
  { service_id: id }: Attempt,
  { document }: StoredTransaction,
): Promise<
  | {
      readonly connector: GiftCardConnector
      readonly fields: Readonly<Record<string, string>>
      readonly options: Readonly<Record<string, unknown>>
    }
  | undefined
> {
  const service = (await giftCardServices.findMany(scope, [id])).get(id)
  const connector = service && providers.giftCards.find(service.gift_card_service_definition_id)
  if (!service || !connector) return undefined
  const all = document.connection_options ?? {}
  const options = (all[service.gift_card_service_definition_id] ?? {}) as Readonly<Record<string, unknown>>
  const fields = await openFields(scope, vault, service, giftCardServices.KIND).catch(unlessGone)
  return fields && { connector, options, fields }
}

/** Opens a stored card where it is stored, and a typed one from the vault, where it waits for this. */
async function withCard<Result>(
  scope: Scope,
  vault: Vault,
  redemption: Redemption,
  work: (card: PresentedCard | undefined) => Promise<Result>,
): Promise<Result> {
  const { gift_card_id, transaction_id: id, number_token, pin_token } = redemption
  try {
    if (gift_card_id !== null) {
      const card = await giftCards.find(scope, gift_card_id)
      return await (card ? withPresentedCard(scope, vault, { kind: 'stored', card }, work) : work(undefined))
    }
    const at = { type: 'transaction', id }
    return await withItem(scope, vault, { ...at, token: number_token }, (number) =>
      withItem(scope, vault, { ...at, token: pin_token }, (pin) =>
        work(number ? { number, pin } : undefined),
      ),
    )
  } catch (error) {
    const isGone = error instanceof ItemGone && (await isForgotten(scope, redemption))
    if (!isGone && !(error instanceof WrongItem)) throw error
    return work(undefined)
  }
}

/**
 * The card was deleted while it was opened, or another process has concluded its part and deleted its number.
 */
async function isForgotten(scope: Scope, { id, gift_card_id, transaction_id }: Redemption): Promise<boolean> {
  if (gift_card_id !== null) return (await giftCards.find(scope, gift_card_id)) === undefined
  const all = await redemptions.listOf(scope, transaction_id)
  return all.every((redemption) => redemption.id !== id || redemption.number_token === null)
}
