import { adyenConnectors } from '#connectors/adyen/connectors.ts'
import type { AntiFraudConnector } from '#connectors/contract/anti-fraud.ts'
import type { Connector } from '#connectors/contract/connector.ts'
import type { GiftCardConnector } from '#connectors/contract/gift-card.ts'
import type { AccountManifest } from '#connectors/contract/manifest.ts'
import type { OptionSchema } from '#connectors/contract/option-schemas.ts'
import { mockAntiFraud } from '#connectors/mock-anti-fraud/connector.ts'
import { mockCard } from '#connectors/mock-card/connector.ts'
import { mockGiftCard } from '#connectors/mock-gift-card/connector.ts'
import { mockPayPal } from '#connectors/mock-paypal/connector.ts'
import { payPalConnectors } from '#connectors/paypal/connectors.ts'
import { stripeConnectors } from '#connectors/stripe/connectors.ts'
import { switchyardGiftCard } from '#connectors/switchyard-gift-card/connector.ts'
import { offeredIn } from './service-accounts/registry.ts'

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

/** What requests may say to each connector, by its id. Simulators are described in production, too. */
export const CONNECTION_OPTIONS: ReadonlyMap<string, OptionSchema> = byId(
  [...CONNECTORS, ...GIFT_CARD_CONNECTORS, ...ANTI_FRAUD_CONNECTORS].map(({ manifest }) => manifest),
  ({ options }) => options,
)
export const PAYOUT_OPTIONS: ReadonlyMap<string, OptionSchema> = byId(
  CONNECTORS.map(({ manifest }) => manifest),
  ({ payoutOptions }) => payoutOptions,
)

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

export function registriesFor(environment: 'sandbox' | 'production') {
  return {
    connectors: offeredIn(environment, CONNECTORS),
    giftCards: offeredIn(environment, GIFT_CARD_CONNECTORS),
    antiFraud: offeredIn(environment, ANTI_FRAUD_CONNECTORS),
  } as const
}
