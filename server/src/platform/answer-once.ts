import type { FastifyReply } from 'fastify'
import { ApiError } from './errors.ts'
import { handle } from './handle.ts'
import { isUnavailable } from './http-errors.ts'
import * as idempotency from './idempotency.ts'
import { onceFor } from './once.ts'
import { type Call, holderName, methodOf, type Operation } from './operation.ts'
import type { Pins } from './pinned.ts'
import { releaseWhenBack } from './release-when-back.ts'

type Services = Parameters<typeof idempotency.claim>[0] & { readonly pins: Pins }

/** A checked request with an idempotency key, and the way from a result to an answer. */
export type Keyed = {
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
  const { operation, call, reply, render } = keyed
  const request = requestOf(services, keyed)
  const claim = await idempotency.claim(services, request)
  if (claim.kind === 'replay') {
    reply.header('idempotent-replayed', 'true')
    return claim
  }

  let stored: Rendered | undefined
  let hasBegun = claim.begun !== null
  const once = onceFor({
    begun: claim.begun,
    noteBegun: async (tx, begun) => {
      await idempotency.noteBegun(tx, request, { fence: claim.fence, begun })
      hasBegun = true
    },
    storeAnswer: async (tx, body) => {
      stored = render(body)
      const lastingBody = operation.shownOnce ? render(withoutSecrets(operation, body)).body : stored.body
      const kept = operation.neverStored ? { ...stored, body: lastingBody } : stored
      await idempotency.storeAnswer(services, tx, request, { fence: claim.fence, ...kept, lastingBody })
    },
  })
  try {
    await handle(operation, { ...call, once })
    if (stored === undefined) throw new Error(`${operation.id} did not finish in a final transaction`)
    return stored
  } catch (error) {
    await giveBack(services, { request, fence: claim.fence, hasBegun }, error)
    throw error
  } finally {
    idempotency.endWork(services, request)
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

type Work = {
  readonly request: idempotency.KeyedRequest
  readonly fence: number
  readonly hasBegun: boolean
}

/**
 * This request has ended, so its caller may retry at once. If work was begun and then failed with an unknown
 * error, its key stays taken until the lease ends.
 */
async function giveBack(
  services: Services,
  { request, fence, hasBegun }: Work,
  error: unknown,
): Promise<void> {
  if (isConcurrent(error)) return
  if (isUnavailable(error)) return releaseWhenBack(services, request, fence)
  try {
    if (!hasBegun) await idempotency.forget(services.db, request, fence)
    else if (isRefusal(error) || isToBeRepeated(error)) await idempotency.release(services, request, fence)
  } catch {
    // The caller gets the first error. The second one most likely comes from the database.
    releaseWhenBack(services, request, fence)
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
