import { describeMethod, PAYMENT_METHODS } from '#domain/payment-method.ts'
import type { Scope } from '#platform/database/db.ts'
import { Nullable, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import type { Registries } from '#processing/connectors.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { Place } from './vocabulary.ts'

const FlowOutcomeOption = Strict(
  {
    type: OneOf(['action', 'transaction-route', 'outcome'], {
      description: 'A payment method, a payment service for cards, or anything else.',
    }),
    id: Type.String({ description: 'What an outcome names.' }),
    label: Type.String(),
    active: Type.Boolean({ description: 'Whether a payment can come to it today.' }),
    icon_url: Nullable(Type.String({ format: 'uri' })),
    group: Type.Optional(Nullable(Type.String())),
    countries: Type.Optional(Type.Array(Type.String())),
    currencies: Type.Optional(Type.Array(Type.String())),
    instruments: Type.Optional(Type.Array(OneOf(['network_token', 'pan']))),
    transformations: Type.Optional(
      Type.Array(Strict({ name: OneOf(['force_mit', 'use_additional_scheme']) })),
    ),
    network_tokens_enabled: Type.Optional(Type.Boolean()),
    open_loop: Type.Optional(Type.Boolean()),
  },
  { title: 'FlowOutcomeOption' },
)

export const FlowOutcomeOptions = Strict(
  { items: Type.Array(FlowOutcomeOption) },
  {
    title: 'FlowOutcomeOptions',
    examples: [
      {
        items: [
          {
            type: 'transaction-route',
            id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0011',
            label: 'Mock cards',
            active: true,
            icon_url: null,
            countries: ['DE', 'US'],
            currencies: ['EUR', 'USD'],
            instruments: ['network_token', 'pan'],
            transformations: [{ name: 'force_mit' }, { name: 'use_additional_scheme' }],
            network_tokens_enabled: false,
            open_loop: false,
          },
        ],
      },
    ],
  },
)
export type FlowOutcomeOptions = Static<typeof FlowOutcomeOptions>

type Needs = { readonly connectors: Registries['connectors']; readonly publicUrl: string }
type Option = FlowOutcomeOptions['items'][number]

/** What a rule of this place can decide, for people who write one. */
export async function listOutcomes(
  scope: Scope,
  needs: Needs,
  { flow, action }: Place,
): Promise<FlowOutcomeOptions> {
  switch (action) {
    case 'decline-early':
      return { items: [fixed('decline', 'Decline the payment')] }
    case 'skip-3ds':
      return {
        items: [
          fixed('attempt', 'Authenticate if the service is set up for it'),
          fixed('force', 'Always authenticate'),
          fixed('skip', 'Never authenticate'),
        ],
      }
    case 'select-payment-options':
      return { items: await methodOptions(scope, needs) }
    case 'route-transaction': {
      const services = await paymentServices.listLive(scope)
      const own = services.filter(({ method }) => (method === 'card') === (flow === 'card-transaction'))
      return { items: own.map((service) => serviceOption(service, needs, flow === 'card-transaction')) }
    }
  }
}

function fixed(id: string, label: string): Option {
  return { type: 'outcome', id, label, active: true, icon_url: null }
}

async function methodOptions(scope: Scope, { publicUrl }: Needs): Promise<Option[]> {
  const active = new Set(
    (await paymentServices.listLive(scope)).flatMap((service) => (service.active ? [service.method] : [])),
  )
  return Object.entries(PAYMENT_METHODS).map(([id, { name, kind }]) => ({
    type: 'action',
    id,
    label: name,
    active: active.has(id),
    group: kind,
    icon_url: iconOf(id, publicUrl),
  }))
}

function serviceOption(
  service: paymentServices.StoredService,
  { connectors, publicUrl }: Needs,
  isForCards: boolean,
): Option {
  const { id, display_name: label, active, accepted_countries, accepted_currencies, method } = service
  const own = { id, label, active, icon_url: iconOf(method, publicUrl) }
  const accepted = { countries: accepted_countries, currencies: accepted_currencies }
  if (!isForCards) return { type: 'outcome', ...own, ...accepted }
  const takes = connectors.find(service.payment_service_definition_id)?.manifest.instruments ?? []
  return {
    type: 'transaction-route',
    ...own,
    ...accepted,
    instruments: [
      ...(takes.includes('network-token') ? (['network_token'] as const) : []),
      ...(takes.includes('card') ? (['pan'] as const) : []),
    ],
    transformations: [{ name: 'force_mit' }, { name: 'use_additional_scheme' }],
    network_tokens_enabled: service.network_tokens_enabled,
    open_loop: service.open_loop,
  }
}

function iconOf(method: string, publicUrl: string): string | null {
  return describeMethod(method) ? `${publicUrl}/assets/payment-methods/${method}.svg` : null
}
