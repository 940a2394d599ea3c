import { adyenConnectors } from '#connectors/adyen/connectors.ts'
import { checkoutAccountUpdater } from '#connectors/checkout/account-updater.ts'
import { checkoutConnectors } from '#connectors/checkout/connectors.ts'
import { checkoutNetworkToken } from '#connectors/checkout/network-tokens.ts'
import { type ConnectorKind, KINDS } from '#connectors/contract/check-connector.ts'
import type { Connector } from '#connectors/contract/connector.ts'
import type { OptionSchema } from '#connectors/contract/option-schemas.ts'
import { cybersourceConnectors } from '#connectors/cybersource/connectors.ts'
import { goCardlessConnectors } from '#connectors/gocardless/connectors.ts'
import { mollieConnectors } from '#connectors/mollie/connectors.ts'
import { payPalConnectors } from '#connectors/paypal/connectors.ts'
import { siftConnectors } from '#connectors/sift/connector.ts'
import { signifyd } from '#connectors/signifyd/connector.ts'
import { SIMULATORS } from '#connectors/simulators/options.ts'
import { stripeConnectors } from '#connectors/stripe/connectors.ts'
import { switchyardGiftCard } from '#connectors/switchyard-gift-card/connector.ts'
import { worldpayConnectors, worldpayThreeDSConnectors } from '#connectors/worldpay/connectors.ts'
import { worldpayNetworkToken } from '#connectors/worldpay/network-tokens.ts'
import { type Installed, idsOf, loadPackages, type OutsidePackage } from './outside/load-packages.ts'
import { type Described, offeredIn, type Refuses } from './service-accounts/registry.ts'

/** Connectors, by kind of provider. */
type Offer = Pick<OutsidePackage, ConnectorKind>

const CONNECTORS: readonly Connector[] = [
  ...adyenConnectors,
  ...stripeConnectors,
  ...payPalConnectors,
  ...checkoutConnectors,
  ...worldpayConnectors,
  ...cybersourceConnectors,
  ...mollieConnectors,
  ...goCardlessConnectors,
]

/** Every connector of this version. A sandbox has simulators besides. */
const BUILT: Offer = {
  connectors: CONNECTORS,
  giftCards: [switchyardGiftCard],
  antiFraud: [...siftConnectors, signifyd],
  threeDSecure: worldpayThreeDSConnectors,
  accountUpdaters: [checkoutAccountUpdater],
  networkTokens: [checkoutNetworkToken, worldpayNetworkToken],
}

const BUILT_IN = 'this version of Switchyard'

/** Loads packages of connectors, none of which may have the id of another connector. */
export function loadOutside(
  installed: Installed | null,
  secrets: readonly string[] = [],
): Promise<OutsidePackage[]> {
  const own = [...idsOf(BUILT), ...SIMULATORS.map(({ id }) => id)]
  const taken = new Map(own.map((id) => [id, BUILT_IN]))
  return installed ? loadPackages(installed, { taken, secrets }) : Promise.resolve([])
}

let admitted: readonly OutsidePackage[] = []
let isDescribed = false

/** Offers the connectors of packages in this process. Only before the API is put together, which describes their options. */
export function admit(packages: readonly OutsidePackage[]): void {
  if (isDescribed && packages.length > 0)
    throw new Error('connectors of packages must be admitted before the service is loaded')
  admitted = packages
}

type WithOptions = {
  readonly id: string
  readonly options?: OptionSchema
  readonly payoutOptions?: OptionSchema
}

/** What requests may say to each connector, by its id. Simulators are described in production, too. */
export function connectionOptions(): ReadonlyMap<string, OptionSchema> {
  return byId(allOf([BUILT, ...admitted]), ({ options }) => options)
}

export function payoutOptions(): ReadonlyMap<string, OptionSchema> {
  return byId(allOf([BUILT, ...admitted]), (manifest) => manifest.payoutOptions)
}

function byId(
  connectors: readonly { readonly manifest: WithOptions }[],
  read: (manifest: WithOptions) => OptionSchema | undefined,
): ReadonlyMap<string, OptionSchema> {
  isDescribed = true
  const manifests: WithOptions[] = [...SIMULATORS, ...connectors.map(({ manifest }) => manifest)]
  return new Map(
    manifests.flatMap((manifest) => {
      const options = read(manifest)
      return options ? [[manifest.id, options] as const] : []
    }),
  )
}

function allOf(offers: readonly Offer[]) {
  return offers.flatMap((offer) => KINDS.flatMap((kind): readonly Described[] => offer[kind]))
}

type Others = {
  /** Those of a sandbox. */
  readonly simulators?: Offer | undefined
  readonly packages?: readonly OutsidePackage[]
  readonly refuses?: Refuses
}

/** The connectors that an installation offers: a registry for each kind of provider. */
export type Registries = ReturnType<typeof registriesFor>

export function registriesFor(
  environment: 'sandbox' | 'production',
  { simulators, packages = admitted, refuses }: Others = {},
) {
  const offers = [...(simulators ? [simulators] : []), BUILT, ...packages]
  const offered = <Connector extends Described>(pick: (offer: Offer) => readonly Connector[]) =>
    offeredIn(environment, offers.flatMap(pick), refuses)
  return {
    connectors: offered(({ connectors }) => connectors),
    giftCards: offered(({ giftCards }) => giftCards),
    antiFraud: offered(({ antiFraud }) => antiFraud),
    threeDSecure: offered(({ threeDSecure }) => threeDSecure),
    accountUpdaters: offered(({ accountUpdaters }) => accountUpdaters),
    networkTokens: offered(({ networkTokens }) => networkTokens),
  } as const
}
