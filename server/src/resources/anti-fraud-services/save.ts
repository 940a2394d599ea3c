import type { AntiFraudConnector } from '../../../../connectors/contract/anti-fraud.ts'
import type { Vault } from '../../../../vault/client.ts'
import { inFinalTransaction, inTransaction, type Scope, type Tx, violatedUnique } from '../../platform/db.ts'
import { type ApiError, errors, inBody } from '../../platform/errors.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Providers } from '../../processing/provider.ts'
import type { Registry } from '../../processing/service-accounts/registry.ts'
import * as auditLogs from '../audit-logs/store.ts'
import { keepFields } from '../payment-services/keep-fields.ts'
import type { AntiFraudService, CreateAntiFraudService, UpdateAntiFraudService } from './schemas.ts'
import { showService } from './show.ts'
import * as antiFraudServices from './store.ts'

const FIELD = 'anti-fraud-service-field'

type Needs = {
  readonly secrets: Secrets
  readonly vault: Vault
  readonly providers: Providers
  readonly publicUrl: string
}

export async function createAntiFraudService(
  scope: Scope,
  needs: Needs,
  request: CreateAntiFraudService,
): Promise<AntiFraudService> {
  const connector = findDefinition(needs.providers.antiFraud, request.anti_fraud_service_definition_id)
  return orRefuseSecond(scope, () =>
    inFinalTransaction(scope, async (tx) => {
      const kept = await keepFields(tx, needs.vault, {
        known: connector.manifest.fields,
        given: request.fields,
        label: FIELD,
      })
      const stored = await antiFraudServices.insert(tx, {
        anti_fraud_service_definition_id: connector.manifest.id,
        display_name: request.display_name,
        active: request.active ?? true,
        reviews_enabled: request.reviews_enabled ?? false,
        ...kept,
      })
      await note(tx, 'created', stored)
      return showService(needs, stored)
    }),
  )
}

/** Absent settings stay, and so do those for which null is sent. */
export function updateAntiFraudService(
  scope: Scope,
  needs: Needs,
  id: string,
  request: UpdateAntiFraudService,
): Promise<AntiFraudService> {
  return orRefuseSecond(scope, () =>
    inTransaction(scope, async (tx) => {
      const before = await antiFraudServices.lock(tx, id)
      if (!before) throw errors.notFound()
      const connector = definitionOf(needs.providers.antiFraud, before)
      const kept = await keepFields(tx, needs.vault, {
        known: connector.manifest.fields,
        before,
        given: request.fields ?? [],
        label: FIELD,
      })
      const after = await antiFraudServices.update(tx, before, {
        display_name: request.display_name ?? before.display_name,
        active: request.active ?? before.active,
        reviews_enabled: request.reviews_enabled ?? before.reviews_enabled,
        ...kept,
      })
      await note(tx, 'updated', after)
      return showService(needs, after)
    }),
  )
}

/**
 * It is asked about no more payments. One that had begun may still be about to ask, so the secrets leave the vault a
 * little later, by a job. The row itself stays for the books.
 */
export function deleteAntiFraudService(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const service = await antiFraudServices.lock(tx, id)
    if (!service) throw errors.notFound()
    await antiFraudServices.markDeleted(tx, service)
    await note(tx, 'deleted', service)
  })
}

function findDefinition(connectors: Registry<AntiFraudConnector>, id: string): AntiFraudConnector {
  const connector = connectors.find(id)
  if (connector) return connector
  const message = 'there is no such anti-fraud service definition'
  throw errors.invalid(inBody('/anti_fraud_service_definition_id', 'value_error.not_found', message))
}

/** A later version of the program may no longer have the connector. */
function definitionOf(
  connectors: Registry<AntiFraudConnector>,
  { anti_fraud_service_definition_id: id }: antiFraudServices.StoredService,
): AntiFraudConnector {
  const connector = connectors.find(id)
  if (connector) return connector
  throw errors.refused(`${id} is no longer there; the service can only be deleted`)
}

async function orRefuseSecond<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (violatedUnique(error) !== antiFraudServices.ONE_ACTIVE) throw error
    throw await secondActive(scope)
  }
}

async function secondActive(scope: Scope): Promise<ApiError> {
  const message = 'another anti-fraud service is active; deactivate it first'
  const other = await antiFraudServices.findActive(scope)
  return errors.duplicate(other?.id, inBody('/active', 'value_error.duplicate', message))
}

function note(
  tx: Scope<Tx>,
  action: 'created' | 'updated' | 'deleted',
  { id, display_name }: antiFraudServices.StoredService,
): Promise<void> {
  return auditLogs.record(tx, {
    action,
    resource: { type: 'anti-fraud-service', id, name: display_name },
    merchantAccountId: tx.merchantAccountId,
  })
}
