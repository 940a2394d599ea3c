import { newId } from '#domain/ids.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Engine } from '#processing/engine.ts'
import { claimPage } from '#resources/checkout/sessions/page/claim.ts'
import * as checkoutSessions from '#resources/checkout/sessions/store.ts'
import * as giftCardUses from '#resources/gift-cards/uses/store.ts'
import { claimLink } from '#resources/payment-links/claim.ts'
import { sealCard } from '#resources/payment-methods/read-card.ts'
import type { CardFields } from '#resources/payment-methods/store.ts'
import * as uses from '#resources/payment-methods/uses/store.ts'
import type { Masked, Vault } from '#vault'
import type { OpenableSource } from './plan/instruments.ts'
import type { Judgement } from './plan/judge.ts'
import { type Authenticated, authenticationEvents } from './plan/three-ds-verdict.ts'
import { noLinkedSession, noSession, paidAlready } from './prepare/order.ts'
import type { Payer } from './prepare/payer.ts'
import type { Prepared } from './prepare/prepare.ts'
import { keptEventOf, keptOf } from './routing/decide.ts'
import { isUnpaid, isVoided } from './state.ts'
import * as cards from './store/cards.ts'
import * as transactionEvents from './store/events.ts'
import * as marks from './store/marks.ts'
import type { StoredTransaction } from './store/payments.ts'
import * as transactions from './store/payments.ts'
import * as redemptions from './store/redemptions.ts'
import { useOnce } from './store/wallet-tokens.ts'
import { audit } from './tell.ts'

/** What we know about a payment when it is first stored. */
type Start = Pick<transactions.Row, 'status'> &
  Partial<Pick<transactions.Row, 'error_code' | 'payment_service_id' | 'outcome'>>

type Started = {
  readonly start: Start
  readonly judgement: Judgement
  readonly authenticated: Authenticated | null
}

/** The first commit: stores the payment before any provider is asked for money. */
export async function begin(
  tx: Scope<Tx>,
  { vault }: Pick<Engine, 'vault'>,
  prepared: Prepared,
  { start, judgement, authenticated }: Started,
): Promise<transactions.StoredTransaction> {
  const challenge =
    authenticated?.next === 'challenge'
      ? {
          ...authenticated.challenge,
          payment_service_id: prepared.paymentServiceId,
          is_partial_allowed: prepared.isPartialAllowed,
        }
      : null
  const { judged, decided } = judgement
  const walletToken = prepared.payer?.walletToken
  const outcome = { ...start.outcome, ...(judged && { anti_fraud: judged.antiFraud }) }
  const row = { ...prepared.row, ...start, outcome }
  const { reauthorized_from_transaction_id: expired } = row
  if (expired !== null) await claimReauthorization(tx, { expiredId: expired, newId: row.id })
  // A payment that has already failed does not need its card any more.
  const holds_card = row.error_code === null && (await holdCard(tx, vault, prepared, challenge !== null))
  const earlier = transactionEvents.placed(tx, [
    ...(walletToken ? [walletToken.event] : []),
    ...(judged ? [judged.event] : []),
  ])
  const flow = decided && { flow: { ...keptOf(decided), event: keptEventOf(tx, decided) } }
  const document = { ...prepared.document, challenge, holds_card, ...flow }
  await transactions.insert(tx, row, document)
  await insertRedemptions(tx, vault, row, prepared)
  const session = await claimSession(tx, prepared)
  const { paymentLink, checkoutPage } = prepared
  if (checkoutPage) await claimPage(tx, checkoutPage, { payment: row, session })
  if (paymentLink) await claimLink(tx, paymentLink, { id: row.id, isOver: row.error_code !== null })
  await countUse(tx, prepared)
  if (walletToken) await useOnce(tx, row.id, walletToken)
  await transactionEvents.record(tx, row.id, [
    ...earlier,
    ...(authenticated?.summary ? authenticationEvents(authenticated) : []),
  ])
  await audit(tx, 'created', row)
  await prepared.once.begin(tx, row.id)
  return { ...row, document }
}

/**
 * Allows one payment of a session at a time, whatever it is paid with. A payment takes what was entered when it read the session. What
 * is entered after that, and before this, stays in the session for its next payment.
 */
async function claimSession(
  tx: Scope<Tx>,
  { payer, row }: Prepared,
): Promise<checkoutSessions.StoredSession | null> {
  const { checkout_session_id: id } = row
  if (id === null) return null
  const read = payer?.session
  const current = await checkoutSessions.lockForPayment(tx, id)
  if (!current) throw read ? noSession() : noLinkedSession()
  if (await checkoutSessions.claim(tx, id, row.id)) return current
  throw paidAlready(read ? '/payment_method/id' : '/checkout_session_id')
}

/** Counts every use, also a declined one. */
async function countUse(tx: Scope<Tx>, { row }: Prepared): Promise<void> {
  if (row.payment_method_id === null) return
  await uses.record(tx, {
    paymentMethodId: row.payment_method_id,
    isClientInitiated: !row.merchant_initiated,
  })
}

/**
 * Puts into the vault what a later step needs: a card to be stored or approved. For a stored card, that is
 * only its security code.
 */
async function holdCard(
  tx: Scope<Tx>,
  vault: Vault,
  { row, payer, keep }: Pick<Prepared, 'row' | 'payer' | 'keep'>,
  isAwaited: boolean,
): Promise<boolean> {
  const source = payer?.source
  if (!source) return false
  const isTyped = source.kind === 'typed' && (keep !== null || isAwaited)
  const code = isAwaited && source.kind !== 'ready' ? source.securityCode : null
  if (!isTyped && code === null) return false
  const kept = isTyped && keep ? { ...keep, id: newId(tx.clock().getTime()) } : null
  const card = isTyped ? await sealTyped(tx, vault, source, kept?.id) : null
  await cards.insert(tx, {
    transaction_id: row.id,
    number_token: card?.vaultToken ?? null,
    security_code_token: code && (await vault.store(tx.db, tx, 'security-code', code)),
    card,
    store: kept,
  })
  return true
}

/**
 * Stores what each gift card is to pay. Typed numbers wait in the vault, so that any process can go on with
 * the payment.
 */
async function insertRedemptions(
  tx: Scope<Tx>,
  vault: Vault,
  row: transactions.Row,
  { giftCards }: Prepared,
): Promise<void> {
  if (!giftCards) return
  const isOver = row.error_code !== null
  const given = []
  for (const { amount, giftCardId, bin, subBin, last4, typed } of giftCards.parts) {
    const hold = async (field: string, value: Masked) => vault.store(tx.db, tx, field, value)
    const isHeld = typed !== null && !isOver
    given.push({
      gift_card_service_id: giftCards.serviceId,
      gift_card_id: giftCardId,
      bin,
      sub_bin: subBin,
      last4,
      amount,
      number_token: isHeld ? await hold('gift-card-number', typed.number) : null,
      pin_token: isHeld ? await hold('gift-card-pin', typed.pin) : null,
      status: isOver ? ('skipped' as const) : ('created' as const),
    })
    const isClientInitiated = !row.merchant_initiated
    if (giftCardId !== null) await giftCardUses.record(tx, { giftCardId, isClientInitiated })
  }
  await redemptions.insertAll(tx, row.id, given)
  const found = giftCards.parts.flatMap(({ giftCardId, last4 }) => [
    marks.markOf('gift-card-last4', last4),
    ...(giftCardId === null ? [] : [marks.markOf('gift-card', giftCardId)]),
  ])
  await marks.insert(tx, row, [...new Set(found)])
}

type Typed = Extract<Payer['source'], { kind: 'typed' }>

/** With an id, the number is sealed for the payment method that it is to become. */
function sealTyped(
  tx: Scope<Tx>,
  vault: Vault,
  source: Typed,
  paymentMethodId?: string,
): Promise<CardFields> {
  return source.number.use((bytes) => {
    const { expirationDate, cardType, facts } = source
    const number = bytes.toString()
    return sealCard(tx, vault, { number, expirationDate, cardType, paymentMethodId }, facts)
  })
}

/**
 * Puts into the vault what a payment that has begun needs after the buyer's approval: a typed card and the security code. A card
 * that is to be stored is there already, without its code. Returns whether the vault holds anything.
 */
export async function holdCardOf(
  tx: Scope<Tx>,
  vault: Vault,
  { id }: StoredTransaction,
  source: OpenableSource,
): Promise<boolean> {
  if (source.kind === 'ready' || source.kind === 'held') return false
  const code = source.securityCode && (await vault.store(tx.db, tx, 'security-code', source.securityCode))
  const held = await cards.find(tx, id)
  if (held) {
    if (code !== null) await cards.addCode(tx, id, code)
    return true
  }
  if (source.kind === 'stored' && code === null) return false
  const card = source.kind === 'typed' ? await sealTyped(tx, vault, source) : null
  await cards.insert(tx, {
    transaction_id: id,
    number_token: card?.vaultToken ?? null,
    security_code_token: code,
    card,
    store: null,
  })
  return true
}

type Claim = { readonly expiredId: string; readonly newId: string }

/**
 * Under the lock of the expired payment: it is paid again only once, and not while it could still be
 * captured. If the new payment fails, another one may be tried.
 */
async function claimReauthorization(tx: Scope<Tx>, { expiredId, newId }: Claim): Promise<void> {
  const expired = await transactions.lock(tx, expiredId)
  if (!expired || !isExpired(expired)) {
    throw errors.tooEarly('The transaction has just been changed. Try again in a moment.')
  }
  await refuseIfReauthorized(tx, expiredId)
  await transactionEvents.record(tx, expiredId, [
    { name: 'reauthorization-attempted', context: { reauthorized_transaction_id: newId } },
  ])
  await transactionEvents.record(tx, newId, [
    { name: 'reauthorization-created', context: { reauthorized_from_transaction_id: expiredId } },
  ])
}

/** Providers decline with the same error code, so the status has to fit, too. */
export function isExpired({ status, error_code }: transactions.Row): boolean {
  return isVoided({ status }) && error_code === 'expired_authorization'
}

/** Takes a `Tx`: under the payment's lock, no other request can begin to pay it again. */
export async function refuseIfReauthorized(tx: Scope<Tx>, id: string): Promise<void> {
  const earlier = await transactions.reauthorizationsOf(tx, id)
  const alive = earlier.find((payment) => !isUnpaid(payment))
  if (!alive) return
  throw errors.refused(
    `The transaction cannot be captured: it was authorized again as ${alive.id}, whose status is ${alive.status}.`,
  )
}
