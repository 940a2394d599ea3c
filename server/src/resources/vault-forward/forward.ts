import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { maskCardNumbers } from '#domain/card.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import type { RelayedAnswer, RelayedRequest } from '#platform/http/operation.ts'
import { type Finished, inFinalTransaction, type Once, unkept } from '#platform/idempotency/once.ts'
import { type Outgoing, type OutgoingAnswer, OutgoingError } from '#platform/outgoing/outgoing.ts'
import type { Engine } from '#processing/engine.ts'
import { findAuthentications, proofsOf } from './authentications/apply.ts'
import { refuseUnlessEnabled } from './endpoints/refuse.ts'
import { openCards } from './open-cards.ts'
import { fill } from './places.ts'
import { PREFIX, readForward } from './read-request.ts'

const ANSWER_MAX_BYTES = 1024 * 1024

export type ForwardNeeds = {
  readonly engine: Engine
  readonly outgoing: Outgoing
  readonly environment: string
}

/**
 * Passes a request on with card data in it, and the answer back. With an idempotency key it is sent once: who repeats a request
 * whose process died gets an empty answer, because nobody knows whether it arrived.
 */
export async function forward(
  scope: Scope,
  once: Once,
  { engine, outgoing, environment }: ForwardNeeds,
  request: RelayedRequest,
): Promise<Finished<RelayedAnswer>> {
  if (once.begun !== null) return inFinalTransaction(scope, once, async () => unanswered('unknown'))
  const wanted = readForward(request, outgoing)
  if (environment === 'production') await refuseUnlessEnabled(scope, wanted)
  const authentications = await findAuthentications(scope, wanted)
  const values = await openCards(scope, engine, wanted)
  const { url, method, timeoutMs, escaping } = wanted
  const body = Buffer.from(fill(wanted.body, values, escaping), 'latin1')
  const { headers, ...proofs } = await proofsOf(scope, engine.vault, authentications, body)
  if (once.isKeyed) await inTransaction(scope, (tx) => once.begin(tx, newId(scope.clock().getTime())))
  const answer = await outgoing
    .send({
      url,
      method,
      headers: { ...wanted.headers, ...headers },
      body,
      ...proofs,
      deadlineMs: timeoutMs,
      answerMaxBytes: ANSWER_MAX_BYTES,
    })
    .then((got) => relayed(got, [...values.values()]))
    .catch((error: unknown) => {
      if (error instanceof OutgoingError) return unanswered(error.outcome)
      throw error
    })
  return once.isKeyed ? inFinalTransaction(scope, once, async () => answer) : unkept(answer)
}

/** Tells whether the other side has answered, beside its own status. */
const OUTCOME = `${PREFIX}outcome`

function unanswered(outcome: OutgoingError['outcome'] | 'unknown'): RelayedAnswer {
  return { status: 200, headers: { [OUTCOME]: outcome }, body: '' }
}

/** About the connection or about our own host, and not about the answer. */
const LEFT_OUT =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|set-cookie|strict-transport-security|content-security-policy|x-content-type-options|x-request-id|access-control-.*|x-vault-forward-.*|idempotent-replayed)$/

function relayed(got: OutgoingAnswer, sent: readonly string[]): RelayedAnswer {
  const isHttp = got.status >= 200 && got.status <= 599
  const bytes = isHttp && !got.isCut ? unpacked(got) : undefined
  if (!bytes) return unanswered('answer_broken')
  const mask = masking(sent)
  const headers = Object.entries(got.headers).flatMap(([name, value]) =>
    LEFT_OUT.test(name) || value === undefined ? [] : [[name, mask([value].flat().join(', '))]],
  )
  return {
    status: got.status,
    headers: { ...Object.fromEntries(headers), [OUTCOME]: 'answered' },
    body: mask(bytes.toString('latin1')),
  }
}

const UNPACK: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** The other side was asked not to pack its answer, and may do it all the same. */
function unpacked({ headers, bytes }: OutgoingAnswer): Buffer | undefined {
  const unpack = UNPACK[headers['content-encoding']?.trim().toLowerCase() ?? 'identity']
  try {
    return unpack?.(bytes, { maxOutputLength: ANSWER_MAX_BYTES })
  } catch {
    return undefined
  }
}

/** Shorter ones, such as a month, are found in harmless texts, too. */
const SECRET_MIN = 8

/** An answer shows no card number, and nothing of what was sent. */
function masking(sent: readonly string[]) {
  const secrets = sent.filter(({ length }) => length >= SECRET_MIN)
  return (text: string) =>
    maskCardNumbers(secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text))
}
