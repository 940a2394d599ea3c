import { sql } from 'kysely'
import type { Link, Remembered } from '#connectors/contract/connector.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    service_memories: { key: Buffer; service_id: string; value: Buffer; expires_at: Date }
  }
}

const PURPOSE = 'service-memory'
/** With what sealing adds, this fits into the column. */
const VALUE_MAX = 60_000
/** A value that is about to end would end while the provider is asked. */
const MARGIN_MS = 30_000

type Service = { readonly id: string }

/** Requests of this process that need the same value at the same time find or make it once. */
const finding = new Map<string, Promise<string>>()

/**
 * What providers lend a service, for all processes. It is bound to the service's credentials: with other ones it is made
 * again. If the database does not answer, the value is made again, too: a payment does not fail because of it.
 */
export function memoryOf(
  scope: Scope,
  secrets: Secrets,
  { id }: Service,
  fields: Link['fields'],
): Pick<Link, 'remember' | 'forget'> {
  const credentials = JSON.stringify(Object.entries(fields).toSorted())
  const keyOf = (name: string) => secrets.mac(PURPOSE, JSON.stringify([id, name, credentials]))
  return {
    remember: (name, make) => {
      const key = keyOf(name)
      const place = key.toString('hex')
      const begun = finding.get(place) ?? findOrMake(scope, secrets, { key, id, make })
      finding.set(place, begun)
      return begun.finally(() => finding.delete(place))
    },
    forget: async (name) => {
      await sql`delete from service_memories where key = ${keyOf(name)}`.execute(scope.db).catch(() => {})
    },
  }
}

async function find(scope: Scope, secrets: Secrets, key: Buffer): Promise<string | null> {
  const soon = new Date(realTime(scope.clock).getTime() + MARGIN_MS)
  const { rows } = await sql<{ value: Buffer }>`
    select value from service_memories where key = ${key} and expires_at > ${soon}
  `.execute(scope.db)
  return rows[0] ? secrets.open(PURPOSE, key.toString('hex'), rows[0].value) : null
}

async function findOrMake(
  scope: Scope,
  secrets: Secrets,
  { key, id, make }: { key: Buffer; id: string; make: () => Promise<Remembered> },
): Promise<string> {
  const known = await find(scope, secrets, key).catch(() => null)
  if (known !== null) return known
  const { value, expiresAt } = await make()
  if (value.length <= VALUE_MAX) {
    const sealed = secrets.seal(PURPOSE, key.toString('hex'), value)
    await sql`
      insert into service_memories (key, service_id, value, expires_at)
      values (${key}, ${id}, ${sealed}, ${expiresAt})
      on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at
    `
      .execute(scope.db)
      .catch(() => {})
  }
  return value
}

/** For the job. */
export async function removeOldMemories({ db, clock }: Context): Promise<void> {
  await sql`delete from service_memories where expires_at <= ${realTime(clock)}`.execute(db)
}
