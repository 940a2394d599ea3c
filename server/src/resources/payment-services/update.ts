import type { Connector } from '../../../../connectors/contract/connector.ts'
import type { Vault } from '../../../../vault/client.ts'
import { inTransaction, type Scope, type Tx } from '../../platform/db.ts'
import { type ErrorDetail, errors, inBody } from '../../platform/errors.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Providers } from '../../processing/provider.ts'
import * as auditLogs from '../audit-logs/store.ts'
import * as attempts from '../transactions/attempts/store.ts'
import { complaintsAboutFields, type Entry } from './check-fields.ts'
import { complaintsAboutSettings, type Switches, turn } from './check-settings.ts'
import { definitionOf } from './find-definition.ts'
import { mergeProfile } from './merge-profile.ts'
import type { PaymentService, UpdatePaymentService } from './schemas.ts'
import { sealFields } from './seal-fields.ts'
import { showService } from './show.ts'
import * as paymentServices from './store.ts'

type Needs = {
  readonly secrets: Secrets
  readonly vault: Vault
  readonly publicUrl: string
  readonly providers: Providers
}

/** Absent settings stay, and so do those that cannot be empty when null is sent for them. */
export function updatePaymentService(
  scope: Scope,
  needs: Needs,
  id: string,
  request: UpdatePaymentService,
): Promise<PaymentService> {
  return inTransaction(scope, async (tx) => {
    const before = await paymentServices.lock(tx, id)
    if (!before) throw errors.notFound()
    const connector = definitionOf(needs.providers.connectors, before)
    const switches = turn(before, request)
    const complaints = complaintsAbout(connector, request, { before, switches })
    if (complaints.length > 0) throw errors.invalid(...complaints)
    await refuseElsewhere(tx, before, request.fields ?? [])

    const after = await paymentServices.update(tx, before, {
      ...plainChanges(before, request, tx.clock()),
      ...(await fieldChanges(tx, needs.vault, connector, { before, request })),
      ...switches,
    })
    await auditLogs.record(tx, {
      action: 'updated',
      resource: { type: 'payment-service', id, name: after.display_name },
      merchantAccountId: scope.merchantAccountId,
    })
    return showService(needs, after)
  })
}

type Change = { readonly before: paymentServices.StoredService; readonly switches: Switches }

function complaintsAbout(
  connector: Connector,
  request: UpdatePaymentService,
  { before, switches }: Change,
): ErrorDetail[] {
  const { manifest } = connector
  return [
    ...complaintsAboutFields({
      pointer: '/fields',
      known: manifest.fields,
      given: request.fields ?? [],
      storedKeys: [...Object.keys(before.fields), ...Object.keys(before.secrets)],
      isRequired: (field) => field.isRequired,
    }),
    ...complaintsAboutFields({
      pointer: '/reporting_fields',
      known: manifest.reportingFields,
      given: request.reporting_fields ?? [],
      storedKeys: [...Object.keys(before.reporting_fields), ...Object.keys(before.reporting_secrets)],
      isRequired: (field) => field.isRequired && switches.settlement_reporting_enabled,
    }),
    ...complaintsAboutSettings(connector, request, switches),
  ]
}

/**
 * What is open at a service is asked for with its fields. With others it may be asked for at another account of the
 * provider, which has never heard of it, and money that was taken would be reported as not taken.
 */
async function refuseElsewhere(
  tx: Scope<Tx>,
  { id, fields }: paymentServices.StoredService,
  given: readonly Entry[],
): Promise<void> {
  // Whoever sends a secret changes it. Comparing it would tell anybody whether a guess is right.
  const changed = given.flatMap(({ key, value }, index) => ((fields[key] ?? '') === value ? [] : [index]))
  const open = changed.length > 0 ? await attempts.countOpenAt(tx, id) : 0
  if (open === 0) return
  const message = `${open} ${open === 1 ? 'operation is' : 'operations are'} still open at this payment service; change it when nothing is, or create another one`
  throw errors.invalid(
    ...changed.map((index) => inBody(`/fields/${index}/value`, 'value_error.conflict', message)),
  )
}

function plainChanges(
  before: paymentServices.StoredService,
  request: UpdatePaymentService,
  now: Date,
): Partial<paymentServices.Settings> {
  const { accepted_currencies, accepted_countries, merchant_profile } = request
  return {
    display_name: request.display_name ?? before.display_name,
    position: request.position ?? before.position,
    active: request.active ?? before.active,
    ...(accepted_currencies && { accepted_currencies: [...new Set(accepted_currencies)] }),
    ...(accepted_countries && { accepted_countries: [...new Set(accepted_countries)] }),
    ...(merchant_profile !== undefined && {
      merchant_profile: mergeProfile(before.merchant_profile, merchant_profile, now),
    }),
  }
}

async function fieldChanges(
  tx: Scope<Tx>,
  vault: Vault,
  { manifest }: Connector,
  {
    before,
    request,
  }: { readonly before: paymentServices.StoredService; readonly request: UpdatePaymentService },
): Promise<Partial<paymentServices.Settings>> {
  const kept = await sealFields(tx, vault, before, { known: manifest.fields, given: request.fields ?? [] })
  const reporting = await sealFields(
    tx,
    vault,
    { fields: before.reporting_fields, secrets: before.reporting_secrets },
    { known: manifest.reportingFields, given: request.reporting_fields ?? [] },
  )
  return { ...kept, reporting_fields: reporting.fields, reporting_secrets: reporting.secrets }
}
