import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Connector } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, InstrumentKind, OfferedToken } from '#connectors/contract/orders.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import { obstacleTo } from '#processing/obstacle.ts'
import type { Registry } from '#processing/service-accounts/registry.ts'
import { lookUp } from '#resources/card-details/store.ts'
import type { ServiceEntry } from '#resources/flows/schemas.ts'
import type { StoredService } from '#resources/payment-services/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { type Document, instrumentKindOf } from '../document.ts'
import { amountForMethod } from '../state.ts'
import type { NewEvent } from '../store/events.ts'
import type { Row } from '../store/payments.ts'

type Card = { readonly payment_method_bin: string | null; readonly payment_method_scheme: string | null }

/** The services to ask, in order: those of the rule that routes the payment, or all of the account by position. */
export async function findCandidates(
  scope: Scope,
  { providers }: Engine,
  {
    services,
    need,
    route,
    card,
  }: {
    readonly services: readonly StoredService[]
    readonly need: Need
    readonly route: readonly ServiceEntry[] | null
    readonly card: Card
  },
): Promise<ChosenService[]> {
  const able = chooseServices(services, providers.connectors, need)
  if (!route) return able
  const secondScheme = route.some(isForSecondScheme) ? await findSecondScheme(scope, card) : null
  return route.flatMap((entry) => {
    const chosen = able.find(({ service }) => service.id === entry.payment_service_id)
    const isSecond = isForSecondScheme(entry)
    if (!chosen || (isSecond && secondScheme === null)) return []
    return [{ ...chosen, entry: { ...entry, secondScheme: isSecond ? secondScheme : null } }]
  })
}

function isForSecondScheme(entry: ServiceEntry): boolean {
  return hasTransformation(entry, 'use_additional_scheme')
}

async function findSecondScheme(scope: Scope, card: Card): Promise<string | null> {
  if (card.payment_method_bin === null) return null
  const { additionalSchemes } = await lookUp(scope, card.payment_method_bin)
  return additionalSchemes.find((scheme) => scheme !== card.payment_method_scheme) ?? null
}

type Payment = {
  readonly row: Pick<
    Row,
    'amount' | 'gift_card_amount' | 'currency' | 'country' | 'intent' | 'has_gift_card_redemptions'
  >
  readonly document: Pick<Document, 'instrument_type' | 'three_d_secure_data'>
  /** Whether money is held until a reviewer has decided. */
  readonly isForReview: boolean
  readonly isPartialAllowed: boolean
  readonly paymentServiceId: string | null
  readonly offered?: OfferedToken | null
}

/** What a service must be able to do to take the payment. */
export function needOf({
  row,
  document,
  isForReview,
  isPartialAllowed,
  paymentServiceId,
  offered = null,
}: Payment): Need {
  return {
    amount: amountForMethod(row),
    currency: row.currency,
    country: row.country,
    instrument: instrumentKindOf(document.instrument_type ?? 'pan'),
    offered,
    intent: row.intent,
    needsThreeDSecure: document.three_d_secure_data !== null,
    isSplit: row.has_gift_card_redemptions || isForReview,
    isPartialAllowed,
    paymentServiceId,
  }
}

type Sought = {
  readonly methods: readonly string[]
  readonly need: Need
  /** The entries of the rule that routes the payment. */
  readonly route: readonly ServiceEntry[] | null
}

/** Why no payment service could take a payment: one event for each service of the account. */
export async function explainSkips(
  scope: Scope,
  { providers }: Engine,
  { methods, need, route }: Sought,
): Promise<NewEvent[]> {
  const services = await paymentServices.listLive(scope)
  const isUsable = (service: paymentServices.StoredService) =>
    service.active && service.status === 'created' && methods.includes(service.method)
  const reasonOf = (service: paymentServices.StoredService): Skip => {
    if (!methods.includes(service.method)) return { reason: 'other_method' }
    if (!isUsable(service)) return { reason: 'inactive' }
    const skip = reasonToSkip(service, providers.connectors, need)
    if (skip !== undefined) return skip
    const entry = route?.find(({ payment_service_id }) => payment_service_id === service.id)
    if (!route) return { reason: 'added_since' }
    return { reason: entry ? 'no_second_scheme' : 'not_in_rule' }
  }
  const skipped = services.map((service): NewEvent => {
    const { reason, ...more } = reasonOf(service)
    return skippedBecause(service, reason, more)
  })
  if (services.some(isUsable)) return skipped
  const method = methods.join(' or ')
  const message = `this merchant account has no active payment service for ${method}`
  return [...skipped, { name: 'payment-service-missing', context: { method, message } }]
}

/** Services that cannot take what a wallet or a scheme gave, while others can. */
export function unableToTake(
  services: readonly StoredService[],
  connectors: Registry<Connector>,
  need: Need,
): NewEvent[] {
  if (need.offered === null) return []
  return services.flatMap((service) => {
    const { reason, ...more } = reasonToSkip(service, connectors, need) ?? {}
    return reason === 'instrument_not_supported' ? [skippedBecause(service, reason, more)] : []
  })
}

/** A rule wants network tokens, and the card has none for its services. */
export function withoutToken(candidates: readonly ChosenService[]): NewEvent[] {
  return candidates.map(({ service }) => skippedBecause(service, 'no_network_token'))
}

/** Why no other service is asked after a refusal, as words of the events of those services. */
export type Why = {
  readonly reason:
    | 'rule_does_not_retry'
    | 'provider_forbids_retry'
    | 'not_retriable'
    | 'scheme_advice'
    | 'scheme_limit'
    | 'out_of_time'
  /** The error code of the refusal. */
  readonly code: ErrorCode
}

/** Services that were not tried after another one had refused the payment. */
export function notTried(candidates: readonly ChosenService[], { reason, code }: Why): NewEvent[] {
  return candidates.map(({ service }) => skippedBecause(service, reason, { after_code: code }))
}

export function skippedBecause(
  service: Pick<paymentServices.StoredService, 'id' | 'display_name' | 'payment_service_definition_id'>,
  reason: string,
  more: Readonly<Record<string, unknown>> = {},
): NewEvent {
  return {
    name: 'payment-service-skipped',
    context: {
      payment_service_id: service.id,
      payment_service_display_name: service.display_name,
      payment_service_definition_id: service.payment_service_definition_id,
      reason,
      ...more,
    },
  }
}

/** An entry of a rule, with the scheme that it charges the card through, if that is not the first one. */
type RoutedEntry = ServiceEntry & { readonly secondScheme: string | null }

export type ChosenService = Candidate<StoredService> & {
  /** What the rule that chose the service says about it. */
  readonly entry?: RoutedEntry
}

/** The order as the rule wants it for this service. */
export function transformed(
  order: AuthorizeOrder,
  { entry }: { readonly entry?: RoutedEntry },
): AuthorizeOrder {
  if (!entry) return order
  const { instrument } = order
  return {
    ...order,
    ...(hasTransformation(entry, 'force_mit') && { isMerchantInitiated: true, threeDSecure: null }),
    ...(entry.secondScheme !== null &&
      instrument.kind === 'card' && { instrument: { ...instrument, scheme: entry.secondScheme } }),
  }
}

function hasTransformation(
  { transformations = [] }: ServiceEntry,
  wanted: NonNullable<ServiceEntry['transformations']>[number]['name'],
): boolean {
  return transformations.some(({ name }) => name === wanted)
}

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
  /** What a wallet or a scheme gave for it. Null: a number, or what the payment presents is not known yet. */
  readonly offered: OfferedToken | null
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
type Candidate<Chosen extends Service = Service> = {
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

/** A word for its events and, where the connector says more, its sentence. */
type Skip = { readonly reason: string; readonly message?: string }

/** Why a service cannot take a payment; undefined if it can. */
export function reasonToSkip(
  service: Service,
  connectors: Registry<Connector>,
  need: Need,
): Skip | undefined {
  const connector = connectors.find(service.payment_service_definition_id)
  if (!connector || !isAble(connector)) return { reason: 'definition_not_available' }
  const reason = inability(service, connector, need)
  if (reason !== undefined) return { reason }
  const message = need.offered && obstacleTo(connector, need.offered)
  return message === null ? undefined : { reason: 'instrument_not_supported', message }
}

function inability(service: Service, connector: Connector, need: Need): string | undefined {
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
