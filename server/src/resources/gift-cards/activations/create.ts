import type { GiftCardConnector } from '#connectors/contract/gift-card.ts'
import type { Caller } from '#platform/auth.ts'
import { violatedUnique } from '#platform/database-errors.ts'
import type { Scope, Tx } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import { askGiftCard } from '#processing/ask-gift-card.ts'
import { openFields } from '#processing/service-accounts/open-fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { type ActiveService, needActiveService } from '#resources/gift-card-services/find-active.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { dueIfLeft } from '#resources/transactions/attempts/due.ts'
import { findOwner } from '../find-owner.ts'
import { claimPlace, nameOf } from '../keep-card.ts'
import { carryOut } from '../operations/carry-out.ts'
import { mayInquire, type Needs, resolve } from '../operations/resolve.ts'
import * as operations from '../operations/store.ts'
import type { TypedCard } from '../present.ts'
import { clearCard, factsOf, readCard } from '../read-card.ts'
import type { GiftCard } from '../schemas.ts'
import { sealCard } from '../seal-card.ts'
import type { ActivateGiftCard } from './schemas.ts'
import { showActivation } from './show.ts'

type Asked = { readonly request: ActivateGiftCard; readonly caller: Caller }

/** Activates a card, and stores it if that is wanted. */
export async function activateGiftCard(
  scope: Scope,
  needs: Needs,
  { request, caller }: Asked,
): Promise<GiftCard> {
  const card = readCard(request)
  try {
    return await carryOut(scope, needs, {
      body: request,
      prepare: () => prepare(scope, needs, { request, caller }, card),
      show: showActivation,
    })
  } catch (error) {
    if (violatedUnique(error) === operations.ONE_ACTIVATION) throw tooEarly()
    throw error
  } finally {
    clearCard(card)
  }
}

async function prepare(scope: Scope, needs: Needs, { request, caller }: Asked, card: TypedCard) {
  const active = await needActiveService(scope, needs.providers)
  const activate = activateOf(active)
  const fields = await openFields(scope, needs.vault, active.service, giftCardServices.KIND)
  const owner = request.store ? await findOwner(scope, caller, request) : undefined
  const fingerprint = await needs.vault.fingerprint(scope.db, card.number)
  await refuseWhileOpen(scope, needs, { serviceId: active.service.id, fingerprint })
  const order = {
    card,
    amount: request.amount ?? null,
    currency: request.currency ?? null,
    externalIdentifier: request.external_identifier ?? null,
  }
  return {
    begin: (tx: Scope<Tx>) => begin(tx, needs, { request, active, card, fingerprint, owner }),
    send: ({ id }: operations.Operation) =>
      askGiftCard(needs.providers, activate, { ...order, attemptId: id }, { fields }),
  }
}

function activateOf({ service, connector }: ActiveService): NonNullable<GiftCardConnector['activate']> {
  if (connector.activate) return connector.activate
  throw errors.refused(`${service.display_name} does not support the operation: activate.`)
}

/** Another request may have activated the card, and nobody knows yet: to ask again could put the amount on it twice. */
async function refuseWhileOpen(
  scope: Scope,
  needs: Needs,
  key: { readonly serviceId: string; readonly fingerprint: string },
): Promise<void> {
  const open = await operations.findOpenActivation(scope, key)
  if (!open) return
  const after = mayInquire(open, scope.clock()) ? await resolve(scope, needs, open) : open
  if (after.due_at !== null) throw tooEarly()
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

/** The first commit. A card that is to be stored waits in the vault: the answer may come when the request is long over. */
async function begin(
  tx: Scope<Tx>,
  { vault, providers }: Needs,
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
    dueAt: dueIfLeft(tx.clock(), providers.timeoutMs),
  })
  await auditLogs.record(tx, 'created', {
    type: 'gift-card-activation',
    id: operation.id,
    name: nameOf(facts),
  })
  return operation
}
