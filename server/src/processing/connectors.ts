import type { Connector } from '../../../connectors/contract/connector.ts'
import { mockCard } from '../../../connectors/mock-card/connector.ts'

/** Every connector of this version. */
const CONNECTORS: readonly Connector[] = [mockCard]

/** The connectors that an installation offers. Handed in, so that tests bring their own. */
export type Connectors = {
  readonly list: readonly Connector[]
  readonly find: (id: string) => Connector | undefined
}

/** A simulator makes payments up; it has no business where money is real. */
export function connectorsFor(environment: 'sandbox' | 'production'): Connectors {
  return connectorsOf(CONNECTORS.filter(({ manifest }) => environment === 'sandbox' || !manifest.isSimulator))
}

export function connectorsOf(list: readonly Connector[]): Connectors {
  const byId = new Map(list.map((connector) => [connector.manifest.id, connector]))
  return { list, find: (id) => byId.get(id) }
}
