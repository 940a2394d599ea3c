import { adyenConnectors } from '#connectors/adyen/connectors.ts'
import { checkoutConnectors } from '#connectors/checkout/connectors.ts'
import type { AntiFraudConnector } from '#connectors/contract/anti-fraud.ts'
import type { Connector } from '#connectors/contract/connector.ts'
import type { GiftCardConnector } from '#connectors/contract/gift-card.ts'
import type { OptionSchema } from '#connectors/contract/option-schemas.ts'
import { payPalConnectors } from '#connectors/paypal/connectors.ts'
import { siftConnectors } from '#connectors/sift/connector.ts'
import { SIMULATORS } from '#connectors/simulators/options.ts'
import { stripeConnectors } from '#connectors/stripe/connectors.ts'
import { switchyardGiftCard } from '#connectors/switchyard-gift-card/connector.ts'
import { type Installed, loadPackages, type OutsidePackage } from './outside/load-packages.ts'
import { offeredIn, type Refuses } from './service-accounts/registry.ts'

/** Every connector of this version, by kind of provider. A sandbox has simulators besides. */
const CONNECTORS: readonly Connector[] = [
  ...adyenConnectors,
  ...stripeConnectors,
  ...payPalConnectors,
  ...checkoutConnectors,
]
const GIFT_CARD_CONNECTORS: readonly GiftCardConnector[] = [switchyardGiftCard]

const ANTI_FRAUD_CONNECTORS: readonly AntiFraudConnector[] = siftConnectors

const BUILT_IN = 'this version of Switchyard'

/** Loads packages of connectors, none of which may have the id of another connector. */
export function loadOutside(
  installed: Installed | null,
  secrets: readonly string[] = [],
): Promise<OutsidePackage[]> {
  const own = [...CONNECTORS, ...GIFT_CARD_CONNECTORS, ...ANTI_FRAUD_CONNECTORS].map(
    ({ manifest }) => manifest,
  )
  const taken = new Map([...own, ...SIMULATORS].map(({ id }) => [id, BUILT_IN]))
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
  const packages = admitted.flatMap(({ connectors, giftCards, antiFraud }) => [
    ...connectors,
    ...giftCards,
    ...antiFraud,
  ])
  return byId([...CONNECTORS, ...GIFT_CARD_CONNECTORS, ...packages], ({ options }) => options)
}

export function payoutOptions(): ReadonlyMap<string, OptionSchema> {
  const packages = admitted.flatMap(({ connectors }) => connectors)
  return byId([...CONNECTORS, ...packages], (manifest) => manifest.payoutOptions)
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

/** Connectors, by kind of provider. */
type Offer = Pick<OutsidePackage, 'connectors' | 'giftCards' | 'antiFraud'>

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
  const built: Offer = {
    connectors: CONNECTORS,
    giftCards: GIFT_CARD_CONNECTORS,
    antiFraud: ANTI_FRAUD_CONNECTORS,
  }
  const offers = [...(simulators ? [simulators] : []), built, ...packages]
  return {
    connectors: offeredIn(
      environment,
      offers.flatMap(({ connectors }) => connectors),
      refuses,
    ),
    giftCards: offeredIn(
      environment,
      offers.flatMap(({ giftCards }) => giftCards),
      refuses,
    ),
    antiFraud: offeredIn(
      environment,
      offers.flatMap(({ antiFraud }) => antiFraud),
      refuses,
    ),
  } as const
}
