import type { Connector, RegisterAnswer } from '#connectors/contract/connector.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Scope } from '#platform/database/db.ts'
import { ApiError, errors, orNotFound } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { withoutSecrets } from '#processing/service-accounts/check-credentials.ts'
import { type Fields, openFields, sealFields } from '#processing/service-accounts/fields.ts'
import { notificationUrl } from '#processing/service-accounts/notifications.ts'
import { definitionOf, recordChange } from '#processing/service-accounts/save.ts'
import { inquire } from '#resources/payment-service-definitions/inquire.ts'
import type { Vault } from '#vault'
import type { PaymentService } from './schemas.ts'
import { showService } from './show.ts'
import * as paymentServices from './store.ts'

type Needs = {
  readonly secrets: Secrets
  readonly vault: Vault
  readonly publicUrl: string
  readonly providers: Providers
}

/**
 * Tells the provider where to send its notifications, and keeps the fields that it gives for them. If we die in between,
 * the caller asks again: the provider has one address of ours, however often it is told.
 */
export async function registerNotifications(
  scope: Scope,
  once: Once,
  needs: Needs,
  id: string,
): Promise<Finished<PaymentService>> {
  const service = orNotFound(await paymentServices.find(scope, id))
  const connector = definitionOf(needs.providers.connectors, service.payment_service_definition_id)
  const fields = await openFields(scope, needs.vault, service, paymentServices.KIND)
  const given = await register(needs, connector, { id, fields })
  return inFinalTransaction(scope, once, async (tx) => {
    const before = orNotFound(await paymentServices.lock(tx, id))
    const { type } = paymentServices.KIND
    const known = connector.manifest.fields
    const kept = await sealFields(tx, needs.vault, before, { known, given, type })
    const after = await paymentServices.update(tx, before, kept)
    await recordChange(tx, paymentServices.KIND, 'updated', after)
    return showService(needs, after)
  })
}

type Registered = { readonly key: string; readonly value: string }[]

async function register(
  needs: Needs,
  connector: Connector,
  { id, fields }: { readonly id: string; readonly fields: Fields },
): Promise<Registered> {
  const { manifest, registerNotifications: ask } = connector
  if (!ask) {
    throw new ApiError('bad_request', {
      message: `${manifest.id} cannot be told where to send notifications. Enter the webhook_url in the provider’s own settings.`,
    })
  }
  const url = notificationUrl(needs, paymentServices.KIND, id)
  const answer: RegisterAnswer = await inquire(needs.providers, fields, (link) => ask(url, link))
  if (answer.outcome === 'unreachable') throw errors.unanswered('gateway_timeout')
  if (answer.outcome === 'rejected') {
    const reason = withoutSecrets(
      connector.manifest.fields,
      fields,
      answer.message.replaceAll(url, 'the webhook_url'),
    )
    throw errors.refused(`The provider does not accept the address for its notifications: ${reason}`)
  }
  return Object.entries(answer.fields)
    .filter(([key]) => manifest.fields.some((field) => field.key === key))
    .map(([key, value]) => ({ key, value }))
}
