import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Instrument } from '#connectors/contract/orders.ts'
import { newId } from '#domain/ids.ts'
import { copyItem } from '#payments/store/cards.ts'
import { isMissingReference, violatedUnique } from '#platform/database/database-errors.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { type ApiError, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { concludeHeld } from '#processing/attempts/conclude.ts'
import type { Attempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { findNamedBuyer } from '#resources/buyers/find-named.ts'
import { lookUp } from '#resources/card-details/store.ts'
import * as checkoutSessions from '#resources/checkout/sessions/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { ItemGone, Masked, type Vault, WrongItem } from '#vault'
import { insertBank, insertCard, type Owner } from './insert.ts'
import type {
  CreatePaymentMethod,
  StoreCard,
  StorePlaid,
  StoreRedirect,
  StoreSessionCard,
} from './new-schemas.ts'
import { canTokenize } from './payment-service-tokens/find-tokenizer.ts'
import { requestToken, type Tokenizer } from './payment-service-tokens/request-token.ts'
import { overwriteToken, resolveNow, TOKENIZATION } from './payment-service-tokens/resolve.ts'
import * as tokens from './payment-service-tokens/store.ts'
import { sealCard } from './read-card.ts'
import { readNewMethod } from './read-new.ts'
import type { PaymentMethod } from './schemas.ts'
import { nameOf, showMethod } from './show.ts'
import type { BankFields } from './store.ts'
import * as paymentMethods from './store.ts'
import { storeBankAccount } from './store-bank-account.ts'

/** Stores a payment method: cards and bank accounts in our vault, other methods at a provider. */
export async function createPaymentMethod(
  scope: Scope,
  once: Once,
  engine: Engine,
  request: CreatePaymentMethod,
): Promise<Finished<PaymentMethod>> {
  if (once.begun) return takeUpRedirect(scope, engine, once, once.begun)
  const { kind, body } = readNewMethod(request)
  const buyer = await findNamedBuyer(scope, body)
  const owner = { buyer, externalIdentifier: body.external_identifier ?? null }
  try {
    switch (kind) {
      case 'card':
        return await storeCard(scope, once, engine, { body, owner })
      case 'checkout-session':
        return await storeSessionCard(scope, once, engine, { body, owner })
      case 'ach':
      case 'bacs':
      case 'sepa':
        return await storeBankAccount(scope, once, engine, { scheme: kind, body, owner })
      case 'plaid':
        return await storePlaid(scope, once, engine, { body, owner })
      case 'redirect':
        return await storeRedirect(scope, engine, once, { body, owner })
    }
  } catch (error) {
    return refuseOwner(scope, error, request)
  }
}

/** The buyer was deleted meanwhile, or another method has the reference. */
async function refuseOwner(
  scope: Scope,
  error: unknown,
  { buyer_id, external_identifier }: CreatePaymentMethod,
): Promise<never> {
  if (isMissingReference(error)) {
    const pointer = buyer_id ? '/buyer_id' : '/buyer_external_identifier'
    throw errors.invalid(inBody(pointer, 'value_error.not_found', 'there is no such buyer'))
  }
  if (violatedUnique(error) !== 'payment_methods_external_identifier' || !external_identifier) throw error
  const twin = await paymentMethods.findByExternalIdentifier(scope, external_identifier)
  const detail = inBody(
    '/external_identifier',
    'value_error.duplicate',
    'use another reference: a payment method has this one',
  )
  throw errors.duplicate(twin, detail)
}

/**
 * Stores a card: its number in the vault, its visible part in a row, both in one commit. The security code is
 * not stored.
 */
async function storeCard(
  scope: Scope,
  once: Once,
  engine: Pick<Engine, 'vault' | 'providers'>,
  { body, owner }: { readonly body: StoreCard; readonly owner: Owner },
): Promise<Finished<PaymentMethod>> {
  const card = { number: body.number, expirationDate: body.expiration_date, cardType: body.card_type }
  const facts = await lookUp(scope, card.number)
  return inFinalTransaction(scope, once, async (tx) => {
    const id = newId(tx.clock().getTime())
    const sealed = await sealCard(tx, engine.vault, { ...card, paymentMethodId: id }, facts)
    return insertCard(tx, engine, sealed, { ...owner, id })
  })
}

/** Stores a token of Plaid in the vault. We do not ask Plaid: the payment service that charges it does. */
async function storePlaid(
  scope: Scope,
  once: Once,
  engine: Engine,
  { body, owner }: { readonly body: StorePlaid; readonly owner: Owner },
): Promise<Finished<PaymentMethod>> {
  await refuseOtherService(scope, engine, body.payment_service_id ?? null)
  return inFinalTransaction(scope, once, async (tx) => {
    const id = newId(tx.clock().getTime())
    return insertBank(tx, await sealToken(tx, engine.vault, body, id), { ...owner, id })
  })
}

async function refuseOtherService(scope: Scope, { providers }: Engine, id: string | null): Promise<void> {
  if (id === null) return
  const service = await paymentServices.find(scope, id)
  if (!service) {
    const message = 'there is no such payment service'
    throw errors.invalid(inBody('/payment_service_id', 'value_error.not_found', message))
  }
  const connector = providers.connectors.find(service.payment_service_definition_id)
  if (service.method === 'plaid' && connector?.manifest.instruments.includes('plaid')) return
  const message = `${service.display_name} takes no tokens of Plaid; name another service`
  throw errors.invalid(inBody('/payment_service_id', 'value_error.conflict', message))
}

async function sealToken(tx: Scope<Tx>, vault: Vault, body: StorePlaid, owner: string): Promise<BankFields> {
  const { token, account_id = null, payment_service_id = null } = body
  const payload = new Masked(JSON.stringify({ method: 'plaid', token, account_id }))
  try {
    return {
      method: 'plaid',
      bank_scheme: null,
      label: null,
      currency: null,
      payment_service_id,
      fingerprint: await vault.fingerprint(tx.db, payload),
      vault_token: await vault.store(tx.db, tx, { name: 'plaid-token', owner }, payload),
    }
  } finally {
    payload.clear()
  }
}

type Wanted = { readonly body: StoreRedirect; readonly owner: Owner }

/**
 * Stores a method that only its provider can keep, by a token of the provider: commits method and token, asks, commits
 * the answer. The method has the status of this token.
 */
async function storeRedirect(
  scope: Scope,
  engine: Engine,
  once: Once,
  { body, owner }: Wanted,
): Promise<Finished<PaymentMethod>> {
  const tokenizer = await chooseTokenizer(scope, engine, body)
  const { method, country, currency, redirect_url } = body
  const instrument: Instrument = { kind: 'redirect', method, country, currency }
  const { attempt, answer } = await requestToken(scope, engine, once, {
    tokenizer,
    begin: async (tx) => {
      const stored = await paymentMethods.insertRedirect(
        tx,
        { method, country, currency },
        { buyerId: owner.buyer?.id ?? null, externalIdentifier: owner.externalIdentifier },
      )
      await auditLogs.record(tx, 'created', {
        type: auditLogs.OF_BUYERS.paymentMethod,
        id: stored.id,
        name: nameOf(stored),
      })
      return tokens.insert(tx, {
        payment_method_id: stored.id,
        payment_service_id: tokenizer.service.id,
        is_first: true,
        redirect_url,
      })
    },
    open: (work) => work(instrument),
  })
  return finish(scope, engine, once, { attempt, answer })
}

/** The first active service that can store the method for this country and currency. */
async function chooseTokenizer(
  scope: Scope,
  { providers }: Engine,
  { method, country, currency }: StoreRedirect,
): Promise<Tokenizer> {
  for (const service of await paymentServices.listActive(scope, method)) {
    const connector = providers.connectors.find(service.payment_service_definition_id)
    const fits =
      service.payment_method_tokenization_enabled &&
      service.accepted_countries.includes(country) &&
      service.accepted_currencies.includes(currency)
    if (fits && connector && canTokenize(connector)) return { service, connector }
  }
  const message = `connect a payment service first: no active one stores ${method} for ${currency} in ${country}`
  throw errors.invalid(inBody('/method', 'value_error.not_found', message))
}

async function finish(
  scope: Scope,
  engine: Engine,
  once: Once,
  told: { readonly attempt: Attempt; readonly answer: SyncAnswer },
): Promise<Finished<PaymentMethod>> {
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const { subject } = await concludeHeld(tx, engine, TOKENIZATION, told)
      return showMethod(tx, orNotFound(await paymentMethods.find(tx, subject.payment_method_id)))
    })
  } finally {
    overwriteToken(told.answer)
  }
}

/** A process that died had begun to store the method. It is not begun again: we inquire about its token. */
async function takeUpRedirect(
  scope: Scope,
  engine: Engine,
  once: Once,
  tokenId: string,
): Promise<Finished<PaymentMethod>> {
  await resolveNow(scope, engine, tokenId)
  const token = await tokens.find(scope, tokenId)
  const method = orNotFound(token && (await paymentMethods.find(scope, token.payment_method_id)))
  return inTransaction(scope, async (tx) => once.finish(tx, await showMethod(tx, method)))
}

type Session = checkoutSessions.StoredSession

/** Stores the card that a buyer has entered in a checkout session. The session can still be paid with it. */
async function storeSessionCard(
  scope: Scope,
  once: Once,
  engine: Pick<Engine, 'vault' | 'providers'>,
  { body, owner }: { readonly body: StoreSessionCard; readonly owner: Owner },
): Promise<Finished<PaymentMethod>> {
  const session = refuseUnusable(await checkoutSessions.find(scope, body.id))
  const number = await openNumber(scope, engine.vault, session)
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const current = refuseUnusable(await checkoutSessions.lock(tx, body.id))
      if (current.number_token !== session.number_token) throw cardIsChanging()
      const id = newId(tx.clock().getTime())
      const card = {
        paymentMethodId: id,
        number: number.use(String),
        expirationDate: session.expiration_date ?? '',
        cardType: session.card_type,
      }
      const facts = {
        scheme: session.scheme ?? 'other',
        additionalSchemes: session.additional_schemes ?? [],
        cardType: session.card_type,
        issuer: session.card_issuer_name,
        country: session.card_country,
      }
      return insertCard(tx, engine, await sealCard(tx, engine.vault, card, facts), { ...owner, id })
    })
  } finally {
    number.clear()
  }
}

function refuseUnusable(session: Session | undefined): Session {
  if (!session) throw unusable('there is no such checkout session, or it has expired')
  if (session.transaction_id !== null) {
    throw errors.invalid(inBody('/id', 'value_error.conflict', 'the checkout session is paid already'))
  }
  if (session.method === 'id') {
    const message = 'its payment method is stored already: use payment_method_id of the checkout session'
    throw errors.invalid(inBody('/id', 'value_error.conflict', message))
  }
  if (session.number_token === null) throw unusable('no card has been entered in the checkout session yet')
  return session
}

async function openNumber(scope: Scope, vault: Vault, session: Session): Promise<Masked> {
  const { id, number_token: token, fingerprint } = session
  try {
    const number = await copyItem(scope, vault, { type: 'checkout-session', id, token, fingerprint })
    if (!number) throw new ItemGone()
    return number
  } catch (error) {
    if (error instanceof WrongItem) throw unusable('the card in the checkout session cannot be used')
    // The buyer has entered another card since we read the session.
    if (error instanceof ItemGone) throw cardIsChanging()
    throw error
  }
}

function unusable(message: string): ApiError {
  return errors.invalid(inBody('/id', 'value_error.not_found', message))
}

function cardIsChanging(): ApiError {
  return errors.tooEarly('The card in the checkout session is being changed. Try again.')
}
