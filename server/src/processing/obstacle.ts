import type { Connector } from '#connectors/contract/connector.ts'
import type { OfferedToken } from '#connectors/contract/orders.ts'

/** Why a provider cannot take what a wallet or a scheme gave, in the words of its connector. Null: it can. */
export function obstacleTo(connector: Connector, offered: OfferedToken): string | null {
  try {
    const obstacle: unknown = connector.obstacleTo?.(offered) ?? null
    return obstacle === null || typeof obstacle === 'string' ? obstacle : UNCLEAR
  } catch {
    return UNCLEAR
  }
}

const UNCLEAR = 'the connector of this service could not say whether it takes this'
