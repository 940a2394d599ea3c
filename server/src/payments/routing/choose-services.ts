import type { Connector } from '#connectors/contract/connector.ts'
import type { InstrumentKind } from '#connectors/contract/orders.ts'
import type { Registry } from '#processing/service-accounts/registry.ts'

type Service = {
  readonly id: string
  readonly payment_service_definition_id: string
  readonly accepted_currencies: readonly string[]
  readonly accepted_countries: readonly string[]
}

export type Need = {
  readonly amount: number
  readonly currency: string
  /** An unknown country does not restrict the choice. */
  readonly country: string | null
  readonly instrument: InstrumentKind
  readonly intent: 'authorize' | 'capture'
  /** The buyer was authenticated outside of this service, and the provider must be told. */
  readonly needsThreeDSecure: boolean
  /**
   * Gift cards pay a part: the method's hold is captured only after they have paid, and released if they
   * fail.
   */
  readonly isSplit: boolean
  readonly isPartialAllowed: boolean
  /** If set, only the service that the merchant chose is considered. */
  readonly paymentServiceId: string | null
}

/** A payment service and its connector. */
export type Candidate<Chosen extends Service = Service> = {
  readonly service: Chosen
  readonly connector: Connector & Required<Pick<Connector, 'authorize'>>
}

/**
 * The services that can take a payment, in the order to ask them. `services` are sorted by position, then
 * age.
 */
export function chooseServices<Chosen extends Service>(
  services: readonly Chosen[],
  connectors: Registry<Connector>,
  need: Need,
): Candidate<Chosen>[] {
  return services.flatMap((service): Candidate<Chosen>[] => {
    const connector = connectors.find(service.payment_service_definition_id)
    if (!connector || !isAble(connector) || reasonToSkip(service, connectors, need)) return []
    return [{ service, connector }]
  })
}

function isAble(connector: Connector): connector is Candidate['connector'] {
  return connector.authorize !== undefined
}

/** Why a service cannot take a payment, as a word that its events show; undefined if it can. */
export function reasonToSkip(
  service: Service,
  connectors: Registry<Connector>,
  need: Need,
): string | undefined {
  const connector = connectors.find(service.payment_service_definition_id)
  if (!connector || !isAble(connector)) return 'definition_not_available'
  const { capabilities, instruments } = connector.manifest
  if (need.paymentServiceId !== null && service.id !== need.paymentServiceId) return 'other_service_named'
  if (!service.accepted_currencies.includes(need.currency)) return 'currency_not_accepted'
  if (need.country !== null && !service.accepted_countries.includes(need.country))
    return 'country_not_accepted'
  if (!instruments.includes(need.instrument)) return 'instrument_not_supported'
  if (need.amount === 0 && !capabilities.zeroAuthorization) return 'zero_amount_not_supported'
  if (need.isPartialAllowed && !capabilities.partialAuthorization)
    return 'partial_authorization_not_supported'
  if (need.needsThreeDSecure && !capabilities.threeDSecurePassThrough)
    return 'three_d_secure_data_not_supported'
  return canFinish(connector, need) ? undefined : 'capture_or_void_not_supported'
}

/** Whether the connector can finish the payment. Otherwise we do not begin it. */
function canFinish({ capture, void: release, manifest }: Connector, { intent, isSplit }: Need): boolean {
  if (isSplit && !release) return false
  const isDirect = manifest.capabilities.directCapture && !isSplit
  return intent === 'authorize' || isDirect || capture !== undefined
}
