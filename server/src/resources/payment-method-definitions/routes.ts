import type { FastifyInstance } from 'fastify'
import { PAYMENT_METHODS } from '#domain/payment-method.ts'
import { serveIcons } from '#platform/http/assets.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { drawIcon } from './draw-icon.ts'
import { PaymentMethodDefinitions } from './schemas.ts'

const ICONS = '/assets/payment-methods'

export function paymentMethodDefinitionRoutes({ publicUrl }: { readonly publicUrl: string }): Operation[] {
  const items: PaymentMethodDefinitions['items'] = Object.entries(PAYMENT_METHODS).map(
    ([id, { name, longName }]) => ({
      id,
      method: id,
      display_name: name,
      long_display_name: longName,
      icon_url: `${publicUrl}${ICONS}/${id}.svg`,
    }),
  )
  return [
    operation({
      id: 'list_payment_method_definitions',
      route: 'GET /payment-method-definitions',
      tag: 'Payment method definitions',
      summary: 'List payment method definitions',
      description: 'Every payment method, with a name and an icon to show beside it.',
      scope: 'payment-method-definitions.read',
      concerns: 'merchant-account',
      isList: true,
      responses: { 200: PaymentMethodDefinitions },
      handler: async () => ({ items }),
    }),
  ]
}

export function servePaymentMethodIcons(app: FastifyInstance): void {
  serveIcons(app, ICONS, drawIcon)
}
