import type { Connector } from '#connectors/contract/connector.ts'
import type { CardScheme } from '#domain/card-scheme.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { ErrorDetail } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { complaintsAboutFields } from '#processing/service-accounts/check-fields.ts'
import { NOTHING_KEPT, sealFields } from '#processing/service-accounts/fields.ts'
import { complaintsAboutNew, findDefinition, recordChange } from '#processing/service-accounts/save.ts'
import type { Vault } from '#vault'
import { complaintsAboutSettings, defaultSwitches, turn } from './check-settings.ts'
import type {
  CreatePaymentService,
  MerchantProfile,
  MerchantProfileSummary,
  PaymentService,
} from './schemas.ts'
import { showService } from './show.ts'
import * as paymentServices from './store.ts'

type Needs = {
  readonly secrets: Secrets
  readonly vault: Vault
  readonly publicUrl: string
  readonly providers: Providers
}

export async function createPaymentService(
  scope: Scope,
  once: Once,
  needs: Needs,
  request: CreatePaymentService,
): Promise<Finished<PaymentService>> {
  const id = request.payment_service_definition_id
  const connector = findDefinition(paymentServices.KIND, needs.providers.connectors, id)
  return inFinalTransaction(scope, once, async (tx) =>
    showService(needs, await insertService(tx, needs.vault, connector, request)),
  )
}

/** Everything that is wrong with a new service in the parts of the request whose form is right. */
export function complaintsAboutNewPaymentService(
  { connectors }: Providers,
  request: Sound<CreatePaymentService>,
): ErrorDetail[] {
  const connector = connectors.find(request.payment_service_definition_id ?? '')
  const complaints = complaintsAboutNew(paymentServices.KIND, connectors, request)
  if (!connector) return complaints
  const settings = request as Partial<CreatePaymentService>
  const switches = turn(defaultSwitches(connector), settings)
  return [
    ...complaints,
    ...complaintsAboutFields({
      pointer: '/reporting_fields',
      known: connector.manifest.reportingFields,
      given: request.reporting_fields ?? [],
      stored: NOTHING_KEPT,
      isRequired: (field) => field.isRequired && switches.settlement_reporting_enabled,
    }),
    ...complaintsAboutSettings(connector, settings, switches),
  ]
}

/**
 * Part of the caller's transaction, so that a sandbox's first service is stored together with the note that
 * it was made.
 */
export async function insertService(
  tx: Scope<Tx>,
  vault: Vault,
  connector: Connector,
  request: CreatePaymentService,
): Promise<paymentServices.StoredService> {
  const { manifest } = connector
  const switches = turn(defaultSwitches(connector), request)
  const reportingFields = request.reporting_fields ?? []
  const { type } = paymentServices.KIND
  const kept = await sealFields(tx, vault, NOTHING_KEPT, {
    known: manifest.fields,
    given: request.fields,
    type,
  })
  const reporting = await sealFields(tx, vault, NOTHING_KEPT, {
    known: manifest.reportingFields,
    given: reportingFields,
    type,
  })
  const stored = await paymentServices.insert(tx, {
    payment_service_definition_id: manifest.id,
    method: manifest.method,
    status: 'created',
    display_name: request.display_name,
    active: request.active ?? true,
    position: request.position ?? (await paymentServices.nextPosition(tx)),
    accepted_currencies: [...new Set(request.accepted_currencies)],
    accepted_countries: [...new Set(request.accepted_countries)],
    ...kept,
    reporting_fields: reporting.fields,
    reporting_secrets: reporting.secrets,
    merchant_profile: mergeProfile(null, request.merchant_profile ?? null, tx.clock()),
    ...switches,
  })
  await recordChange(tx, paymentServices.KIND, 'created', stored)
  return stored
}

/**
 * Sets the named schemes, or removes them by null; the others stay. Null instead of a profile removes all.
 */
export function mergeProfile(
  before: MerchantProfileSummary | null,
  given: MerchantProfile | null,
  now: Date,
): MerchantProfileSummary | null {
  if (given === null) return null
  const merged: MerchantProfileSummary = { ...before }
  for (const [name, profile] of Object.entries(given)) {
    const scheme = name as CardScheme
    const created_at = before?.[scheme]?.created_at ?? now.toISOString()
    if (profile) merged[scheme] = { ...profile, created_at }
    else delete merged[scheme]
  }
  return Object.keys(merged).length > 0 ? merged : null
}
