import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { OpenApiDocument } from '#platform/reference/openapi.ts'
import { newAddress } from '../lab/user-session.ts'
import { answerCheckOf, compilerFor, type Described, operationsOf } from './document.ts'
import { firstFailure } from './first-failure.ts'
import { type GeneratedRequest, requestsFor } from './generated-requests.ts'
import { longestStall, STALL_MS_MAX } from './heavy-input.ts'
import { openInputShop } from './input-shop.ts'
import { type KillableService, killableService } from './killable-service.ts'
import type { Outcome, Pace, Program, Say } from './program.ts'
import { type Answer, type Header, senderTo } from './raw-request.ts'
import { sendWireInput } from './wire-input.ts'

/*
 * It was seen to fail for each of these changes: text with NUL characters is taken (`complaintsAbout` without
 * `textThatCannotBeStored`), unknown fields are dropped rather than refused (`removeAdditional: true`), and errors without
 * details leave the field out (`ApiError.body`). Bugs that it found: a counter for a path that does not fit its column, a
 * leap second in a replay, and a 417 that was not ours.
 */
const SHRINKING_MS_MAX = 10_000
const CASES = { full: 200, short: 10 }

export const generatedInput: Program = {
  name: 'generated-input',
  promise: 11,
  title: 'No input breaks it',
  explanation:
    'For every operation of our own OpenAPI document, requests are generated from its schemas: valid ones, and ones with ' +
    'one part spoiled (path, query, headers or body). Every answer is compared with the document: never a 5xx, a status ' +
    'that is listed, a body of the documented shape, and a 4xx to a request that does not fit its schema. Then each operation ' +
    'gets bodies and queries that are as much work as fits: thousands of names, long lists, long texts. None may hold the ' +
    `event loop for more than ${STALL_MS_MAX.full} ms of processor time.`,
  run,
}

async function run({ form, seed, newDatabase }: Pace, say: Say): Promise<Outcome> {
  // A worker would deliver webhooks to generated addresses. Behind a proxy, each request has an address of its own.
  const env = { ROLE: 'api', TRUST_PROXY: '127.0.0.1' }
  const preload = [fileURLToPath(import.meta.resolve('./stall-probe.ts'))]
  const service = await killableService({ databaseUrl: await newDatabase(), env, preload })
  await service.start()
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument
  const shop = await openInputShop(service, document, form)
  const compile = compilerFor(document)
  const check = answerCheckOf(document, compile)
  const sender = senderTo(service.url)
  const tally = new Tally()
  const broken: string[] = []
  const stalls: number[] = []
  let heavy = 0
  const operations = operationsOf(document)
  for (const [index, operation] of operations.entries()) {
    const { operationId } = operation.described
    say(`${operationId} (${index + 1} of ${operations.length})`)
    const known = await shop.prepare(operation)
    const requests = requestsFor(document, compile, operation, known)
    const property = fc.asyncProperty(requests, async (request) => {
      const answer = await sender
        .send(withCredentials(shop.credentials(operation), operation, request))
        .catch(({ message }) => `${message}`)
      if (typeof answer === 'object') tally.count(operationId, request, answer)
      const complaints = typeof answer === 'object' ? check(operation, request, answer) : [answer]
      if (complaints.length > 0) throw new Error(complaints.join('; '))
    })
    // With one seed for all, every operation would be tried in the same few ways.
    const cases = { seed: seed + index, numRuns: CASES[form], shrinkingMsMax: SHRINKING_MS_MAX }
    const found = await firstFailure(property, cases)
    if (found) broken.push(`${operationId}: ${describeFailure(found, service)}`)
    const [path = operation.path] = known.paths
    const stall = await longestStall(service, document, {
      operation: { ...operation, path },
      form,
      send: (request) => sender.send(withCredentials(shop.credentials(operation), operation, request)),
    })
    stalls.push(stall.ms)
    heavy += stall.sent
    if (stall.ms > STALL_MS_MAX[form])
      broken.push(`${operationId}: ${stall.what} held the event loop for ${Math.round(stall.ms)} ms`)
  }
  sender.close()
  say('slow clients')
  const wire = await sendWireInput(service, form)
  await service.kill()
  return {
    seed,
    did: {
      operations: operations.length,
      ...tally.kinds,
      'requests with as much work as fits': heavy,
      'connections that are not HTTP, or slow': wire.sent,
    },
    acknowledged: tally.statuses,
    found: {
      'operations that never succeeded': operations.length - tally.succeeded.size,
      'longest stall of the event loop, ms': Math.round(Math.max(...stalls)),
    },
    broken: [...broken, ...wire.broken, ...(form === 'short' ? [] : neverReached(operations, tally))],
  }
}

/** What was sent and what came back. */
class Tally {
  readonly kinds: Record<string, number> = {}
  readonly statuses: Record<string, number> = {}
  readonly succeeded = new Set<string>()
  readonly #answers = new Map<string, Map<number, number>>()

  count(operationId: string, { kind }: GeneratedRequest, { status }: Answer): void {
    const name = kind === 'valid' ? 'valid requests' : `requests with a broken ${kind}`
    this.kinds[name] = (this.kinds[name] ?? 0) + 1
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    if (status < 300) this.succeeded.add(operationId)
    const answers = this.#answers.get(operationId) ?? new Map<number, number>()
    this.#answers.set(operationId, answers.set(status, (answers.get(status) ?? 0) + 1))
  }

  /** `400: 120, 404: 80` */
  answersOf(operationId: string): string {
    const counts = [...(this.#answers.get(operationId) ?? [])]
    return counts.map(([status, count]) => `${status}: ${count}`).join(', ')
  }
}

/** Operations that succeed only with something that no request here can have, by what that is. */
const OUT_OF_REACH: Readonly<Record<string, readonly string[]>> = {
  'a passkey, or the code of an app': [
    'accept_invitation',
    'create_first_user',
    'create_passkey',
    'create_recovery_codes',
    'create_session',
    'create_step_up',
    'delete_password',
    'set_password',
  ],
  'an installation without users': ['create_setup_options'],
  'a server of the caller': ['forward_vault'],
  'an identity provider': ['create_oidc_options', 'create_oidc_session'],
  'a company that runs a wallet': [
    'certify_digital_wallet_key',
    'complete_paze_mobile_session',
    'create_apple_pay_digital_wallet_session',
    'create_click_to_pay_digital_wallet_session',
    'create_paze_digital_wallet_session',
    'create_paze_mobile_session',
    'review_paze_mobile_session',
  ],
  'a provider that takes addresses for notifications': ['register_payment_service_notifications'],
  'a connector that answers disputes': ['accept_dispute', 'submit_dispute_evidence'],
  'a connector with sessions': [
    'create_payment_service_session',
    'create_payment_service_definition_session',
  ],
  'a file of a provider': [
    'get_payment_service_report',
    'get_transaction_refund_settlement',
    'get_transaction_settlement',
    'list_payment_service_report_lines',
  ],
  'a worker, which would send webhooks to generated addresses': [
    'create_report_execution_url',
    'create_sandbox_fill',
    'get_monitoring_incident',
    'update_monitoring_incident',
  ],
}

/** Operations that refused all requests, and so were not really tried. */
function neverReached(operations: readonly Described[], tally: Tally): string[] {
  const outOfReach = new Set(Object.values(OUT_OF_REACH).flat())
  return operations
    .map(({ described }) => described.operationId)
    .filter((id) => !tally.succeeded.has(id) && !outOfReach.has(id))
    .map((id) => `${id} never succeeded (${tally.answersOf(id)}): what it does with its input was not tried`)
}

/** Unless the request brings its own. */
function withCredentials(
  credentials: readonly Header[],
  { described }: Described,
  request: GeneratedRequest,
): GeneratedRequest {
  if (described.security.length === 0 || request.headers.some(([name]) => name === 'authorization')) {
    return { ...request, headers: [newAddress(), ...request.headers] }
  }
  return { ...request, headers: [...credentials, ...request.headers] }
}

const SHOWN_MAX = 600

type Failure = NonNullable<Awaited<ReturnType<typeof firstFailure<[GeneratedRequest]>>>>

function describeFailure({ counterexample, reason }: Failure, service: KillableService): string {
  const request = JSON.stringify(counterexample?.[0])
  const shown = request.length > SHOWN_MAX ? `${request.slice(0, SHOWN_MAX)}…` : request
  // The service logs only unexpected errors.
  const cause = reason.startsWith('answered 5')
    ? (service.running().complaint().trim().split('\n').at(-1) ?? '')
    : ''
  return `${reason}, to ${shown} ${cause.slice(0, SHOWN_MAX)}`
}
