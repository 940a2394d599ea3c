import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Instrument } from '#connectors/contract/orders.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { concludeHeld } from '#processing/attempts/resolve.ts'
import type { Attempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { Owner } from './insert.ts'
import type { StoreRedirect } from './new-schemas.ts'
import { canTokenize } from './payment-service-tokens/find-tokenizer.ts'
import { requestToken, type Tokenizer } from './payment-service-tokens/request-token.ts'
import { overwriteToken, resolveNow, TOKENIZATION } from './payment-service-tokens/resolve.ts'
import * as tokens from './payment-service-tokens/store.ts'
import type { PaymentMethod } from './schemas.ts'
import { nameOf, showMethod } from './show.ts'
import * as paymentMethods from './store.ts'

type Wanted = { readonly body: StoreRedirect; readonly owner: Owner }

/**
 * Stores a method that only its provider can keep, by a token of the provider: commits method and token, asks, commits
 * the answer. The method has the status of this token.
 */
export async function storeRedirect(
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
      const method = await paymentMethods.find(tx, subject.payment_method_id)
      if (!method) throw errors.notFound()
      return showMethod(tx, method)
    })
  } finally {
    overwriteToken(told.answer)
  }
}

/** A process that died had begun to store the method. It is not begun again: we inquire about its token. */
export async function takeUpRedirect(
  scope: Scope,
  engine: Engine,
  once: Once,
  tokenId: string,
): Promise<Finished<PaymentMethod>> {
  await resolveNow(scope, engine, tokenId)
  const token = await tokens.find(scope, tokenId)
  const method = token && (await paymentMethods.find(scope, token.payment_method_id))
  if (!method) throw errors.notFound()
  return inTransaction(scope, async (tx) => once.finish(tx, await showMethod(tx, method)))
}
