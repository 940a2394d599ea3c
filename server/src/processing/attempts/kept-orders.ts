import { sql } from 'kysely'
import type { Connector } from '#connectors/contract/connector.ts'
import { type Context, inTransaction, type Scope, type Tables, type Tx } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'
import { ItemGone, Masked, type Vault } from '#vault'
import type { Attempt } from './store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    attempt_orders: {
      attempt_id: string
      merchant_account_id: string
      order_token: string | null
      code_token: string | null
      /** Real time, as are the ends: a provider knows no other. */
      sent_at: Date
      code_until: Date
      order_until: Date
    }
  }
}

/** How long the vault keeps a security code whose payment is undecided. The first two inquiries fall into this time. */
const CODE_MS = 10 * 60_000
/** A replay must arrive before the provider forgets the key. */
const MARGIN_MS = 10 * 60_000

type Asked<Order> = {
  readonly attempt: Pick<Attempt, 'id' | 'kind'>
  readonly connector: Pick<Connector, 'manifest'>
  readonly order: Order
  readonly onReveal: OnReveal
}

/** Audits that an order is opened. Passed in: the audit log is a resource, and this folder knows no resources. */
type OnReveal = () => Promise<void>

/** The answer for a process that was so slow that the job took its attempt to be never sent. */
export const ABANDONED = { outcome: 'unknown', reason: 'the attempt must not be sent any more' } as const

/** How an attempt begins whose order has a card. Such an order is kept before it is sent, or it is never sent. */
export function awaitingOrder({ manifest }: Pick<Connector, 'manifest'>): Pick<Attempt, 'order_state'> {
  return { order_state: manifest.recovery.by === 'replay' ? 'awaited' : null }
}

/**
 * Keeps an order before it is sent, if the provider can only be asked by sending it again. Returns the order to send:
 * an earlier one of the same attempt, if there is one. Undefined: it must not be sent any more, because the job has taken the
 * attempt to be never sent, or because the provider may have forgotten its key.
 */
export async function keepOrder<Order extends object>(
  scope: Scope,
  vault: Vault,
  asked: Asked<Order>,
): Promise<Order | undefined> {
  const { recovery } = asked.connector.manifest
  if (recovery.by !== 'replay') return asked.order
  const { attempt, order, onReveal } = asked
  const earlier = await find(scope, attempt.id)
  if (earlier) return isForgotten(scope, earlier) ? undefined : open<Order>(scope, vault, earlier, onReveal)
  const packed = packOrder(order)
  const kept = await inTransaction(scope, (tx) =>
    insert(tx, vault, { ...packed, attempt, liveMs: recovery.keysLiveMs }),
  ).finally(() => {
    packed.text.clear()
    packed.code?.clear()
  })
  if (kept === 'by another process') return keepOrder(scope, vault, asked)
  return kept === 'now' ? order : undefined
}

type New = {
  readonly attempt: Pick<Attempt, 'id'>
  readonly text: Masked
  readonly code: Masked | null
  readonly liveMs: number
}

type Keeping = 'now' | 'by another process' | 'never'

async function insert(tx: Scope<Tx>, vault: Vault, { attempt, text, code, liveMs }: New): Promise<Keeping> {
  const { rows } = await sql<{ order_state: Attempt['order_state']; due_at: Date | null }>`
    select order_state, due_at from attempts where id = ${attempt.id} for update
  `.execute(tx.db)
  const [held] = rows
  if (!held || held.due_at === null || held.order_state === 'abandoned') return 'never'
  // A repeated request and the job may both resume an attempt. The lock lets one of them keep its order.
  if (await find(tx, attempt.id)) return 'by another process'
  if (held.order_state === 'awaited') {
    await sql`update attempts set order_state = 'kept' where id = ${attempt.id}`.execute(tx.db)
  }
  const now = realTime(tx.clock)
  const after = (ms: number) => new Date(now.getTime() + ms)
  await tx.db
    .insertInto('attempt_orders')
    .values({
      attempt_id: attempt.id,
      merchant_account_id: tx.merchantAccountId,
      order_token: await vault.store(tx.db, tx, 'order', text),
      code_token: code && (await vault.store(tx.db, tx, 'security-code', code)),
      sent_at: now,
      code_until: after(CODE_MS),
      order_until: after(Math.max(liveMs - MARGIN_MS, 0)),
    })
    .execute()
  return 'now'
}

/** What an inquiry may say about what was sent. */
export type Sent<Order> =
  | { readonly outcome: 'sent'; readonly order: Order | null; readonly sentAt: Date }
  /** The process that recorded the attempt died before it sent it. */
  | { readonly outcome: 'never_sent' }
  /** The provider may have forgotten the key: the same order would be carried out again. And it cannot be asked without one. */
  | { readonly outcome: 'too_late' }

/** Sending it again could be a second payment. It stays unknown until the provider or a person says what became of it. */
export const TOO_LATE = {
  outcome: 'unknown',
  reason: 'the provider may have forgotten the attempt, so it cannot be asked any more',
} as const

export async function findSent<Order>(
  scope: Scope,
  vault: Vault,
  { attempt, connector, onReveal }: Omit<Asked<Order>, 'order'> & { readonly attempt: Attempt },
): Promise<Sent<Order>> {
  const sentAt = attempt.sent_at ?? attempt.created_at
  const { recovery } = connector.manifest
  if (recovery.by !== 'replay') return { outcome: 'sent', order: null, sentAt }
  const kept = await find(scope, attempt.id)
  if (!kept) {
    const isNeverSent = attempt.order_state !== null && (await abandon(scope, attempt))
    return isNeverSent ? { outcome: 'never_sent' } : { outcome: 'sent', order: null, sentAt }
  }
  const order = isForgotten(scope, kept) ? undefined : await open<Order>(scope, vault, kept, onReveal)
  if (!order && !recovery.alsoLooksUp) return { outcome: 'too_late' }
  return { outcome: 'sent', order: order ?? null, sentAt: kept.sent_at }
}

/** Whether the provider may have forgotten the key of an order. Sent again, it could be carried out a second time. */
function isForgotten({ clock }: Scope, { order_until }: Kept): boolean {
  return order_until <= realTime(clock)
}

/** From now on no process can send it. Returns false if one has kept its order meanwhile. */
async function abandon({ db }: Scope, { id }: Attempt): Promise<boolean> {
  const { rows } = await sql`
    update attempts set order_state = 'abandoned' where id = ${id} and order_state in ('awaited', 'abandoned')
    returning 1
  `.execute(db)
  return rows.length > 0
}

type Kept = Pick<Tables['attempt_orders'], (typeof COLUMNS)[number]>
const COLUMNS = ['attempt_id', 'order_token', 'code_token', 'sent_at', 'order_until'] as const

function find({ db, merchantAccountId }: Scope, attemptId: string): Promise<Kept | undefined> {
  return db
    .selectFrom('attempt_orders')
    .select(COLUMNS)
    .where('attempt_id', '=', attemptId)
    .where('merchant_account_id', '=', merchantAccountId)
    .executeTakeFirst()
}

async function open<Order>(
  scope: Scope,
  vault: Vault,
  { order_token, code_token }: Kept,
  onReveal: OnReveal,
): Promise<Order | undefined> {
  const { merchantAccountId } = scope
  const reveal = <Result>(token: string, work: (value: Masked) => Promise<Result>) =>
    vault.reveal(scope.db, { merchantAccountId, token, purpose: 'payment', onReveal }, work)
  if (order_token === null) return undefined
  const code = code_token === null ? null : await reveal(code_token, copy).catch(nullIfGone)
  try {
    return await reveal(order_token, async (text) => unpackOrder<Order>({ text, code }))
  } catch (error) {
    if (error instanceof ItemGone) return undefined
    throw error
  } finally {
    code?.clear()
  }
}

async function copy(value: Masked): Promise<Masked> {
  return value.use((bytes) => new Masked(bytes))
}

/** The job has removed it meanwhile. */
function nullIfGone(error: unknown): null {
  if (error instanceof ItemGone) return null
  throw error
}

/** The attempt is decided. */
export async function forgetOrder(
  tx: Scope<Tx>,
  vault: Vault,
  { id, order_state }: Pick<Attempt, 'id' | 'order_state'>,
): Promise<void> {
  if (order_state === null) return
  const { rows } = await sql<Pick<Kept, 'order_token' | 'code_token'>>`
    delete from attempt_orders where attempt_id = ${id} returning order_token, code_token
  `.execute(tx.db)
  await removeAll(tx, vault, rows)
}

/** The provider has answered, so it has the security code. */
export async function forgetCode(
  tx: Scope<Tx>,
  vault: Vault,
  { id, order_state }: Pick<Attempt, 'id' | 'order_state'>,
): Promise<void> {
  if (order_state === null) return
  const { rows } = await sql<{ code_token: string | null }>`
    update attempt_orders set code_token = null from attempt_orders as before
    where attempt_orders.attempt_id = ${id} and before.attempt_id = ${id} and before.code_token is not null
    returning before.code_token
  `.execute(tx.db)
  await removeAll(tx, vault, rows)
}

type Tokens = { readonly order_token?: string | null; readonly code_token?: string | null }

async function removeAll(tx: Scope<Tx>, vault: Vault, rows: readonly Tokens[]): Promise<void> {
  for (const { order_token, code_token } of rows) {
    if (order_token) await vault.remove(tx.db, tx, order_token)
    if (code_token) await vault.remove(tx.db, tx, code_token)
  }
}

const BATCH = 500

/**
 * For the job: removes security codes and orders whose time is over, and orders of decided attempts that another way has
 * decided. An undecided attempt keeps its row without the order, so that it is not taken to be never sent.
 */
export async function forgetOldOrders(context: Context, vault: Vault): Promise<void> {
  const now = realTime(context.clock)
  const { rows } = await sql<{ attempt_id: string; merchant_account_id: string }>`
    (select attempt_id, merchant_account_id from attempt_orders
      where code_token is not null and code_until <= ${now} limit ${BATCH})
    union
    (select attempt_id, merchant_account_id from attempt_orders
      where order_token is not null and order_until <= ${now} limit ${BATCH})
    union
    (select attempt_orders.attempt_id, attempt_orders.merchant_account_id from attempt_orders
      join attempts on attempts.id = attempt_orders.attempt_id where attempts.due_at is null limit ${BATCH})
  `.execute(context.db)
  for (const { attempt_id: id, merchant_account_id: merchantAccountId } of rows) {
    await inTransaction({ ...context, merchantAccountId }, (tx) => forgetOld(tx, vault, id, now))
  }
}

async function forgetOld(tx: Scope<Tx>, vault: Vault, id: string, now: Date): Promise<void> {
  type Old = Pick<Tables['attempt_orders'], 'order_token' | 'code_until' | 'order_until'>
  const { rows } = await sql<Old & { readonly is_decided: boolean }>`
    select order_token, code_until, order_until, attempts.due_at is null as is_decided from attempt_orders
    join attempts on attempts.id = attempt_orders.attempt_id
    where attempt_orders.attempt_id = ${id} for update of attempt_orders
  `.execute(tx.db)
  const [kept] = rows
  if (!kept) return
  if (kept.is_decided) return forgetOrder(tx, vault, { id, order_state: 'kept' })
  const isOver = kept.order_until <= now
  if (isOver || kept.code_until <= now) await forgetCode(tx, vault, { id, order_state: 'kept' })
  if (!isOver || !kept.order_token) return
  await sql`update attempt_orders set order_token = null where attempt_id = ${id}`.execute(tx.db)
  await vault.remove(tx.db, tx, kept.order_token)
}

type Path = readonly string[]
type Packed = { readonly order: unknown; readonly secrets: readonly (readonly [Path, string])[] }

/** An order as text for the vault. The security code is apart, because it is kept for a shorter time. */
type PackedOrder = { readonly text: Masked; readonly code: Masked | null }

const CODE = 'securityCode'

/** Packs everything that was sent, secrets as well, so that it can be sent again to the byte. */
function packOrder(order: object): PackedOrder {
  const secrets: [Path, string][] = []
  let code: Masked | null = null
  const plain = (value: unknown, path: Path): unknown => {
    if (isSecret(value)) {
      if (path.at(-1) === CODE) code = value.use((bytes) => new Masked(bytes))
      else secrets.push([path, value.use((bytes) => bytes.toString('base64'))])
      return null
    }
    if (Array.isArray(value)) return value.map((inner, at) => plain(inner, [...path, String(at)]))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, plain(inner, [...path, name])]),
    )
  }
  const packed: Packed = { order: plain(order, []), secrets }
  return { text: new Masked(JSON.stringify(packed)), code }
}

/** The order as it was. Without a code, its security code is null. */
function unpackOrder<Order>({ text, code }: PackedOrder): Order {
  const { order, secrets } = text.use((bytes) => JSON.parse(bytes.toString('utf8'))) as Packed
  for (const [path, value] of secrets) put(order, path, new Masked(Buffer.from(value, 'base64')))
  const { instrument } = order as { instrument?: object }
  if (code && instrument && CODE in instrument)
    put(
      instrument,
      [CODE],
      code.use((bytes) => new Masked(bytes)),
    )
  return order as Order
}

/** Overwrites the secrets of an unpacked order. */
export function clearOrder(order: unknown): void {
  if (order instanceof Masked) order.clear()
  else if (order !== null && typeof order === 'object') Object.values(order).forEach(clearOrder)
}

/** The secrets of an order as text, to look for them where they must not be. */
export function secretsIn(order: unknown): string[] {
  if (isSecret(order)) return [order.use((bytes) => bytes.toString('utf8'))]
  return order !== null && typeof order === 'object' ? Object.values(order).flatMap(secretsIn) : []
}

function put(into: unknown, path: Path, value: Masked): void {
  const [name = '', ...rest] = path
  const place = into as Record<string, unknown>
  if (rest.length === 0) place[name] = value
  else put(place[name], rest, value)
}

type Secret = { readonly use: <Result>(work: (bytes: Buffer) => Result) => Result }

function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && 'use' in value && typeof value.use === 'function'
}
