import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Secrets } from '../access/secrets.ts'
import { writeOrFail } from '../database/brief-transaction.ts'
import { isDatabaseAway } from '../database/database-errors.ts'
import type { Db, Tables, Tx } from '../database/db.ts'
import { insertInto, updateTable } from '../database/statements.ts'
import { ApiError, type ErrorDetail, errors, inHeader, ReusedKeyError } from '../http/errors.ts'
import { type Clock, realTime } from '../process/clock.ts'

declare module '../database/db.ts' {
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
      /** The answer without its secrets, which replaces `response` at `whole_until`. */
      lasting_response: Buffer | null
      whole_until: Date | null
      begun: string | null
      created_at: Date
    }
  }
}

/** Longer than any request may take. After it, another process can take over the work of a dead one. */
const LEASE_MS = 60_000
const KEPT_MS = 72 * 3_600_000
/** How long a lost answer is replayed with the secret that it holds. */
const SECRETS_KEPT_MS = 10 * 60_000
const KEY_MAX = 255
/** Fences are random, so that a process can give back a claim of its own whose answer was lost, and no other. */
const FENCE_MAX = 2 ** 30
const PURGE_BATCH = 1_000
/** Answers that are packed, and then sealed. */
const PACKED = 'idempotency-packed'

export type KeyedRequest = {
  /** The owner of the key: a merchant account, an API key pair, a user, or a page. */
  readonly owner: string
  readonly method: string
  readonly path: string
  readonly key: string
  /** Query, body and pinned values. Only a keyed hash of them is stored. */
  readonly content: unknown
}

export type Claim =
  | { readonly kind: 'replay'; readonly status: number; readonly body: string }
  /** `begun` names what an earlier owner had committed before it died. The work continues from there. */
  | { readonly kind: 'claimed'; readonly fence: number; readonly begun: string | null }

/** A request that claims its key with its first commit found there that the key is taken. It has changed nothing. */
export class TakenKey extends Error {
  constructor() {
    super('the key is taken')
  }
}

/**
 * The connection broke while a key was claimed. The database may have it or not. No other claim has this fence, so the
 * key can be given back if it is there.
 */
export class CutClaim extends Error {
  readonly fence: number

  constructor(fence: number, cause: unknown) {
    super('the connection broke while a key was claimed', { cause })
    this.fence = fence
  }
}

type Row = Tables['idempotency_keys']
type Handle = { readonly db: Tx }
type Services = { readonly db: Db; readonly clock: Clock; readonly secrets: Secrets }

/**
 * Bare or quoted, as clients write the header. Only a keyed hash is stored, because callers may put anything
 * there.
 */
export function readIdempotencyKey(
  secrets: Secrets,
  header: string | string[] | undefined,
): string | undefined {
  if (header === undefined) return undefined
  const text = [header].flat().join(', ').trim()
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text
  const complaint = (type: ErrorDetail['type'], message: string) =>
    errors.invalid(inHeader('/idempotency-key', type, message))
  if (key.length === 0) throw complaint('value_error.any_str.min_length', 'must not be empty')
  if (key.length > KEY_MAX)
    throw complaint('value_error.any_str.max_length', `must have at most ${KEY_MAX} characters`)
  if (!/^[\x20-\x7e]+$/.test(key)) throw complaint('value_error.str.regex', 'must be printable ASCII')
  return secrets.mac('idempotency-key', key).toString('base64url')
}

/** Either this request may do the work, or it gets the answer of the first one with its key. */
export async function claim(services: Services, request: KeyedRequest): Promise<Claim> {
  const { db, clock, secrets } = services
  const now = realTime(clock)
  const fence = newFence()
  if (await claimNew(services, request, fence)) return { kind: 'claimed', fence, begun: null }

  const wasWorkedOn = isWorkedOn(services, request)
  const found = await rowOf(db, request)
    .select(['request_mac', 'fence', 'leased_until', 'status', 'response', 'created_at'])
    .select(['lasting_response', 'whole_until'])
    .executeTakeFirst()
  if (!found) return claim(services, request)
  if (found.created_at.getTime() + KEPT_MS < now.getTime() && found.status !== null) {
    await db.deleteFrom('idempotency_keys').where(matches(request)).where('fence', '=', found.fence).execute()
    return claim(services, request)
  }
  if (!found.request_mac.equals(macOf(services, request))) throw new ReusedKeyError()
  if (found.status !== null && found.response !== null) {
    const isWhole = found.whole_until === null || found.whole_until > now
    const response = isWhole ? found.response : (found.lasting_response ?? found.response)
    return { kind: 'replay', status: found.status, body: openAnswer(secrets, request, response) }
  }
  return takeOver(services, request, { ...found, wasWorkedOn })
}

/** Claims a key that no request has used yet. Returns false if the key is taken. */
export async function claimNew(services: Services, request: KeyedRequest, fence: number): Promise<boolean> {
  const row = newRow(services, request, { fence })
  const inserted = await row
    .followedBy(' on conflict do nothing')
    .execute(services.db)
    .catch((error: unknown) => {
      throw isDatabaseAway(error) ? new CutClaim(fence, error) : error
    })
  if (inserted.numAffectedRows === 0n) return false
  beginWork(services, request)
  return true
}

/** Whether any request has used the key. */
export async function isKnown({ db }: Services, request: KeyedRequest): Promise<boolean> {
  return (await rowOf(db, request).select('fence').executeTakeFirst()) !== undefined
}

/** No other claim has the same. */
export function newFence(): number {
  return randomInt(1, FENCE_MAX)
}

type Progress = Partial<Pick<Row, 'begun' | 'status' | 'response' | 'lasting_response' | 'whole_until'>>

function newRow(
  services: Services,
  request: KeyedRequest,
  { fence, ...progress }: Progress & { fence: number },
) {
  const now = realTime(services.clock)
  return insertInto('idempotency_keys', {
    ...address(request),
    request_mac: macOf(services, request),
    fence,
    leased_until: new Date(now.getTime() + LEASE_MS),
    status: null,
    response: null,
    lasting_response: null,
    whole_until: null,
    begun: null,
    ...progress,
    created_at: now,
  })
}

function macOf({ secrets }: Services, { method, path, content }: KeyedRequest): Buffer {
  return secrets.mac('idempotency', canonical([method, path, content]))
}

/**
 * The keys that this process works on. A concurrent request with one of them need not wait for the end of a
 * lease.
 */
const workIn = new WeakMap<Db, Set<string>>()

export function beginWork({ db }: Services, request: KeyedRequest): void {
  const work = workIn.get(db) ?? new Set()
  workIn.set(db, work.add(boundTo(request)))
}

function isWorkedOn({ db }: Services, request: KeyedRequest): boolean {
  return workIn.get(db)?.has(boundTo(request)) === true
}

/** The request with this key has ended in this process, in whatever way. */
export function endWork({ db }: Services, request: KeyedRequest): void {
  workIn.get(db)?.delete(boundTo(request))
}

/** The first owner's lease has ended: its process is dead, and its uncommitted work is lost. */
async function takeOver(
  services: Services,
  request: KeyedRequest,
  {
    fence,
    leased_until,
    wasWorkedOn,
  }: Pick<Row, 'fence' | 'leased_until'> & { readonly wasWorkedOn: boolean },
): Promise<Claim> {
  const { db, clock } = services
  const now = realTime(clock)
  if (leased_until > now) {
    // The work may have begun or ended while the row was read.
    const isOurs = wasWorkedOn || isWorkedOn(services, request)
    throw concurrent(isOurs ? 1 : Math.ceil((leased_until.getTime() - now.getTime()) / 1000))
  }
  const ownFence = newFence()
  const taken = await db
    .updateTable('idempotency_keys')
    .set({ fence: ownFence, leased_until: new Date(now.getTime() + LEASE_MS) })
    .where(matches(request))
    .where('fence', '=', fence)
    .where('status', 'is', null)
    // The current value: a slow owner may have begun since we read the row.
    .returning('begun')
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw isDatabaseAway(error) ? new CutClaim(ownFence, error) : error
    })
  if (!taken) throw concurrent()
  beginWork(services, request)
  return { kind: 'claimed', fence: ownFence, begun: taken.begun }
}

/** The row of a claimed key in a transaction. `isNew`: this transaction is the first to write it. */
export type Own = { readonly fence: number; readonly isNew: boolean }

/**
 * Part of a first commit, before a provider is asked. After a crash, a retry continues the begun work instead
 * of beginning it again. Fails if another process has taken over.
 */
export function noteBegun(
  services: Services,
  tx: Handle,
  request: KeyedRequest,
  own: Own & { readonly begun: string },
): Promise<void> {
  return writeOwn(services, tx, request, own)
}

/**
 * Part of the transaction that did the work, so that there is no moment in which the work is done and its
 * answer unknown. Answers are sealed. An answer with a secret is stored in two forms; `hideSecrets` later
 * replaces one with the other. Fails if another process has taken over.
 */
export function storeAnswer(
  services: Services,
  tx: Handle,
  request: KeyedRequest,
  { status, body, lastingBody, ...own }: Own & Answer,
): Promise<void> {
  const { secrets, clock } = services
  const seal = (text: string) => secrets.seal(PACKED, boundTo(request), packAnswer(text))
  const later =
    lastingBody === body
      ? {}
      : {
          lasting_response: seal(lastingBody),
          whole_until: new Date(realTime(clock).getTime() + SECRETS_KEPT_MS),
        }
  return writeOwn(services, tx, request, { ...own, status, response: seal(body), ...later })
}

function openAnswer(secrets: Secrets, request: KeyedRequest, sealed: Buffer): string {
  return unpackAnswer(secrets.openBytes(PACKED, boundTo(request), sealed))
}

type Answer = {
  readonly status: number
  readonly body: string
  /** The same without what is shown only once. */
  readonly lastingBody: string
}

function writeOwn(
  services: Services,
  tx: Handle,
  request: KeyedRequest,
  { fence, isNew, ...progress }: Own & Progress,
): Promise<void> {
  if (isNew) {
    const row = newRow(services, request, { fence, ...progress })
    return writeOrFail(tx, row.followedBy(' on conflict do nothing returning fence'), () => new TakenKey())
  }
  const own = updateTable('idempotency_keys', progress, { ...address(request), fence })
  return writeOrFail(tx, own.followedBy(' and status is null returning fence'), concurrent)
}

/** No process works on the key any more: the next request with it need not wait for the end of the lease. */
export async function release({ db, clock }: Services, request: KeyedRequest, fence: number): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ leased_until: realTime(clock) })
    .where(matches(request))
    .where('fence', '=', fence)
    .where('status', 'is', null)
    .execute()
}

/**
 * A request that failed before it began anything has changed nothing, so its key is free again. If it did
 * commit, although its caller does not know, the row says so and stays.
 */
export async function forget(db: Db, request: KeyedRequest, fence: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where(matches(request))
    .where('fence', '=', fence)
    .where('status', 'is', null)
    .where('begun', 'is', null)
    .execute()
}

/** Removes secrets from stored answers after their time. */
export async function hideSecrets({ db, clock }: Services): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set((eb) => ({ response: eb.ref('lasting_response'), lasting_response: null, whole_until: null }))
    .where('whole_until', '<=', realTime(clock))
    .execute()
}

/** Deletes old keys in batches, so that no long lock is held. */
export async function purgeOldKeys({ db, clock }: Services): Promise<void> {
  const oldest = new Date(realTime(clock).getTime() - KEPT_MS)
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

/** Another request works on the key. We do not know how long it needs, only when it counts as dead. */
function concurrent(retryAfterSeconds = 1): ApiError {
  return new ApiError('concurrent_request', { headers: { 'retry-after': String(retryAfterSeconds) } })
}

/** The same content gives the same text, whatever the order of its fields. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/**
 * What most answers consist of, the most frequent at the end. Never change it: answers that were packed with it would not open
 * any more. It is a hint for the compression; answers of any other form are packed as well.
 */
const USUAL = [
  '{"type":"refund","id":"01a0-7000-8","transaction_id":"01a0-7000-8","status":"succeeded","reason":nul',
  'l,"target_type":"payment-method","capture_succeeded","authorization_declined","processing","buyer_ap',
  'proval_pending","intent":"capture","EUR","GBP","mastercard","amex","debit","credit","buyer":{"type":',
  '"buyer","id":"01a0-7000-8","external_identifier":"","display_name":"","account_number":null,"billing',
  '_details":{"first_name":"","last_name":"","email_address":"@example.com","phone_number":"+1","addres',
  's":{"city":"","country":"US","postal_code":"","state":null,"state_code":null,"house_number_or_name":',
  'null,"line1":"","line2":null,"organization":null},"tax_id":null},{"type":"transaction","id":"01a0-70',
  '00-8","reconciliation_id":"03","merchant_account_id":"default","external_identifier":null,"status":"',
  'authorization_succeeded","intent":"authorize","amount":,"currency":"USD","country":"US","authorized_',
  'amount":,"captured_amount":0,"refunded_amount":0,"settled":false,"settled_amount":0,"settled_currenc',
  'y":null,"method":"card","instrument_type":"pan","payment_method":{"type":"payment-method","id":null,',
  '"label":","scheme":"visa","expiration_date":"/","fingerprint":"","country":null,"currency":null,"ext',
  'ernal_identifier":null,"last_replaced_at":null,"details":{"bin":","card_type":"credit","card_issuer_',
  'name":"Test Bank"},"method":"card","mode":"card","payment_account_reference":null,"approval_url":nul',
  'l,"approval_target":null},"payment_service":{"type":"payment-service","id":"01a0-7000-8","payment_se',
  'rvice_definition_id":"mock-card","method":"card","display_name":"Simulator"},"buyer":null,"shipping_',
  'details":null,"checkout_session_id":null,"gift_card_redemptions":[],"gift_card_service":null,"error_',
  'code":null,"raw_response_code":"00","raw_response_description":"Approved","pending_review":false,"di',
  'sputed":false,"reauthorized_from_transaction_id":null,"created_at":"2026-","updated_at":"2026-","cap',
  'turable_amount":,"intent_outcome":"succeeded","multi_tender":false,"payment_source":"ecommerce","mer',
  'chant_initiated":false,"is_subsequent_payment":false,"account_funding_transaction":false,"metadata":',
  '{","cart_items":null,"airline":null,"statement_descriptor":null,"recipient":null,"installment_count"',
  ':null,"tax_amount":null,"amount_includes_tax":null,"merchant_tax_id":null,"purchase_order_number":nu',
  'll,"customer_reference_number":null,"supplier_order_number":null,"duty_amount":null,"shipping_amount',
  '":null,"payment_service_transaction_id":"01a0-7000-8","additional_identifiers":{},"scheme_transactio',
  'n_id":"","transaction_link_id":null,"auth_response_code":"00","iso_response_code":"00","avs_response',
  '_code":null,"cvv_response_code":"match","merchant_advice_code":null,"anti_fraud_decision":null,"thre',
  'e_d_secure":null,"session_token":null,"authorized_at":"2026-","captured_at":null,"voided_at":null,"c',
  'anceled_at":null,"approval_expires_at":null,"buyer_approval_timedout_at":null}',
].join('')

/** The buffer for a packed answer lives until the next collection of all garbage. Its usual size is too large by far for that. */
const chunkSize = 1024
const SETTINGS = { level: 3, windowBits: 13, memLevel: 6, dictionary: Buffer.from(USUAL), chunkSize }

/** A tenth of the bytes of a usual answer: its row is not spread over several tables then (docs/decisions/idempotency.md). */
function packAnswer(text: string): Buffer {
  return deflateRawSync(text, SETTINGS)
}

export function unpackAnswer(packed: Buffer): string {
  return inflateRawSync(packed, SETTINGS).toString('utf8')
}

const PAUSE_MS = 250

type Left = { readonly request: KeyedRequest; readonly fence: number; readonly until: number }

/** The keys to release in each database. */
const left = new WeakMap<Db, Left[]>()

/**
 * The database went away during a request. Its caller is told to retry in a second, and should not have to
 * wait for the end of a lease then. If the work was committed after all, the row says so, and this changes
 * nothing.
 */
export function releaseWhenBack(services: Services, request: KeyedRequest, fence: number): void {
  const one = { request, fence, until: performance.now() + LEASE_MS }
  const waiting = left.get(services.db)
  if (waiting) {
    waiting.push(one)
    return
  }
  const all = [one]
  left.set(services.db, all)
  void releaseAll(services, all).finally(() => left.delete(services.db))
}

/** One after the other, to spare a database that has just come back. */
async function releaseAll(services: Services, waiting: Left[]): Promise<void> {
  for (let next = waiting[0]; next; next = waiting[0]) {
    const { request, fence, until } = next
    try {
      if (performance.now() < until) await release(services, request, fence)
    } catch (error) {
      if (isDatabaseAway(error)) {
        await sleep(PAUSE_MS, undefined, { ref: false })
        continue
      }
      // Its lease will end.
    }
    waiting.shift()
  }
}
