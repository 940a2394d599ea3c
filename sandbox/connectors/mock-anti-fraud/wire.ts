import type { DecideAnswer } from '#connectors/contract/anti-fraud.ts'
import type { Link } from '#connectors/contract/connector.ts'

const DECISIONS_URL = 'https://anti-fraud.simulator.invalid/decisions'

type Body = Readonly<Record<string, unknown>>

/** What came back. `lost`: nothing readable. `unreachable`: there was no connection to the provider. */
export type Reply =
  | { readonly kind: 'answer'; readonly body: Body }
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'unreachable' }

/** Never throws. A failed request's message may contain what was sent, so it is not repeated. */
export async function send(link: Link, order: object): Promise<Reply> {
  try {
    const response = await link.fetch(DECISIONS_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    })
    const body: unknown = await response.json().catch(() => null)
    if (response.status >= 400) return { kind: 'error', error: `${response.status}${codeIn(body)}` }
    return response.status === 200 && isObject(body) ? { kind: 'answer', body } : { kind: 'lost' }
  } catch (error) {
    return { kind: isUnreachable(error) ? 'unreachable' : 'lost' }
  }
}

/**
 * Strict: an answer that is only nearly right may be meant for another client, and would let a payment pass.
 */
export function toAnswer(reply: Reply): DecideAnswer {
  switch (reply.kind) {
    case 'answer':
      return readAnswer(reply.body) ?? unknown()
    case 'error':
      return { outcome: 'error', reason: `the provider answered ${reply.error}` }
    case 'unreachable':
      return { outcome: 'unavailable', reason: 'the provider could not be reached' }
    case 'lost':
      return unknown()
  }
}

function readAnswer({ status, decision, reference, reason }: Body): DecideAnswer | null {
  if (status === 'skipped' && isCode(reason)) return { outcome: 'skipped', reason }
  if (status !== 'decided' || typeof reference !== 'string' || reference === '') return null
  if (decision !== 'accept' && decision !== 'reject' && decision !== 'review') return null
  return { outcome: 'decided', decision, reference }
}

function unknown(): DecideAnswer {
  return { outcome: 'unknown', reason: 'the provider gave no readable answer' }
}

/** Repeats only a code: a longer text may contain what was sent. */
function codeIn(body: unknown): string {
  const error = isObject(body) ? body['error'] : undefined
  return isCode(error) ? ` ${error}` : ''
}

function isCode(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z_]{1,50}$/.test(value)
}

/** If no connection was made, nothing was sent. After any other error, the request may have arrived. */
function isUnreachable(error: unknown): boolean {
  const cause = error instanceof TypeError ? error.cause : undefined
  return isObject(cause) && ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(String(cause['code']))
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
