import type { FastifyReply } from 'fastify'
import type { Pins } from '../access/auth.ts'
import { afterCommit, type Context, type Tx } from '../database/db.ts'
import { ApiError } from '../http/errors.ts'
import { isUnavailable } from '../http/http-errors.ts'
import { type Call, holderName, methodOf, type Operation } from '../http/operation.ts'
import { runOperation } from '../http/read-call.ts'
import * as idempotency from './idempotency.ts'
import { onceFor } from './once.ts'

type KeyServices = Parameters<typeof idempotency.claim>[0]
type Services = KeyServices & { readonly pins: Pins }

/** A checked request with an idempotency key, and the way from a result to an answer. */
type Keyed = {
  readonly operation: Operation
  readonly call: Call
  readonly key: string
  /** The path with its parameters in their canonical spelling. */
  readonly path: string
  readonly reply: FastifyReply
  readonly render: (body: unknown) => Rendered
}

export type Rendered = { readonly status: number; readonly body: string }

/** Does the work of a key once. Every other request with the key gets the first answer. */
export async function answerOnce(services: Services, keyed: Keyed): Promise<Rendered> {
  const request = requestOf(services, keyed)
  const early = keyed.operation.claimsLate && (await answerIfNew(services, keyed, request))
  if (early) return early
  const claim = await idempotency.claim(services, request).catch((error: unknown) => {
    if (!(error instanceof idempotency.CutClaim)) throw error
    idempotency.releaseWhenBack(services, request, error.fence)
    throw error.cause
  })
  if (claim.kind === 'replay') {
    keyed.reply.header('idempotent-replayed', 'true')
    return claim
  }
  return doWork(services, keyed, new HeldKey(services, request, claim))
}

/**
 * Most keys are new, so the first commit of the work claims the key. Undefined if the key is taken: the work has changed
 * nothing then, even if it has failed for another reason.
 */
async function answerIfNew(
  services: Services,
  keyed: Keyed,
  request: idempotency.KeyedRequest,
): Promise<Rendered | undefined> {
  const held = new HeldKey(services, request, null)
  try {
    return await doWork(services, keyed, held)
  } catch (error) {
    if (error instanceof idempotency.TakenKey) return undefined
    if (held.isStored || isUnavailable(error)) throw error
    const isKnown = await idempotency.isKnown(services, request).catch(() => false)
    if (isKnown) return undefined
    throw error
  }
}

async function doWork(services: Services, keyed: Keyed, held: HeldKey): Promise<Rendered> {
  const { operation, call, render } = keyed
  let stored: Rendered | undefined
  const once = onceFor({
    begun: held.begun,
    claim: () => held.claim(),
    noteBegun: (tx, begun) => held.noteBegun(tx, begun),
    storeAnswer: async (tx, body) => {
      stored = render(body)
      const lastingBody = operation.shownOnce ? render(withoutSecrets(operation, body)).body : stored.body
      const kept = operation.neverStored ? { ...stored, body: lastingBody } : stored
      await held.storeAnswer(tx, { ...kept, lastingBody })
    },
  })
  try {
    await runOperation(operation, { ...call, once })
    if (stored === undefined) throw new Error(`${operation.id} did not finish in a final transaction`)
    return stored
  } catch (error) {
    await giveBack(services, held, error)
    throw error
  } finally {
    held.end()
  }
}

function withoutSecrets({ shownOnce }: Operation, body: unknown): unknown {
  return { ...(body as object), ...shownOnce }
}

function requestOf(services: Services, { operation, call, key, path }: Keyed): idempotency.KeyedRequest {
  const { caller, query, body } = call
  // With other pins it is another request, which must not get the first one's answer.
  const pinned = caller.isEmbed ? caller.pinned : undefined
  const owner = ownerOf(services, operation, call)
  return { owner, key, path, method: methodOf(operation), content: { query, body, pinned } }
}

/**
 * Who owns the keys. Pages have their own key space, so that a page cannot use up a key of the shop's server.
 * A caller without a token is identified by the id in the path or in the body.
 */
function ownerOf(
  { secrets, pins }: Services,
  { scope, concerns }: Operation,
  { caller, reach, params, body }: Call,
): string {
  if (scope === null) return `holder:${holderName(params ?? body)}`
  const account = reach === 'all' ? undefined : reach[0]
  if (concerns === 'instance' || account === undefined) return `${caller.kind}:${caller.id}`
  if (!caller.isEmbed) return account
  // Not by the token itself: a page that renews it between two tries would pay twice.
  const page = idempotency.canonical(pins.pageOf(caller.pinned))
  const who = secrets.mac('browser', page).toString('base64url')
  return `${account} browser:${who}`
}

/**
 * This request has ended, so its caller may retry at once. If work was begun and then failed with an unknown
 * error, its key stays taken until the lease ends.
 */
async function giveBack(services: Services, held: HeldKey, error: unknown): Promise<void> {
  const { request, fence } = held
  if (!held.mayBeStored || isConcurrent(error)) return
  if (isUnavailable(error)) return idempotency.releaseWhenBack(services, request, fence)
  if (!held.isStored) return
  try {
    if (!held.hasBegun) await idempotency.forget(services.db, request, fence)
    else if (isRefusal(error) || isToBeRepeated(error)) await idempotency.release(services, request, fence)
  } catch {
    // The caller gets the first error. The second one most likely comes from the database.
    idempotency.releaseWhenBack(services, request, fence)
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'status' in error && Number(error.status) < 500
}

/** A caller that is told when to retry goes on with the begun work then. */
function isToBeRepeated(error: unknown): boolean {
  return error instanceof ApiError && 'retry-after' in error.headers
}

function isConcurrent(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'concurrent_request'
}

type Claim = { readonly fence: number; readonly begun: string | null }
type Handle = Pick<Context<Tx>, 'db' | 'committed'>
type Answer = { readonly status: number; readonly body: string; readonly lastingBody: string }

/** The key of one request, from its claim to its answer. Without a claim, the first transaction that writes to it claims it. */
class HeldKey {
  readonly request: idempotency.KeyedRequest
  readonly fence: number
  readonly begun: string | null
  readonly #services: KeyServices
  /** The transaction that writes the row first. It may fail, and be repeated as another one. */
  #writtenIn: Tx | null = null
  #isStored: boolean
  #hasBegun: boolean

  constructor(services: KeyServices, request: idempotency.KeyedRequest, claim: Claim | null) {
    this.#services = services
    this.request = request
    this.fence = claim?.fence ?? idempotency.newFence()
    this.begun = claim?.begun ?? null
    this.#isStored = claim !== null
    this.#hasBegun = this.begun !== null
  }

  /** The row is committed. */
  get isStored(): boolean {
    return this.#isStored
  }

  /** The row may be committed: if the connection broke, we do not know. */
  get mayBeStored(): boolean {
    return this.#isStored || this.#writtenIn !== null
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** In a commit of its own. */
  async claim(): Promise<void> {
    if (this.#isStored) return
    const isNew = await idempotency
      .claimNew(this.#services, this.request, this.fence)
      .catch((error: unknown) => {
        if (!(error instanceof idempotency.CutClaim)) throw error
        idempotency.releaseWhenBack(this.#services, this.request, this.fence)
        throw error.cause
      })
    if (!isNew) throw new idempotency.TakenKey()
    this.#isStored = true
  }

  async noteBegun(tx: Handle, begun: string): Promise<void> {
    await idempotency.noteBegun(this.#services, tx, this.request, { ...this.#ownIn(tx), begun })
    this.#hasBegun = true
  }

  storeAnswer(tx: Handle, answer: Answer): Promise<void> {
    return idempotency.storeAnswer(this.#services, tx, this.request, { ...this.#ownIn(tx), ...answer })
  }

  #ownIn(tx: Handle): idempotency.Own {
    const { fence } = this
    if (this.#isStored || this.#writtenIn === tx.db) return { fence, isNew: false }
    this.#writtenIn = tx.db
    afterCommit(tx, () => {
      this.#isStored = true
      idempotency.beginWork(this.#services, this.request)
    })
    return { fence, isNew: true }
  }

  /** The request has ended in this process, in whatever way. */
  end(): void {
    if (this.#isStored) idempotency.endWork(this.#services, this.request)
  }
}
