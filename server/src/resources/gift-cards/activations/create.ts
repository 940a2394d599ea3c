import type { GiftCardConnector } from '#connectors/contract/gift-card.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import type { Caller } from '#platform/access/auth.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { Nullable, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import type { Finished, Once } from '#platform/idempotency/once.ts'
import { askGiftCard, inPaymentWords } from '#processing/ask-gift-card.ts'
import { resolve } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import { mayInquire } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { lineFor } from '#processing/provider.ts'
import { openFields } from '#processing/service-accounts/fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { type ActiveService, needActiveService } from '#resources/gift-card-services/find-active.ts'
import { summarize } from '#resources/gift-card-services/show.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { Amount } from '#resources/transactions/wire/order.ts'
import { findOwner } from '../find-owner.ts'
import { claimPlace, nameOf, sealCard } from '../keep-card.ts'
import { carryOut } from '../operations/carry-out.ts'
import { GIFT_CARD_OPERATION } from '../operations/resolve.ts'
import type { Operation } from '../operations/store.ts'
import * as operations from '../operations/store.ts'
import type { TypedCard } from '../present.ts'
import { clearCard, factsOf, readCard } from '../read-card.ts'
import { BUYER, type GiftCard, GiftCardNumber, Pin } from '../schemas.ts'
import { showCard, UNUSED } from '../show.ts'
import * as giftCards from '../store.ts'

export const ActivateGiftCard = Strict(
  {
    number: GiftCardNumber,
    pin: Type.Optional(Nullable(Pin)),
    amount: Type.Optional(
      Nullable(
        Amount({ description: 'The amount to put on the card. Leave it out for cards with a fixed amount.' }),
      ),
    ),
    currency: Type.Optional(
      Nullable(Type.String({ ...WRITTEN.currency, description: 'Currency of the amount. ISO 4217.' })),
    ),
    external_identifier: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 200, description: 'Your own reference.' })),
    ),
    store: Type.Boolean({
      default: false,
      description: 'Whether to store the card as well. It then needs a PIN, and may have a buyer.',
    }),
    ...BUYER,
  },
  {
    title: 'ActivateGiftCard',
    examples: [{ number: '4123455541234561234', pin: '01000', amount: 1000, currency: 'USD' }],
  },
)
export type ActivateGiftCard = Static<typeof ActivateGiftCard>

type Asked = { readonly request: ActivateGiftCard; readonly caller: Caller }

/** Activates a card, and stores it if the request says so. */
export async function activateGiftCard(
  scope: Scope,
  once: Once,
  engine: Engine,
  { request, caller }: Asked,
): Promise<Finished<GiftCard>> {
  const card = readCard(request)
  try {
    return await carryOut(scope, engine, {
      body: request,
      once,
      prepare: () => prepare(scope, engine, { request, caller }, card),
      show: showActivation,
    })
  } catch (error) {
    if (violatedUnique(error) === operations.ONE_ACTIVATION) throw tooEarly()
    throw error
  } finally {
    clearCard(card)
  }
}

async function prepare(scope: Scope, engine: Engine, { request, caller }: Asked, card: TypedCard) {
  const active = await needActiveService(scope, engine.providers)
  const activate = activateOf(active)
  const line = lineFor(engine.providers, { connector: active.connector.manifest.id, act: 'activate' })
  const fields = await openFields(scope, engine.vault, active.service, giftCardServices.KIND)
  const owner = request.store ? await findOwner(scope, caller, request) : undefined
  const fingerprint = await engine.vault.fingerprint(scope.db, card.number)
  await refuseWhileOpen(scope, engine, { serviceId: active.service.id, fingerprint })
  const order = {
    card,
    amount: request.amount ?? null,
    currency: request.currency ?? null,
    externalIdentifier: request.external_identifier ?? null,
  }
  return {
    begin: (tx: Scope<Tx>) => begin(tx, engine, { request, active, card, fingerprint, owner }),
    send: async ({ id }: operations.Operation) =>
      inPaymentWords(await askGiftCard(line, activate, { ...order, attemptId: id }, { fields })),
  }
}

function activateOf({ service, connector }: ActiveService): NonNullable<GiftCardConnector['activate']> {
  if (connector.activate) return connector.activate
  throw errors.refused(`${service.display_name} does not support the operation: activate.`)
}

/** Until an earlier activation of the card is decided, a second one could put the amount on it twice. */
async function refuseWhileOpen(
  scope: Scope,
  engine: Engine,
  key: { readonly serviceId: string; readonly fingerprint: string },
): Promise<void> {
  const open = await operations.findOpenActivation(scope, key)
  const attempt = open && (await attempts.find(scope, open.id))
  if (!attempt) return
  if (!mayInquire(attempt, scope.clock)) throw tooEarly()
  const after = await resolve(scope, engine, GIFT_CARD_OPERATION, attempt)
  if (after.attempt.due_at !== null) throw tooEarly()
}

function tooEarly() {
  return errors.tooEarly(
    'The outcome of an earlier activation of this card is not known yet. Try again in a moment.',
  )
}

type Begun = {
  readonly request: ActivateGiftCard
  readonly active: ActiveService
  readonly card: TypedCard
  readonly fingerprint: string
  readonly owner: Awaited<ReturnType<typeof findOwner>>
}

/**
 * The first commit. A card to be stored waits in the vault, because the answer may come after the request has
 * ended.
 */
async function begin(
  tx: Scope<Tx>,
  { vault }: Engine,
  { request, active, card, fingerprint, owner }: Begun,
): Promise<operations.Operation> {
  if (owner) await claimPlace(tx, { ...owner, fingerprint })
  const facts = factsOf(request.number)
  const operation = await operations.insert(tx, {
    kind: 'activate',
    gift_card_service_id: active.service.id,
    amount: request.amount ?? null,
    currency: request.currency ?? null,
    external_identifier: request.external_identifier ?? null,
    ...facts,
    fingerprint,
    ...(request.store && (await sealCard(tx, vault, card))),
    buyer_id: owner?.buyerId ?? null,
  })
  await auditLogs.record(tx, 'created', {
    type: 'gift-card-activation',
    id: operation.id,
    name: nameOf(facts),
  })
  return operation
}

/** The activated card. If it is not stored, its id is that of the activation. */
async function showActivation(scope: Scope, operation: Operation): Promise<GiftCard> {
  const stored =
    operation.gift_card_id === null ? undefined : await giftCards.find(scope, operation.gift_card_id)
  if (stored) return showCard(scope, stored)
  const { gift_card_service_id, bin, sub_bin, last4, expires_at } = operation
  const service = (await giftCardServices.findMany(scope, [gift_card_service_id])).get(gift_card_service_id)
  if (!service) throw new Error('an activation has no service')
  return {
    type: 'gift-card',
    id: operation.id,
    merchant_account_id: operation.merchant_account_id,
    gift_card_service: summarize(service),
    bin: bin ?? '',
    sub_bin: sub_bin ?? '',
    last4: last4 ?? '',
    expiration_date: expires_at?.toISOString() ?? null,
    buyer: null,
    ...UNUSED,
    created_at: operation.created_at.toISOString(),
    updated_at: operation.updated_at.toISOString(),
  }
}
