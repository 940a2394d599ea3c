import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Refused, Unknown } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { toWire } from './currency.ts'
import { type IssueMeaning, MAPPING } from './mapping.ts'
import { type Json, listIn, type Reply, textIn } from './wire.ts'

export const LOST: Unknown = unknown('PayPal gave no readable answer')

export function unknown(reason: string): Unknown {
  return { outcome: 'unknown', reason }
}

/** Why PayPal said no, if it certainly did nothing. */
export type Refusal = { readonly meaning: IssueMeaning; readonly issue: string }

/**
 * Reads an error as PayPal documents it. Null for everything that is not a documented "no": then the request may have been
 * carried out.
 */
export function refusalIn({ status, body }: Reply & { kind: 'answer' }): Refusal | null {
  const issue = textIn(listIn(body, 'details')[0], 'issue')
  const name = textIn(body, 'name')
  switch (status) {
    case 400:
    case 422:
      return issue === null || name === null ? null : { meaning: meaningOf(issue), issue }
    case 401:
      return isAboutToken(body) ? { meaning: 'invalid_service_credentials', issue: issue ?? '401' } : null
    case 403:
      return name === null ? null : { meaning: 'insufficient_service_permissions', issue: issue ?? name }
    case 404:
      return name === null ? null : { meaning: 'unknown_service_resource', issue: issue ?? name }
    case 409:
      return { meaning: 'undecided', issue: issue ?? '409' }
    case 429:
      return name === null ? null : { meaning: 'service_rate_limit', issue: name }
    default:
      return null
  }
}

/** PayPal adds issues to its lists. With a new one it has done nothing either, unless its name says otherwise. */
function meaningOf(issue: string): IssueMeaning {
  const known = MAPPING.issues[issue]
  if (known) return known
  return /ALREADY|IN_PROGRESS|DUPLICATE|PREVIOUS/.test(issue) ? 'undecided' : 'invalid_service_request'
}

function isAboutToken(body: Json): boolean {
  return textIn(body, 'error') !== null || textIn(body, 'name') === 'AUTHENTICATION_FAILURE'
}

/** What a reply means that is not the expected answer. */
export function toRefusal(reply: Reply): Refused | Unknown {
  if (reply.kind === 'lost') return LOST
  if (reply.kind === 'unsent') {
    return reply.why === 'refused'
      ? refused('invalid_service_credentials', { rawCode: 'invalid_client' })
      : refused('service_network_error', { rawDescription: 'PayPal gave no access token' })
  }
  const refusal = refusalIn(reply)
  if (!refusal) return unknown(`PayPal answered ${reply.status} with something else than it should`)
  const { meaning, issue } = refusal
  if (meaning === 'undecided' || meaning === 'buyer') return unknown(`PayPal answered ${safe(issue)}`)
  return refused(meaning, { rawCode: safe(issue), rawDescription: null })
}

/**
 * For an attempt that may have been sent before: having no token now says nothing about the first time.
 */
export function toLaterRefusal(reply: Reply): Refused | Unknown {
  return reply.kind === 'unsent' && reply.why === 'lost' ? LOST : toRefusal(reply)
}

/** What the answer to a request that may have been carried out before says about the first one. */
export function ofRepetition<Answer extends { readonly outcome: string }>(answer: Answer): Answer | Unknown {
  const isDoubtful = 'code' in answer && DOUBTFUL.has(answer.code as ErrorCode)
  return isDoubtful ? unknown('PayPal refused the repetition') : answer
}

/**
 * PayPal refuses the repetition of a request that it has carried out only if it no longer knows the request id, or if it
 * does not let us in. Such a refusal says nothing about the first request.
 */
const DOUBTFUL: ReadonlySet<ErrorCode> = new Set([
  'duplicate_transaction',
  'insufficient_service_permissions',
  'invalid_service_credentials',
  'refund_already_satisfied',
  'service_rate_limit',
  'unexpected_state',
  'unknown_service_resource',
] as const)

/** Merchants see it, so it must be a name and nothing else. */
function safe(issue: string): string {
  return /^[A-Za-z0-9_.]{1,100}$/.test(issue) ? issue : 'an unknown issue'
}

export function cannotExpress({ currency }: { readonly currency: string }): Refused {
  return toWire(0, currency) === null
    ? wrong('unsupported_currency', 'PayPal does not have this currency')
    : wrong('invalid_amount', 'PayPal takes this currency without decimals')
}

/** Certain, because nothing was sent. */
export function wrong(code: ErrorCode, sentence: string): Refused {
  return refused(code, { rawDescription: sentence })
}
