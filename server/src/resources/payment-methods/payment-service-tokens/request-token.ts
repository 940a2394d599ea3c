import { timingSafeEqual } from 'node:crypto'
import type { AuthorizeAnswer, Connector, SyncAnswer } from '#connectors/contract/connector.ts'
import type { Instrument } from '#connectors/contract/orders.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { Once } from '#platform/idempotency/once.ts'
import { askInTimeBetweenCommits } from '#processing/attempts/ask-between-commits.ts'
import { concludeLate, refusal } from '#processing/attempts/conclude.ts'
import { ABANDONED, awaitingOrder, keepOrder } from '#processing/attempts/kept-orders.ts'
import * as attempts from '#processing/attempts/store.ts'
import { type Addresses, buyerUrl, type Engine } from '#processing/engine.ts'
import { askProvider, lineTo } from '#processing/provider.ts'
import { memoryOf, openFields, ServiceGone } from '#processing/service-accounts/fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { ItemGone, WrongItem } from '#vault'
import { revealing, TOKENIZATION, withToken } from './resolve.ts'
import type * as tokens from './store.ts'
import type { StoredToken } from './store.ts'

/** A service that can store payment methods. */
export type Tokenizer = {
  readonly service: paymentServices.StoredService
  readonly connector: Connector & Required<Pick<Connector, 'tokenize'>>
}

/** Opens what is to be stored for as long as `work` takes. */
type OpenInstrument = <Result>(work: (instrument: Instrument) => Promise<Result>) => Promise<Result>

type Wanted = {
  readonly tokenizer: Tokenizer
  /** Records the token, and what else the first commit needs. */
  readonly begin: (tx: Scope<Tx>) => Promise<tokens.StoredToken>
  readonly open: OpenInstrument
}

/** The first commit and the question: records the token and its attempt, then asks the provider. */
export function requestToken(scope: Scope, engine: Engine, once: Once, { tokenizer, begin, open }: Wanted) {
  const { service, connector } = tokenizer
  return askInTimeBetweenCommits(scope, engine, {
    begin: async (tx) => {
      const token = await begin(tx)
      const asked = {
        id: token.id,
        kind: 'tokenize',
        service_id: service.id,
        amount: 0,
        ...awaitingOrder(connector),
      } as const
      await auditLogs.record(tx, 'created', {
        type: 'payment-service-token',
        id: token.id,
        name: service.display_name,
      })
      const line = lineTo(engine.providers, connector, 'tokenize')
      const attempt = await attempts.send(tx, line, asked)
      await once.begin(tx, attempt.id)
      return { token, attempt }
    },
    ask: ({ token }) =>
      open((instrument) => ask(scope, engine, tokenizer, { token, instrument })).catch(refusalOf),
    concludeLate: ({ attempt }, answer) => concludeLate(scope, engine, TOKENIZATION, { attempt, answer }),
  })
}

type Order = { readonly token: tokens.StoredToken; readonly instrument: Instrument }

async function ask(
  scope: Scope,
  engine: Engine,
  { service, connector }: Tokenizer,
  { token, instrument }: Order,
): Promise<AuthorizeAnswer> {
  const { id } = token
  const fields = await openFields(scope, engine.vault, service, paymentServices.KIND)
  const order = await keepOrder(scope, engine.vault, {
    attempt: { id, kind: 'tokenize' },
    connector,
    order: { attemptId: id, tokenId: id, instrument, redirectUrl: returnUrlOf(engine, token) },
    onReveal: revealing(scope, token),
  })
  if (!order) return ABANDONED
  const memory = memoryOf(scope, engine.secrets, service, fields)
  const link = { fields, options: {}, memory }
  const line = lineTo(engine.providers, connector, 'tokenize')
  return withToken(await askProvider(line, connector.tokenize, order, link))
}

/** The method or the service was deleted meanwhile. The refusal is certain, because nothing was sent. */
function refusalOf(error: unknown): SyncAnswer {
  if (error instanceof ItemGone || error instanceof WrongItem) return refusal('unavailable_payment_method')
  if (error instanceof ServiceGone) return refusal('invalid_service_configuration')
  throw error
}

type Key = Pick<StoredToken, 'merchant_account_id' | 'id'>

/** Our page to which the provider sends the buyer after an approval. It cannot be guessed from the token's id. */
export function returnUrlOf(engine: Addresses & Pick<Engine, 'secrets'>, token: Key): string {
  const { merchant_account_id, id } = token
  return `${buyerUrl(engine)}/payment-method-approvals/${merchant_account_id}/${id}/${keyOf(engine.secrets, token)}`
}

export function isReturnKey(secrets: Engine['secrets'], token: Key, given: string): boolean {
  const [expected, actual] = [Buffer.from(keyOf(secrets, token)), Buffer.from(given)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

function keyOf(secrets: Engine['secrets'], { merchant_account_id, id }: Key): string {
  return secrets.mac('payment-method-approval', `${merchant_account_id}/${id}`).toString('base64url')
}
