import type { Connector, Link, SyncAnswer } from '#connectors/contract/connector.ts'
import type { Inquiry } from '#connectors/contract/orders.ts'
import { again, lost } from '#connectors/contract/requests.ts'

/**
 * An older page of Adyen says that keys live for 31 days at least; the page of today does not show a number. A week is
 * more than any lost answer needs.
 */
export const KEYS_LIVE_MS = 7 * 86_400_000

/**
 * Adyen has no way to look a payment up. It repeats its first answer when the same order comes under the same key. If
 * the order never arrived, Adyen carries it out now.
 */
export function syncBy(connector: Connector): Required<Connector>['sync'] {
  return async (inquiry: Inquiry, link: Link): Promise<SyncAnswer> => {
    const { operation, order, sentAt } = inquiry
    const replay = connector[operation] as ((order: object, link: Link) => Promise<SyncAnswer>) | undefined
    if (!replay || order === null) return lost('Adyen cannot be asked about this attempt')
    // After that, the order would be carried out a second time.
    if (link.now().getTime() - sentAt.getTime() >= KEYS_LIVE_MS) {
      return lost('Adyen may have forgotten the key of this attempt')
    }
    return replay(order, again(link))
  }
}
