import { adyenConnectors } from '#connectors/adyen/connectors.ts'
import type { AntiFraudConnector } from '#connectors/contract/anti-fraud.ts'
import type { Connector } from '#connectors/contract/connector.ts'
import type { GiftCardConnector } from '#connectors/contract/gift-card.ts'
import type { AccountManifest } from '#connectors/contract/manifest.ts'
import type { OptionSchema } from '#connectors/contract/option-schemas.ts'
import { payPalConnectors } from '#connectors/paypal/connectors.ts'
import { stripeConnectors } from '#connectors/stripe/connectors.ts'
import { switchyardGiftCard } from '#connectors/switchyard-gift-card/connector.ts'
import { mockAntiFraud } from '#sandbox/connectors/mock-anti-fraud/connector.ts'
import { mockCard } from '#sandbox/connectors/mock-card/connector.ts'
import { mockGiftCard } from '#sandbox/connectors/mock-gift-card/connector.ts'
import { mockPayPal } from '#sandbox/connectors/mock-paypal/connector.ts'
import { type Installed, loadPackages, type OutsidePackage } from './outside/load-packages.ts'
import { offeredIn, type Refuses } from './service-accounts/registry.ts'

/** Every connector of this version, by kind of provider. */
const CONNECTORS: readonly Connector[] = [
  mockCard,
  mockPayPal,
  ...adyenConnectors,
  ...stripeConnectors,
  ...payPalConnectors,
]
const GIFT_CARD_CONNECTORS: readonly GiftCardConnector[] = [mockGiftCard, switchyardGiftCard]
const ANTI_FRAUD_CONNECTORS: readonly AntiFraudConnector[] = [mockAntiFraud]

const BUILT_IN = 'this version of Switchyard'

/** Loads packages of connectors, none of which may have the id of another connector. */
export function loadOutside(
  installed: Installed | null,
  secrets: readonly string[] = [],
): Promise<OutsidePackage[]> {
  const own = [...CONNECTORS, ...GIFT_CARD_CONNECTORS, ...ANTI_FRAUD_CONNECTORS]
  const taken = new Map(own.map(({ manifest }) => [manifest.id, BUILT_IN]))
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

/** What requests may say to each connector, by its id. Simulators are described in production, too. */
export function connectionOptions(): ReadonlyMap<string, OptionSchema> {
  isDescribed = true
  const all = [
    ...CONNECTORS,
    ...GIFT_CARD_CONNECTORS,
    ...ANTI_FRAUD_CONNECTORS,
    ...admitted.flatMap(({ connectors, giftCards, antiFraud }) => [
      ...connectors,
      ...giftCards,
      ...antiFraud,
    ]),
  ]
  return byId(
    all.map(({ manifest }) => manifest),
    ({ options }) => options,
  )
}

export function payoutOptions(): ReadonlyMap<string, OptionSchema> {
  isDescribed = true
  return byId(
    [...CONNECTORS, ...admitted.flatMap(({ connectors }) => connectors)].map(({ manifest }) => manifest),
    (manifest) => manifest.payoutOptions,
  )
}

function byId<Described extends AccountManifest>(
  manifests: readonly Described[],
  read: (manifest: Described) => OptionSchema | undefined,
) {
  return new Map(
    manifests.flatMap((manifest) => {
      const options = read(manifest)
      return options ? [[manifest.id, options] as const] : []
    }),
  )
}

/** The connectors that an installation offers: a registry for each kind of provider. */
export type Registries = ReturnType<typeof registriesFor>

export function registriesFor(environment: 'sandbox' | 'production', packages = admitted, refuses?: Refuses) {
  const [connectors, giftCards, antiFraud] = [
    packages.flatMap((one) => one.connectors),
    packages.flatMap((one) => one.giftCards),
    packages.flatMap((one) => one.antiFraud),
  ]
  return {
    connectors: offeredIn(environment, [...CONNECTORS, ...connectors], refuses),
    giftCards: offeredIn(environment, [...GIFT_CARD_CONNECTORS, ...giftCards], refuses),
    antiFraud: offeredIn(environment, [...ANTI_FRAUD_CONNECTORS, ...antiFraud], refuses),
  } as const
}
