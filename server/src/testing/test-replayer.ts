import type { Answer, Connector, Link } from '#connectors/contract/connector.ts'
import { NO_CAPABILITIES, type Patience } from '#connectors/contract/manifest.ts'
import type { Inquiry, Operation } from '#connectors/contract/orders.ts'

/** How long the provider of these tests keeps its idempotency keys. */
export const KEYS_LIVE_MS = 24 * 3_600_000

type Sent = { readonly operation: Operation; readonly order: unknown; readonly isReplay: boolean }

/**
 * A provider that can be asked only by sending the same order again. It records what it
 * got, with the secrets opened.
 */
export type Replayer = {
  readonly connector: Connector
  readonly sent: Sent[]
  /** Runs before the provider answers, and may fail as the network does. */
  meanwhile: (operation: Operation) => Promise<Answer | undefined>
  /** The same before it answers a replay. */
  meanwhileAgain: (operation: Operation) => Promise<Answer | undefined>
}

export function openReplayer(id = 'test-replayer', patience: Patience = {}): Replayer {
  const manifest = { ...manifestOf(id), patience }
  const replayer: Replayer = {
    sent: [],
    meanwhile: async () => undefined,
    meanwhileAgain: async () => undefined,
    connector: { manifest },
  }
  const act = (operation: Operation, isReplay = false) => {
    return async (order: { readonly attemptId: string }): Promise<Answer> => {
      const { attemptId } = order
      replayer.sent.push({ operation, order: opened(order), isReplay })
      const other = await replayer[isReplay ? 'meanwhileAgain' : 'meanwhile'](operation)
      return other ?? { outcome: 'approved', reference: `done-${attemptId}`, facts: {} }
    }
  }
  const sync = async ({ operation, order }: Inquiry, _link: Link): Promise<Answer> =>
    order ? act(operation, true)(order) : { outcome: 'unknown', reason: 'there is no order to send again' }
  const names = ['authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout'] as const
  const operations = Object.fromEntries(names.map((name) => [name, act(name)]))
  return Object.assign(replayer, { connector: { manifest, ...operations, sync } })
}

/** A copy that can be compared. */
function opened(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if ('use' in value && typeof value.use === 'function') return value.use(String)
  if (Array.isArray(value)) return value.map(opened)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, opened(inner)]))
}

function manifestOf(id: string): Connector['manifest'] {
  return {
    id,
    displayName: 'Test replayer',
    method: 'card',
    mode: 'card',
    instruments: ['card', 'network-token'],
    fields: [],
    reportingFields: [],
    currencies: 'all',
    countries: 'all',
    capabilities: {
      ...NO_CAPABILITIES,
      multipleCaptures: true,
      partialRefunds: true,
      threeDSecurePassThrough: true,
    },
    recovery: { by: 'replay', keysLiveMs: KEYS_LIVE_MS },
    isSimulator: true,
  }
}
