import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import { type Db, type Tables, type Tx, writeOrFail } from './db.ts'
import { ApiError, type ErrorDetail, errors, ReusedKeyError } from './errors.ts'
import type { Secrets } from './secrets.ts'
import { insertInto, updateTable } from './statements.ts'

declare module './db.ts' {
  interface Tables {
    idempotency_keys: {
      owner: string
      method: string
      path: string
      key: string
      request_mac: Buffer
      fence: number
      leased_until: Date
      status: number | null
      response: Buffer | null
      begun: string | null
      created_at: Date
    }
  }
}

/** Longer than any request may take. After it, the work of a dead process can be taken over. */
export const LEASE_MS = 60_000
const KEPT_MS = 72 * 3_600_000
const KEY_MAX = 255
const PURGE_BATCH = 1_000

export type KeyedRequest = {
  /** The merchant account, or the API key for what belongs to the whole instance. */
  readonly owner: string
  readonly method: string
  readonly path: string
  readonly key: string
  /** Query and body. Only a keyed hash of them is stored. */
  readonly content: unknown
}

export type Claim =
  | { readonly kind: 'replay'; readonly status: number; readonly body: string }
  /** `begun` names what an earlier owner had committed before it died: the work goes on from there. */
  | { readonly kind: 'claimed'; readonly fence: number; readonly begun: string | null }

type Row = Tables['idempotency_keys']
type Services = { readonly db: Db; readonly clock: Clock; readonly secrets: Secrets }

/** Bare or quoted, as the header is written in the wild. Only a keyed hash is kept: callers put all sorts of things there. */
export function readIdempotencyKey(
  secrets: Secrets,
  header: string | string[] | undefined,
): string | undefined {
  if (header === undefined) return undefined
  const text = [header].flat().join(', ').trim()
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text
  const complaint = (type: ErrorDetail['type'], message: string) =>
    errors.invalid({ location: 'header', pointer: '/idempotency-key', type, message })
  if (key.length === 0) throw complaint('value_error.any_str.min_length', 'must not be empty')
  if (key.length > KEY_MAX)
    throw complaint('value_error.any_str.max_length', `must have at most ${KEY_MAX} characters`)
  if (!/^[\x20-\x7e]+$/.test(key)) throw complaint('value_error.str.regex', 'must be printable ASCII')
  return secrets.mac('idempotency-key', key).toString('base64url')
}

/** Either this request may do the work, or it is told what the first one with its key was told. */
export async function claim(services: Services, request: KeyedRequest): Promise<Claim> {
  const { db, clock, secrets } = services
  const now = clock()
  const requestMac = secrets.mac('idempotency', canonical([request.method, request.path, request.content]))
  const row = insertInto('idempotency_keys', {
    ...address(request),
    request_mac: requestMac,
    fence: 1,
    leased_until: new Date(now.getTime() + LEASE_MS),
    status: null,
    response: null,
    begun: null,
    created_at: now,
  })
  const inserted = await sql`${row} on conflict do nothing`.execute(db)
  if (inserted.numAffectedRows === 1n) return { kind: 'claimed', fence: 1, begun: null }

  const found = await rowOf(db, request)
    .select(['request_mac', 'fence', 'leased_until', 'status', 'response', 'created_at'])
    .executeTakeFirst()
  if (!found) return claim(services, request)
  if (found.created_at.getTime() + KEPT_MS < now.getTime() && found.status !== null) {
    await forget(db, request, found.fence)
    return claim(services, request)
  }
  if (!found.request_mac.equals(requestMac)) throw new ReusedKeyError()
  if (found.status !== null && found.response !== null) {
    const body = secrets.open('idempotency', boundTo(request), found.response)
    return { kind: 'replay', status: found.status, body }
  }
  return takeOver(services, request, found)
}

/** The first owner's lease has run out: its process is gone, and so is what it had not committed. */
async function takeOver(
  { db, clock }: Services,
  request: KeyedRequest,
  { fence, leased_until }: Pick<Row, 'fence' | 'leased_until'>,
): Promise<Claim> {
  const now = clock()
  if (leased_until > now) throw concurrent()
  const taken = await db
    .updateTable('idempotency_keys')
    .set({ fence: fence + 1, leased_until: new Date(now.getTime() + LEASE_MS) })
    .where(matches(request))
    .where('fence', '=', fence)
    .where('status', 'is', null)
    // As it is now: a slow owner may have begun since the row was read.
    .returning('begun')
    .executeTakeFirst()
  if (!taken) throw concurrent()
  return { kind: 'claimed', fence: fence + 1, begun: taken.begun }
}

/**
 * Part of a first commit, before a provider is asked: whoever repeats the request after a crash is told what was begun,
 * and does not begin it again. Fails when another process has taken the work over.
 */
export function noteBegun(
  tx: Tx,
  request: KeyedRequest,
  { fence, begun }: { readonly fence: number; readonly begun: string },
): Promise<void> {
  return changeOwn(tx, request, fence, { begun })
}

/**
 * Part of the transaction that did the work: there is no moment in which the work is done and its answer unknown.
 * The answer may hold a private key, so it is sealed. Fails when another process has taken the work over.
 */
export function storeAnswer(
  { secrets }: Services,
  tx: Tx,
  request: KeyedRequest,
  answer: { readonly fence: number; readonly status: number; readonly body: string },
): Promise<void> {
  const response = secrets.seal('idempotency', boundTo(request), answer.body)
  return changeOwn(tx, request, answer.fence, { status: answer.status, response })
}

function changeOwn(
  tx: Tx,
  request: KeyedRequest,
  fence: number,
  change: Partial<Pick<Row, 'begun' | 'status' | 'response'>>,
): Promise<void> {
  const own = updateTable('idempotency_keys', change, { ...address(request), fence })
  return writeOrFail({ db: tx }, sql`${own} and status is null returning fence`, concurrent)
}

/** Nobody works on it any more: the next request with the key need not wait for the end of the lease. */
export async function release({ db, clock }: Services, request: KeyedRequest, fence: number): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ leased_until: clock() })
    .where(matches(request))
    .where('fence', '=', fence)
    .where('status', 'is', null)
    .execute()
}

/** A refused request changed nothing: its key is free again. */
export async function forget(db: Db, request: KeyedRequest, fence: number): Promise<void> {
  await db.deleteFrom('idempotency_keys').where(matches(request)).where('fence', '=', fence).execute()
}

/** Deletes keys past their time, a batch at once, so that no long lock is held. */
export async function purgeOldKeys({ db, clock }: Services): Promise<void> {
  const oldest = new Date(clock().getTime() - KEPT_MS)
  for (;;) {
    const batch = db.selectFrom('idempotency_keys').select('created_at').where('created_at', '<', oldest)
    const last = await batch
      .orderBy('created_at')
      .offset(PURGE_BATCH - 1)
      .limit(1)
      .executeTakeFirst()
    await db
      .deleteFrom('idempotency_keys')
      .where('created_at', '<=', last?.created_at ?? oldest)
      .execute()
    if (!last) return
  }
}

function rowOf(db: Db, request: KeyedRequest) {
  return db.selectFrom('idempotency_keys').where(matches(request))
}

function address({ owner, method, path, key }: KeyedRequest) {
  return { owner, method, path, key }
}

function matches(request: KeyedRequest) {
  // biome-ignore lint/suspicious/noExplicitAny: one condition for select, update and delete builders
  return (eb: any) => eb.and(address(request))
}

function boundTo(request: KeyedRequest): string {
  return JSON.stringify([request.owner, request.method, request.path, request.key])
}

function concurrent(): ApiError {
  return new ApiError('concurrent_request', { headers: { 'retry-after': '1' } })
}

/** The same content gives the same text, whatever the order of its fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
