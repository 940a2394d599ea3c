import type { Context } from '#platform/database/db.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { Strict } from '#platform/http/schemas.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Providers } from '#processing/provider.ts'
import { listDefinitions } from '#processing/service-accounts/schemas.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import { openSession } from './open-session.ts'
import {
  CreatePaymentServiceSession,
  PaymentServiceDefinition,
  PaymentServiceDefinitionFilters,
  PaymentServiceDefinitionId,
  PaymentServiceDefinitions,
  PaymentServiceSession,
} from './schemas.ts'
import { showDefinition } from './show.ts'

const Path = Strict({ payment_service_definition_id: PaymentServiceDefinitionId })
const operation = operationsOf({
  tag: 'Payment service definitions',
  concerns: 'instance',
  scopes: 'payment-service-definitions',
})

type Needs = Pick<OperationNeeds, 'publicUrl' | 'providers'>

export function paymentServiceDefinitionRoutes({ publicUrl, providers }: Needs): Operation[] {
  return [
    operation({
      id: 'list_payment_service_definitions',
      route: 'GET /payment-service-definitions',
      summary: 'List payment service definitions',
      description: 'The providers for which a payment service can be created, and what each supports.',
      isList: true,
      query: PaymentServiceDefinitionFilters,
      responses: { 200: PaymentServiceDefinitions },
      handler: async ({ context, query }) => {
        const name = 'payment-service-definitions'
        const page = await listDefinitions(context, providers.connectors, query, name)
        return { ...page, items: page.items.map((connector) => showDefinition(connector, publicUrl)) }
      },
    }),

    operation({
      id: 'get_payment_service_definition',
      route: 'GET /payment-service-definitions/:payment_service_definition_id',
      summary: 'Get payment service definition',
      params: Path,
      responses: { 200: PaymentServiceDefinition },
      handler: async ({ params }) => {
        const connector = orNotFound(providers.connectors.find(params.payment_service_definition_id))
        return showDefinition(connector, publicUrl)
      },
    }),

    operation({
      id: 'create_payment_service_definition_session',
      route: 'POST /payment-service-definitions/:payment_service_definition_id/sessions',
      summary: 'Create payment service definition session',
      description:
        'For providers whose script in the browser needs a session before a payment service is chosen. ' +
        'A refusal of the provider is answered with `status` `failed`.',
      scope: 'transactions.write',
      params: Path,
      body: CreatePaymentServiceSession,
      errors: ['gateway_timeout', 'bad_gateway'],
      responses: { 200: PaymentServiceSession },
      handler: ({ context, once, params, body }) =>
        createDefinitionSession(context, once, providers, {
          id: params.payment_service_definition_id,
          payload: body,
        }),
    }),
  ]
}

/** A session that needs no account at the provider. */
async function createDefinitionSession(
  context: Context,
  once: Once,
  providers: Providers,
  { id, payload }: { readonly id: string; readonly payload: Readonly<Record<string, unknown>> },
): Promise<Finished<PaymentServiceSession>> {
  const connector = orNotFound(providers.connectors.find(id))
  const session = await openSession(providers, connector, { fields: async () => ({}), payload })
  return inFinalTransaction(context, once, async () => session)
}
