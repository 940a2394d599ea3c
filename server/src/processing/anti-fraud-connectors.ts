import type { AntiFraudConnector } from '../../../connectors/contract/anti-fraud.ts'
import { mockAntiFraud } from '../../../connectors/mock-anti-fraud/connector.ts'

/** Every anti-fraud connector of this version. */
const CONNECTORS: readonly AntiFraudConnector[] = [mockAntiFraud]

/** The anti-fraud connectors that an installation offers. Handed in, so that tests bring their own. */
export type AntiFraudConnectors = {
  readonly list: readonly AntiFraudConnector[]
  readonly find: (id: string) => AntiFraudConnector | undefined
}

/** A simulator makes decisions up; it has no business where money is real. */
export function antiFraudConnectorsFor(environment: 'sandbox' | 'production'): AntiFraudConnectors {
  const isOffered = ({ manifest }: AntiFraudConnector) => environment === 'sandbox' || !manifest.isSimulator
  return antiFraudConnectorsOf(CONNECTORS.filter(isOffered))
}

export function antiFraudConnectorsOf(list: readonly AntiFraudConnector[]): AntiFraudConnectors {
  const byId = new Map(list.map((connector) => [connector.manifest.id, connector]))
  return { list, find: (id) => byId.get(id) }
}
