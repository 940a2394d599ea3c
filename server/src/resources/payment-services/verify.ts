import type { Scope } from '#platform/database/db.ts'
import { ApiError, errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { rejection } from '#processing/service-accounts/check-credentials.ts'
import { complaintsAboutFields } from '#processing/service-accounts/check-fields.ts'
import { NOTHING_KEPT, openFields } from '#processing/service-accounts/fields.ts'
import { findDefinition } from '#processing/service-accounts/save.ts'
import { inquire } from '#resources/payment-service-definitions/inquire.ts'
import type { Vault } from '#vault'
import type { VerifyCredentials } from './schemas.ts'
import * as paymentServices from './store.ts'

type Needs = { readonly vault: Vault; readonly providers: Providers }

/** Asks the provider whether it accepts these credentials. Stores nothing. */
export async function verifyCredentials(
  scope: Scope,
  once: Once,
  { vault, providers }: Needs,
  request: VerifyCredentials,
): Promise<Finished<Record<never, never>>> {
  const definition = request.payment_service_definition_id
  const connector = findDefinition(paymentServices.KIND, providers.connectors, definition)
  const { manifest, verify } = connector
  if (!verify) {
    throw new ApiError('bad_request', { message: `${manifest.id} does not support the operation verify` })
  }
  const service = await findService(scope, request)
  const complaints = complaintsAboutFields({
    pointer: '/fields',
    known: manifest.fields,
    given: request.fields,
    stored: service ?? NOTHING_KEPT,
    isRequired: (field) => field.isRequired && field.isVerifiable,
  })
  if (complaints.length > 0) throw errors.invalid(...complaints)

  const stored = service ? await openFields(scope, vault, service, paymentServices.KIND) : {}
  const given = Object.fromEntries(request.fields.map(({ key, value }) => [key, value]))
  const fields = { ...stored, ...given }
  const answer = await inquire(providers, fields, verify)
  if (answer.outcome === 'unreachable') throw errors.unanswered('gateway_timeout')
  if (answer.outcome === 'rejected') throw rejection(manifest.fields, fields, answer.message)
  return inFinalTransaction(scope, once, async () => ({}))
}

async function findService(
  scope: Scope,
  request: VerifyCredentials,
): Promise<paymentServices.StoredService | undefined> {
  const id = request.payment_service_id
  if (!id) return undefined
  const service = await paymentServices.find(scope, id)
  if (!service) {
    const message = 'there is no such payment service'
    throw errors.invalid(inBody('/payment_service_id', 'value_error.not_found', message))
  }
  if (service.payment_service_definition_id !== request.payment_service_definition_id) {
    const message = 'send the definition of the payment service: it has another one'
    throw errors.invalid(inBody('/payment_service_id', 'value_error.conflict', message))
  }
  return service
}
