import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { Providers } from '#processing/provider.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { listPaymentOptions } from './list.ts'
import { PaymentOptionRequest, PaymentOptions } from './schemas.ts'

type Needs = { readonly providers: Providers; readonly publicUrl: string }

export function paymentOptionRoutes({ providers, publicUrl }: Needs): Operation[] {
  return [
    operation({
      id: 'list_payment_options',
      route: 'POST /payment-options',
      tag: 'Payment options',
      summary: 'List payment options',
      description:
        'How a buyer can pay: the methods of the active payment services that take this payment, in their order, then the registered digital wallets that they take. A rule of the flow `checkout` may hide or reorder them. Fields that are left out exclude nothing.',
      scope: 'payment-options.read',
      embed: true,
      concerns: 'merchant-account',
      body: PaymentOptionRequest,
      check: ({ body }) => unknownCodes(body),
      responses: { 200: PaymentOptions },
      handler: (call) =>
        listPaymentOptions(
          scopeOf(call),
          call.once,
          { connectors: providers.connectors, publicUrl },
          call.body,
        ),
    }),
  ]
}
