import { ERROR_CODES, type ErrorCode } from '#connectors/contract/codes.ts'
import type { Answer, AuthorizeAnswer, Link, Refused, Unknown } from '#connectors/contract/connector.ts'
import type { Instrument } from '#connectors/contract/orders.ts'
import { secret } from '#connectors/contract/secret.ts'

const PROCESSOR_URL = 'https://processor.simulator.invalid'

type Reply = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

/** Null if no JSON object came back. Sends a body as `POST`. */
export async function call({ fetch, fields }: Link, path: string, body?: object): Promise<Reply | null> {
  try {
    const response = await fetch(`${PROCESSOR_URL}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        // A header allows few characters; a merchant's id may have any.
        'x-merchant-id': encodeURIComponent(fields['merchant_id'] ?? ''),
        // The processor settles cards and wallets apart.
        'x-product': 'wallet',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const read: unknown = await response.json()
    return typeof read === 'object' && read !== null
      ? { status: response.status, body: read as Reply['body'] }
      : null
  } catch {
    // The error may repeat what was sent.
    return null
  }
}

/** Answers that say that the processor has done nothing, and why. Other errors prove nothing. */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  '400 bad_request': 'invalid_service_request',
  '401 unknown_merchant': 'invalid_service_credentials',
  '404 unknown_reference': 'unknown_service_resource',
  '409 attempt_closed': 'service_resource_conflict',
}

export function toAnswer(reply: Reply | null): AuthorizeAnswer {
  if (!reply) return unknown('the processor gave no readable answer')
  if (reply.status !== 200) {
    const error = `${reply.status} ${reply.body['error']}`
    const code = REFUSALS[error]
    return code ? refused(code, null, error) : unknown('the processor gave an answer that proves nothing')
  }
  const { status, reference, code, description, approval_url: url } = reply.body
  if (typeof reference !== 'string' || reference === '') return unknown('the answer has no reference')
  const facts = { rawCode: textOf(code), rawDescription: textOf(description) }
  if (status === 'approved') return { outcome: 'approved', reference, facts, ...tokenIn(reply.body) }
  if (status === 'refused' && isErrorCode(description)) return refused(description, reference, textOf(code))
  if (status !== 'pending') return unknown('the answer has a status that we do not know')
  if (typeof url !== 'string')
    return {
      outcome: 'pending',
      reference,
      ...(reply.body['permitted'] === true && { isPermitted: true }),
      facts,
    }
  return {
    outcome: 'approval_required',
    reference,
    approval: { kind: 'redirect', url },
    hasSession: true,
    facts,
  }
}

/** Only a payment or a token is approved by the buyer. */
export function toFollowUpAnswer(answer: AuthorizeAnswer): Answer {
  return answer.outcome === 'approval_required' ? unknown('the processor asks the buyer again') : answer
}

export function toInstrument(instrument: Instrument, redirectUrl: string | null): object {
  return instrument.kind === 'provider-token'
    ? { type: 'token', token: instrument.token.use(String) }
    : { type: instrument.kind, return_url: redirectUrl }
}

function tokenIn({ token, label }: Reply['body']) {
  return typeof token === 'string' ? { token: { value: secret(token), label: textOf(label) } } : {}
}

/** Nothing was done. The code says whether it was a decline or a failure. */
function refused(code: ErrorCode, reference: string | null, rawCode: string | null): Refused {
  const { category, isRetriable } = ERROR_CODES[code]
  const outcome = category === 'decline' ? 'declined' : 'failed'
  return { outcome, code, isRetriable, reference, facts: { rawCode, rawDescription: code } }
}

function unknown(reason: string): Unknown {
  return { outcome: 'unknown', reason }
}

/** The processor was made for this service, so its descriptions are the codes of our contract. */
function isErrorCode(text: unknown): text is ErrorCode {
  return typeof text === 'string' && Object.hasOwn(ERROR_CODES, text)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
