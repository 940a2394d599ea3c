import type { Connector } from '#connectors/contract/connector.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { type ErrorDetail, errors, orNotFound } from '#platform/http/errors.ts'
import * as backlog from '#processing/attempts/backlog.ts'
import type { Providers } from '#processing/provider.ts'
import { complaintsAboutFields } from '#processing/service-accounts/check-fields.ts'
import { sealFields } from '#processing/service-accounts/fields.ts'
import { definitionOf, recordChange, refuseElsewhere } from '#processing/service-accounts/save.ts'
import * as tokens from '#resources/payment-methods/payment-service-tokens/store.ts'
import type { Vault } from '#vault'
import { complaintsAboutSettings, type Switches, turn } from './check-settings.ts'
import { mergeProfile } from './create.ts'
import type { PaymentService, UpdatePaymentService } from './schemas.ts'
import { showService } from './show.ts'
import * as paymentServices from './store.ts'

type Needs = {
  readonly secrets: Secrets
  readonly vault: Vault
  readonly publicUrl: string
  readonly providers: Providers
}

/** Absent settings stay. So do settings that are null and cannot be empty. */
export function updatePaymentService(
  scope: Scope,
  needs: Needs,
  id: string,
  request: UpdatePaymentService,
): Promise<PaymentService> {
  return inTransaction(scope, async (tx) => {
    const before = orNotFound(await paymentServices.lock(tx, id))
    const connector = definitionOf(needs.providers.connectors, before.payment_service_definition_id)
    const switches = turn(before, request)
    const complaints = complaintsAbout(connector, request, { before, switches })
    if (complaints.length > 0) throw errors.invalid(...complaints)
    await refuseElsewhere(tx, { ...paymentServices.KIND, countOpenAt }, before, request.fields ?? [])

    const after = await paymentServices.update(tx, before, {
      ...plainChanges(before, request, tx.clock()),
      ...(await fieldChanges(tx, needs.vault, connector, { before, request })),
      ...switches,
    })
    await recordChange(tx, paymentServices.KIND, 'updated', after)
    return showService(needs, after)
  })
}

/**
 * Approvals that buyers have abandoned are left out: a shop that has some each day could never change its fields. If
 * the new fields lead to another account, a token that the old one still gives is not heard of.
 */
async function countOpenAt(scope: Scope, id: string): Promise<number> {
  return (await backlog.countOpenAt(scope, id)) - (await tokens.countAbandonedAt(scope, id))
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
      stored: before,
      isRequired: (field) => field.isRequired,
    }),
    ...complaintsAboutFields({
      pointer: '/reporting_fields',
      known: manifest.reportingFields,
      given: request.reporting_fields ?? [],
      stored: { fields: before.reporting_fields, secrets: before.reporting_secrets },
      isRequired: (field) => field.isRequired && switches.settlement_reporting_enabled,
    }),
    ...complaintsAboutSettings(connector, request, switches),
  ]
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
  const { type } = paymentServices.KIND
  const given = request.fields ?? []
  const kept = await sealFields(tx, vault, before, { known: manifest.fields, given, type })
  const reporting = await sealFields(
    tx,
    vault,
    { fields: before.reporting_fields, secrets: before.reporting_secrets },
    { known: manifest.reportingFields, given: request.reporting_fields ?? [], type },
  )
  return { ...kept, reporting_fields: reporting.fields, reporting_secrets: reporting.secrets }
}
