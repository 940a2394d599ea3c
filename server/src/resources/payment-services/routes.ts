import { inTransaction, type Scope } from '#platform/database/db.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { openFields } from '#processing/service-accounts/fields.ts'
import { definitionOf, recordChange } from '#processing/service-accounts/save.ts'
import { openSession } from '#resources/payment-service-definitions/open-session.ts'
import {
  CreatePaymentServiceSession,
  PaymentServiceSession,
} from '#resources/payment-service-definitions/schemas.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import type { Vault } from '#vault'
import { complaintsAboutNewPaymentService, createPaymentService } from './create.ts'
import { registerNotifications } from './register-notifications.ts'
import {
  CreatePaymentService,
  PaymentService,
  PaymentServiceFilters,
  PaymentServices,
  UpdatePaymentService,
  VerifiedCredentials,
  VerifyCredentials,
} from './schemas.ts'
import { showService } from './show.ts'
import * as paymentServices from './store.ts'
import { updatePaymentService } from './update.ts'
import { verifyCredentials } from './verify.ts'

const operation = operationsOf({
  tag: 'Payment services',
  concerns: 'merchant-account',
  scopes: 'payment-services',
})

type Needs = Pick<OperationNeeds, 'secrets' | 'vault' | 'publicUrl' | 'providers'>

export function paymentServiceRoutes(needs: Needs): Operation[] {
  return [...collectionRoutes(needs), ...itemRoutes(needs), ...providerRoutes(needs)]
}

function collectionRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_payment_services',
      route: 'GET /payment-services',
      summary: 'List payment services',
      description: 'Payment services, newest first. Payments try them by `position`.',
      isList: true,
      query: PaymentServiceFilters,
      responses: { 200: PaymentServices },
      handler: async ({ context, reach, query }) => {
        const page = await paymentServices.list(context, reach, query)
        return { ...page, items: page.items.map((row) => showService(needs, row)) }
      },
    }),

    operation({
      id: 'create_payment_service',
      route: 'POST /payment-services',
      summary: 'Create payment service',
      description:
        'Connects your own account at a provider. Secret fields are sealed in the vault and never shown again.',
      needsFreshProof: true,
      body: CreatePaymentService,
      check: ({ body }) => complaintsAboutNewPaymentService(needs.providers, body),
      responses: { 201: PaymentService },
      handler: (call) => createPaymentService(scopeOf(call), call.once, needs, call.body),
    }),

    operation({
      id: 'verify_payment_service_credentials',
      route: 'POST /payment-services/verify',
      summary: 'Verify payment service credentials',
      description:
        'Asks the provider whether it accepts these fields; 200 means that it does. Nothing is stored. ' +
        'With `payment_service_id`, that service’s stored fields fill the gaps.',
      body: VerifyCredentials,
      errors: ['gateway_timeout', 'bad_gateway'],
      responses: { 200: VerifiedCredentials },
      handler: (call) => verifyCredentials(scopeOf(call), call.once, needs, call.body),
    }),
  ]
}

function itemRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'get_payment_service',
      route: 'GET /payment-services/:payment_service_id',
      summary: 'Get payment service',
      responses: { 200: PaymentService },
      handler: async (call) => {
        const service = orNotFound(await paymentServices.find(scopeOf(call), call.params.payment_service_id))
        return showService(needs, service)
      },
    }),

    operation({
      id: 'update_payment_service',
      route: 'PUT /payment-services/:payment_service_id',
      summary: 'Update payment service',
      description:
        'Fields that are left out stay as they are. An empty value clears an optional field. ' +
        'They cannot be changed while an operation is open at the service, because its outcome has to be found there.',
      needsFreshProof: true,
      body: UpdatePaymentService,
      responses: { 200: PaymentService },
      handler: (call) =>
        updatePaymentService(scopeOf(call), needs, call.params.payment_service_id, call.body),
    }),

    operation({
      id: 'delete_payment_service',
      route: 'DELETE /payment-services/:payment_service_id',
      summary: 'Delete payment service',
      description:
        'Its payments can no longer be captured or refunded. We keep asking for the outcome of open operations, ' +
        'and its holds are released by `void` or when they expire. Tokens that it has given for stored payment ' +
        'methods stay at the provider until you delete them or the methods. Then the secrets leave the ' +
        'vault. To stop only new payments, set `active` to false.',
      needsFreshProof: true,
      responses: { 204: null },
      handler: (call) => deletePaymentService(scopeOf(call), needs.vault, call.params.payment_service_id),
    }),
  ]
}

/** Operations that ask the provider. */
function providerRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'register_payment_service_notifications',
      route: 'POST /payment-services/:payment_service_id/notifications',
      summary: 'Register payment service notifications',
      description:
        'Tells the provider to send its notifications to the `webhook_url` of the service, and keeps the fields that it ' +
        'gives for them, such as the secret that signs them. It can be repeated. Not every provider can be told so: ' +
        'enter the address in its own settings then.',
      needsFreshProof: true,
      errors: ['gateway_timeout', 'bad_gateway'],
      responses: { 200: PaymentService },
      handler: (call) =>
        registerNotifications(scopeOf(call), call.once, needs, call.params.payment_service_id),
    }),

    operation({
      id: 'create_payment_service_session',
      route: 'POST /payment-services/:payment_service_id/sessions',
      summary: 'Create payment service session',
      description:
        'For providers whose script in the browser needs a session. ' +
        'A refusal of the provider is answered with `status` `failed`.',
      scope: 'transactions.write',
      body: CreatePaymentServiceSession,
      errors: ['gateway_timeout', 'bad_gateway'],
      responses: { 200: PaymentServiceSession },
      handler: (call) =>
        createServiceSession(scopeOf(call), call.once, needs, {
          id: call.params.payment_service_id,
          payload: call.body,
        }),
    }),
  ]
}

type SessionNeeds = { readonly vault: Vault; readonly providers: Providers }

/** A session at the provider, with the merchant's own account there. */
async function createServiceSession(
  scope: Scope,
  once: Once,
  { vault, providers }: SessionNeeds,
  { id, payload }: { readonly id: string; readonly payload: Readonly<Record<string, unknown>> },
): Promise<Finished<PaymentServiceSession>> {
  const service = orNotFound(await paymentServices.find(scope, id))
  const connector = definitionOf(providers.connectors, service.payment_service_definition_id)
  const session = await openSession(providers, connector, {
    fields: () => openFields(scope, vault, service, paymentServices.KIND),
    payload,
  })
  return inFinalTransaction(scope, once, async () => session)
}

/**
 * No new payment uses the service. Open attempts are still inquired about, so a job removes its secrets
 * later. The row stays for the books.
 */
export function deletePaymentService(scope: Scope, vault: Vault, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const service = orNotFound(await paymentServices.lock(tx, id))
    for (const token of Object.values(service.reporting_secrets)) await vault.remove(tx.db, scope, token)
    await paymentServices.markDeleted(tx, service, { reporting_secrets: {} })
    await recordChange(tx, paymentServices.KIND, 'deleted', service)
  })
}
