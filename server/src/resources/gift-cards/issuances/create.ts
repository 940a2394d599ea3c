import type { GiftCardConnector } from '#connectors/contract/gift-card.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Finished, Once } from '#platform/idempotency/once.ts'
import { askGiftCard, inPaymentWords } from '#processing/ask-gift-card.ts'
import type { Engine } from '#processing/engine.ts'
import { lineFor } from '#processing/provider.ts'
import { openFields } from '#processing/service-accounts/fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { type ActiveService, needActiveService } from '#resources/gift-card-services/find-active.ts'
import { summarize } from '#resources/gift-card-services/show.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { type Approved, carryOut } from '../operations/carry-out.ts'
import * as operations from '../operations/store.ts'
import type { GiftCardIssuance, IssueGiftCard } from './schemas.ts'

/** Has a new card issued. Its address is shown once and not stored. */
export async function issueGiftCard(
  scope: Scope,
  once: Once,
  engine: Engine,
  request: IssueGiftCard,
): Promise<Finished<GiftCardIssuance>> {
  return carryOut(scope, engine, {
    body: request,
    once,
    prepare: () => prepare(scope, engine, request),
    show,
  })
}

async function prepare(scope: Scope, engine: Engine, request: IssueGiftCard) {
  const active = await needActiveService(scope, engine.providers)
  const issue = issueOf(active)
  const line = lineFor(engine.providers, { connector: active.connector.manifest.id, act: 'issue' })
  const fields = await openFields(scope, engine.vault, active.service, giftCardServices.KIND)
  const order = {
    theme: request.theme,
    amount: request.amount,
    currency: request.currency,
    externalIdentifier: request.external_identifier ?? null,
  }
  return {
    begin: (tx: Scope<Tx>) => begin(tx, active, request),
    send: async ({ id }: operations.Operation) =>
      inPaymentWords(await askGiftCard(line, issue, { ...order, attemptId: id }, { fields })),
  }
}

function issueOf({ service, connector }: ActiveService): NonNullable<GiftCardConnector['issue']> {
  if (connector.issue) return connector.issue
  throw errors.refused(`${service.display_name} does not support the operation: issue.`)
}

async function begin(
  tx: Scope<Tx>,
  { service }: ActiveService,
  { amount, currency, external_identifier }: IssueGiftCard,
): Promise<operations.Operation> {
  const operation = await operations.insert(tx, {
    kind: 'issue',
    gift_card_service_id: service.id,
    amount,
    currency,
    external_identifier: external_identifier ?? null,
  })
  await auditLogs.record(tx, 'created', {
    type: 'gift-card-issuance',
    id: operation.id,
    name: `${currency} ${amount}`,
  })
  return operation
}

async function show(
  tx: Scope<Tx>,
  operation: operations.Operation,
  answer: Approved,
): Promise<GiftCardIssuance> {
  const { gift_card_service_id: serviceId, amount, currency } = operation
  const service = (await giftCardServices.findMany(tx, [serviceId])).get(serviceId)
  if (!service || amount === null || currency === null) throw new Error('an issuance is not on record')
  if (answer.url === undefined) throw new Error('an issued gift card has no address')
  return {
    type: 'gift-card-issuance',
    id: operation.id,
    merchant_account_id: operation.merchant_account_id,
    gift_card_service: summarize(service),
    gift_card_service_payment_issuance_id: answer.reference,
    url: answer.url,
    amount,
    currency,
    external_identifier: operation.external_identifier,
    created_at: operation.created_at.toISOString(),
    updated_at: operation.updated_at.toISOString(),
  }
}
