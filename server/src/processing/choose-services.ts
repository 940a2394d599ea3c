import type { Connector } from '../../../connectors/contract/connector.ts'
import type { InstrumentKind } from '../../../connectors/contract/orders.ts'
import type { Connectors } from './connectors.ts'

type Service = {
  readonly id: string
  readonly payment_service_definition_id: string
  readonly accepted_currencies: readonly string[]
  readonly accepted_countries: readonly string[]
}

type Need = {
  readonly amount: number
  readonly currency: string
  /** Unknown countries pass. */
  readonly country: string | null
  readonly instrument: InstrumentKind
  readonly isPartialAllowed: boolean
  /** The merchant's own choice skips all others. */
  readonly paymentServiceId: string | null
}

/** A payment service with the connector that speaks to its provider. */
export type Candidate<Chosen extends Service = Service> = {
  readonly service: Chosen
  readonly connector: Connector & Required<Pick<Connector, 'authorize'>>
}

/** The services that can take a payment, in the order in which they are asked. `services` come by position, then age. */
export function chooseServices<Chosen extends Service>(
  services: readonly Chosen[],
  connectors: Connectors,
  need: Need,
): Candidate<Chosen>[] {
  return services.flatMap((service): Candidate<Chosen>[] => {
    const connector = connectors.find(service.payment_service_definition_id)
    if (!connector || !isAble(connector) || !suits(service, connector, need)) return []
    return [{ service, connector }]
  })
}

function isAble(connector: Connector): connector is Candidate['connector'] {
  return connector.authorize !== undefined
}

function suits(service: Service, { manifest }: Connector, need: Need): boolean {
  const { capabilities, instruments } = manifest
  if (need.paymentServiceId !== null && service.id !== need.paymentServiceId) return false
  if (!service.accepted_currencies.includes(need.currency)) return false
  if (need.country !== null && !service.accepted_countries.includes(need.country)) return false
  if (!instruments.includes(need.instrument)) return false
  if (need.amount === 0 && !capabilities.zeroAuthorization) return false
  return !need.isPartialAllowed || capabilities.partialAuthorization
}
