import type { GiftCardConnector } from '../../../connectors/contract/gift-card.ts'
import { mockGiftCard } from '../../../connectors/mock-gift-card/connector.ts'
import { switchyardGiftCard } from '../../../connectors/switchyard-gift-card/connector.ts'

/** Every connector of gift cards of this version. */
const CONNECTORS: readonly GiftCardConnector[] = [mockGiftCard, switchyardGiftCard]

/** The connectors of gift cards that an installation offers. Handed in, so that tests bring their own. */
export type GiftCardConnectors = {
  readonly list: readonly GiftCardConnector[]
  readonly find: (id: string) => GiftCardConnector | undefined
}

/** A simulator makes balances up; it has no business where money is real. */
export function giftCardConnectorsFor(environment: 'sandbox' | 'production'): GiftCardConnectors {
  const isOffered = ({ manifest }: GiftCardConnector) => environment === 'sandbox' || !manifest.isSimulator
  return giftCardConnectorsOf(CONNECTORS.filter(isOffered))
}

export function giftCardConnectorsOf(list: readonly GiftCardConnector[]): GiftCardConnectors {
  const byId = new Map(list.map((connector) => [connector.manifest.id, connector]))
  return { list, find: (id) => byId.get(id) }
}
