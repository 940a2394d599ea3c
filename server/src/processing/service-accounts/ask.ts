import type { Unknown } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '../engine.ts'
import { askProvider, lineFor } from '../provider.ts'
import { memoryOf, openFields, unlessGone } from './fields.ts'
import type { Described } from './registry.ts'
import type { Names, ServiceRow } from './store.ts'

type Kind = Parameters<typeof openFields>[3] & Pick<Names, 'type'>

/** An account at a provider, and its connector. Without an account, only a simulator can be asked. */
export type ServiceAt<Connector extends Described, Row extends ServiceRow> = {
  readonly service: Row | null
  readonly connector: Connector
}

type Question<Connector extends Described, Row extends ServiceRow, Result> = {
  readonly kind: Kind
  readonly at: ServiceAt<Connector, Row>
  /** The connector's function, for measures. */
  readonly act: string
  readonly ask: (link: Parameters<Parameters<typeof askProvider>[1]>[1]) => Promise<Result>
}

/** Asks with the fields of an account. Undefined: it was deleted, and its secrets are gone. */
export async function askService<Connector extends Described, Row extends ServiceRow, Result>(
  scope: Scope,
  { vault, secrets, providers }: Pick<Engine, 'vault' | 'secrets' | 'providers'>,
  { kind, at: { service, connector }, act, ask }: Question<Connector, Row, Result>,
): Promise<Result | Unknown | undefined> {
  const fields = service ? await openFields(scope, vault, service, kind).catch(unlessGone) : {}
  if (!fields) return undefined
  const line = lineFor(providers, { connector: connector.manifest.id, act })
  const memory = service ? { memory: memoryOf(scope, secrets, service, fields) } : {}
  return askProvider(line, (_order: null, link) => ask(link), null, { fields, options: {}, ...memory })
}
