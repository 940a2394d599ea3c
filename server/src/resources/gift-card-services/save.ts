import type { GiftCardConnector } from '../../../../connectors/contract/gift-card.ts'
import type { Vault } from '../../../../vault/client.ts'
import { inFinalTransaction, inTransaction, type Scope, type Tx, violatedUnique } from '../../platform/db.ts'
import { type ApiError, errors, inBody } from '../../platform/errors.ts'
import type { Providers } from '../../processing/provider.ts'
import type { Registry } from '../../processing/service-accounts/registry.ts'
import * as auditLogs from '../audit-logs/store.ts'
import { keepFields } from '../payment-services/keep-fields.ts'
import { refuseElsewhere } from '../payment-services/refuse-elsewhere.ts'
import { countOpenAt } from './count-open.ts'
import type { CreateGiftCardService, GiftCardService, UpdateGiftCardService } from './schemas.ts'
import { showService } from './show.ts'
import * as giftCardServices from './store.ts'

const FIELD = 'gift-card-service-field'

type Needs = { readonly vault: Vault; readonly providers: Providers }

export async function createGiftCardService(
  scope: Scope,
  { vault, providers }: Needs,
  request: CreateGiftCardService,
): Promise<GiftCardService> {
  const connector = findDefinition(providers.giftCards, request.gift_card_service_definition_id)
  return orRefuseSecond(scope, () =>
    inFinalTransaction(scope, async (tx) => showService(await insertService(tx, vault, connector, request))),
  )
}

/** Part of the caller's transaction, so that the first service of a sandbox comes with the note that it has come. */
export async function insertService(
  tx: Scope<Tx>,
  vault: Vault,
  connector: GiftCardConnector,
  request: CreateGiftCardService,
): Promise<giftCardServices.StoredService> {
  const kept = await keepFields(tx, vault, {
    known: connector.manifest.fields,
    given: request.fields,
    label: FIELD,
  })
  const stored = await giftCardServices.insert(tx, {
    gift_card_service_definition_id: connector.manifest.id,
    display_name: request.display_name,
    active: request.active ?? true,
    ...kept,
  })
  await note(tx, 'created', stored)
  return stored
}

/** Absent settings stay, and so do those for which null is sent. */
export function updateGiftCardService(
  scope: Scope,
  { vault, providers }: Needs,
  id: string,
  request: UpdateGiftCardService,
): Promise<GiftCardService> {
  return orRefuseSecond(scope, () =>
    inTransaction(scope, async (tx) => {
      const before = await giftCardServices.lock(tx, id)
      if (!before) throw errors.notFound()
      const connector = definitionOf(providers.giftCards, before)
      await refuseElsewhere(before, request.fields ?? [], () => countOpenAt(tx, id), 'gift card service')
      const kept = await keepFields(tx, vault, {
        known: connector.manifest.fields,
        before,
        given: request.fields ?? [],
        label: FIELD,
      })
      const after = await giftCardServices.update(tx, before, {
        display_name: request.display_name ?? before.display_name,
        active: request.active ?? before.active,
        ...kept,
      })
      await note(tx, 'updated', after)
      return showService(after)
    }),
  )
}

/**
 * Nothing more is asked for there. What is still open is asked for until it is decided, so its secrets leave the vault
 * only then, by a job. The row itself stays for the books.
 */
export function deleteGiftCardService(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const service = await giftCardServices.lock(tx, id)
    if (!service) throw errors.notFound()
    await giftCardServices.markDeleted(tx, service)
    await note(tx, 'deleted', service)
  })
}

function findDefinition(connectors: Registry<GiftCardConnector>, id: string): GiftCardConnector {
  const connector = connectors.find(id)
  if (connector) return connector
  const message = 'there is no such gift card service definition'
  throw errors.invalid(inBody('/gift_card_service_definition_id', 'value_error.not_found', message))
}

/** A later version of the program may no longer have the connector. */
function definitionOf(
  connectors: Registry<GiftCardConnector>,
  { gift_card_service_definition_id: id }: giftCardServices.StoredService,
): GiftCardConnector {
  const connector = connectors.find(id)
  if (connector) return connector
  throw errors.refused(`${id} is no longer there; the service can only be deleted`)
}

async function orRefuseSecond<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (violatedUnique(error) !== giftCardServices.ONE_ACTIVE) throw error
    throw await secondActive(scope)
  }
}

async function secondActive(scope: Scope): Promise<ApiError> {
  const message = 'another gift card service is active; deactivate it first'
  const other = await giftCardServices.findActive(scope)
  return errors.duplicate(other?.id, inBody('/active', 'value_error.duplicate', message))
}

function note(
  tx: Scope<Tx>,
  action: 'created' | 'updated' | 'deleted',
  { id, display_name }: giftCardServices.StoredService,
): Promise<void> {
  return auditLogs.record(tx, {
    action,
    resource: { type: 'gift-card-service', id, name: display_name },
    merchantAccountId: tx.merchantAccountId,
  })
}
