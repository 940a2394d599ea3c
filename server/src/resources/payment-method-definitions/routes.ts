import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { describeMethod, type MethodKind, PAYMENT_METHODS } from '#domain/payment-method.ts'
import { serveIcons } from '#platform/http/assets.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { Nullable, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'

/**
 * One drawing for each kind of method, in a colour of the method's own: enough to tell methods apart in a
 * list, without trademarks of others.
 */
const DRAWINGS: Readonly<Record<MethodKind, string>> = {
  card: '<rect x="12" y="8.5" width="24" height="15" rx="2.5"/><path d="M12 13.5h24M16 19h5"/>',
  wallet:
    '<path d="M13 11.5h20a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H15a2 2 0 0 1-2-2v-10a2.5 2.5 0 0 1 2.5-2.5H31"/><circle cx="30.5" cy="17.5" r="1.2"/>',
  bank: '<path d="M13 13.5 24 8l11 5.5zM16 16.5v5M21.3 16.5v5M26.7 16.5v5M32 16.5v5M13 24h22"/>',
  'pay-later': '<circle cx="24" cy="16" r="8.5"/><path d="M24 11v5l3.5 2.5"/>',
  voucher: '<path d="M13 9.5h22v4a2.5 2.5 0 0 0 0 5v4H13v-4a2.5 2.5 0 0 0 0-5zM28 12v2M28 15.5v2M28 19v2"/>',
  crypto: '<path d="M24 7.5l7.5 4.3v8.4L24 24.5l-7.5-4.3v-8.4zM24 16l7.3-4.2M24 16v8.5M24 16l-7.3-4.2"/>',
  other:
    '<circle cx="17" cy="16" r="1.6"/><circle cx="24" cy="16" r="1.6"/><circle cx="31" cy="16" r="1.6"/>',
}

const PaymentMethodDefinition = Strict(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'The method’s identifier, as in `method` elsewhere.',
    }),
    method: Type.String({ minLength: 1, maxLength: 200 }),
    display_name: Type.String({ minLength: 1, maxLength: 200 }),
    long_display_name: Nullable(
      Type.String({ minLength: 1, maxLength: 200, description: 'Null if the short name is enough.' }),
    ),
    icon_url: Type.String({ format: 'uri' }),
  },
  {
    title: 'PaymentMethodDefinition',
    examples: [
      {
        id: 'sepa',
        method: 'sepa',
        display_name: 'SEPA',
        long_display_name: 'SEPA Direct Debit',
        icon_url: 'https://pay.example.com/assets/payment-methods/sepa.svg',
      },
    ],
  },
)

const PaymentMethodDefinitions = Strict(
  { items: Type.Array(PaymentMethodDefinition) },
  { title: 'PaymentMethodDefinitions' },
)
type PaymentMethodDefinitions = Static<typeof PaymentMethodDefinitions>

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

/** The icon of a method as SVG. Always the same. */
function drawIcon(name: string): string | undefined {
  const id = /^([\w-]+)[.]svg$/.exec(name)?.[1]
  const described = id === undefined ? undefined : describeMethod(id)
  if (id === undefined || !described) return undefined
  const { kind, name: title } = described
  const hue = hash('sha256', id, 'buffer').readUInt16BE(0) % 360
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 32" role="img"><title>${title}</title>`,
    `<rect width="48" height="32" rx="4" fill="hsl(${hue},45%,94%)"/>`,
    `<g fill="none" stroke="hsl(${hue},60%,34%)" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">`,
    `${DRAWINGS[kind]}</g></svg>`,
  ].join('')
}
