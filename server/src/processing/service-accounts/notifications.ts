import type { FastifyInstance } from 'fastify'
import type { Link, Message } from '#connectors/contract/connector.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { isId, isSameKey, serveIncoming } from '#platform/http/incoming.ts'
import { failTogether } from '#platform/process/jobs.ts'
import type { Engine } from '../engine.ts'
import { askProvider } from '../provider.ts'
import { memoryOf, openFields, type RecordChange } from './fields.ts'
import type { CountOpen, Names, ServiceRow } from './store.ts'

/** The URL to which the provider of a service sends its notifications. Its last part cannot be guessed. */
export function notificationUrl(
  { secrets, publicUrl }: { readonly secrets: Secrets; readonly publicUrl: string },
  { type }: Pick<Names, 'type'>,
  id: string,
): string {
  return `${publicUrl}/${type}s/${id}/notifications/${keyOf(secrets, type, id)}`
}

function keyOf(secrets: Secrets, type: string, id: string): string {
  return secrets.mac(`${type}-notifications`, id).toString('base64url')
}

type Reading<Item> =
  | {
      readonly outcome: 'read'
      readonly notifications: readonly Item[]
      readonly acknowledgement?: string
      readonly unread?: readonly string[]
    }
  | { readonly outcome: 'rejected'; readonly message: string }

/** The part of a service that we need to work with it. */
type Service = Omit<ServiceRow, 'active' | 'created_at'>

type Kind = Pick<Names, 'type'> & {
  readonly record: RecordChange
  readonly countOpenAt?: CountOpen
  readonly find: (scope: Scope, id: string) => Promise<ServiceRow | undefined>
}

type Needs<Found extends Service, Read> = {
  readonly engine: Engine
  readonly context: Context
  readonly findMany: (context: Context, ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>
  /** The function of the service's connector. Undefined if the connector has none. */
  readonly readerOf: (
    service: Found,
  ) => ((message: Message, link: Link) => Promise<Reading<Read>>) | undefined
  /** Returns whether it knows the subject of the notification. */
  readonly take: (scope: Scope, service: Found, read: Read) => Promise<boolean>
  /** Whether a deleted service takes notifications although nothing is open there. */
  readonly isHeardAfterDeletion?: (scope: Scope, service: Found) => Promise<boolean>
}

const UNREAD =
  'a provider sends messages of a kind that this version does not read: stop them at the provider, or ask for a version that reads them'
const REFUSED = 'a message of a provider was refused: if it goes on, compare its webhook with the service'
/** As many kinds are logged by one process, each once. */
const KINDS_MAX = 1_000

/**
 * Takes notifications of providers. The URL holds a key that cannot be guessed, and the connector checks the
 * message itself. A subject that `take` does not know is answered with 404, so that the provider sends the message
 * again.
 */
export function serveServiceNotifications<Found extends Service, Read>(
  app: FastifyInstance,
  kind: Kind,
  { engine, context, findMany, readerOf, take, isHeardAfterDeletion }: Needs<Found, Read>,
): void {
  const logged = new Set<string>()
  const logOnce = (facts: { readonly service_id: string; readonly kind: string }) => {
    const name = `${facts.service_id} ${facts.kind}`
    if (logged.has(name) || logged.size >= KINDS_MAX) return
    logged.add(name)
    app.log.warn(facts, UNREAD)
  }
  serveIncoming(app, `${kind.type}s`, async ({ id, key }, message) => {
    if (!isId(id) || !isSameKey(keyOf(engine.secrets, kind.type, id), key)) throw errors.notFound()
    const service = (await findMany(context, [id])).get(id)
    if (!service) throw errors.notFound()
    const scope = { ...context, merchantAccountId: service.merchant_account_id }
    if (service.deleted_at !== null && !(await isAwaited(scope, service))) throw errors.notFound()
    const taken = await takeMessage(scope, kind, { engine, readerOf, take }, { service, message })
    if (taken.outcome === 'rejected') {
      app.log.warn({ service_id: id, reason: taken.message }, REFUSED)
      throw errors.refused(taken.message)
    }
    for (const kind of taken.unread) logOnce({ service_id: id, kind })
    if (taken.outcome === 'unknown') throw errors.notFound()
    return taken.acknowledgement
  })

  /**
   * A deleted service still takes notifications: about open attempts, and about payments that are disputed or fail
   * later. Once its secrets are gone, it could not check them.
   */
  async function isAwaited(scope: Scope, service: Found): Promise<boolean> {
    if (!kind.countOpenAt) return false
    if (Object.keys(service.secrets).length > 0 || (await kind.countOpenAt(scope, service.id)) > 0)
      return true
    return (await isHeardAfterDeletion?.(scope, service)) ?? false
  }
}

type Taken =
  | {
      readonly outcome: 'taken' | 'unknown'
      readonly acknowledgement: string | null
      /** Kinds of messages that the connector does not know. */
      readonly unread: readonly string[]
    }
  | { readonly outcome: 'rejected'; readonly message: string }

/** Reads a message of a service's provider, and takes it. `unknown`: we know nothing of its subject. */
export async function takeMessage<Found extends Service, Read>(
  scope: Scope,
  kind: Omit<Kind, 'countOpenAt'>,
  { engine, readerOf, take }: Pick<Needs<Found, Read>, 'engine' | 'readerOf' | 'take'>,
  { service, message }: { readonly service: Found; readonly message: Message },
): Promise<Taken> {
  const ask = readerOf(service)
  if (!ask) return { outcome: 'rejected', message: 'Notifications are not expected.' }
  const fields = await openFields(scope, engine.vault, service, kind)
  const memory = memoryOf(scope, engine.secrets, service, fields)
  const reading = await askProvider(engine.providers, ask, message, { fields, options: {}, memory })
  if (reading.outcome === 'unknown') throw errors.unavailable()
  if (reading.outcome === 'rejected') return reading
  const { notifications, acknowledgement = null, unread = [] } = reading
  let isKnown = true
  const failures: unknown[] = []
  for (const notification of notifications) {
    // One that fails does not hold up the others. The provider sends all of them again.
    const taken = await take(scope, service, notification).catch((error: unknown) => failures.push(error))
    isKnown = taken === true && isKnown
  }
  failTogether(failures)
  return { outcome: isKnown ? 'taken' : 'unknown', acknowledgement, unread }
}
