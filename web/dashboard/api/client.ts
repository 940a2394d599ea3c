import type { Route } from '../../api/client.ts'
import type { Operations, Schemas } from '../../api/schema.d.ts'
import { selectedAccount } from './account.ts'
import { call, type Given } from './call.ts'
import { proveAgain, sessionEnded, wasRefused } from './session.ts'

/** What an operation takes. */
export type Request<Name extends Route> = Omit<Given<Name>, 'headers'> & {
  /** Repeating a request with the same key never does its work twice. */
  readonly idempotencyKey?: string
  /** Asks for another form of the answer: `transaction-capture` instead of the transaction. */
  readonly prefer?: string
}

export type AnswerOf<Name extends Route> = Operations[Name]['answer']

type Facts = Pick<ApiError, 'code' | 'status' | 'message' | 'details' | 'requestId' | 'retryAfterSeconds'>

/** The server refused, or no answer arrived. */
export class ApiError extends Error {
  readonly code: string
  /** 0 if no answer arrived. */
  readonly status: number
  readonly details: readonly Schemas['ErrorDetail'][]
  readonly requestId: string | null
  /** When the server will listen again, if it says so. */
  readonly retryAfterSeconds: number | null

  constructor({ code, status, message, details, requestId, retryAfterSeconds }: Facts) {
    super(message)
    this.code = code
    this.status = status
    this.details = details
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }

  /**
   * Whether the work may have been done, or may still be: no answer, one of a server in trouble, or one that asks to
   * wait. It is never shown as a failure.
   */
  get isOpen(): boolean {
    return this.status === 0 || this.status >= 500 || ['concurrent_request', 'too_early'].includes(this.code)
  }

  /** A list walked over too many rows. The server names the bound that it wants. */
  get wantsDates(): boolean {
    return this.isAbout('/created_at_gte')
  }

  /** A question about metrics is about too long a time, or about too many payments to count. */
  get wantsShorterPeriod(): boolean {
    return this.isAbout('/datetime_range')
  }

  private isAbout(place: string): boolean {
    return this.status === 400 && this.details.some(({ pointer }) => pointer === place)
  }
}

/** Calls an operation as the user who has signed in, on the merchant account that is selected. */
export async function send<Name extends Route>(route: Name, request: Request<Name>): Promise<AnswerOf<Name>> {
  const answer = await ask(route, request)
  if (answer.isGood) return answer.body
  const error = new ApiError(answer.error)
  if (request.signal?.aborted) throw request.signal.reason
  if (error.status === 401) sessionEnded()
  const wantsProof = error.code === 'step_up_required'
  if (error.status === 403 && !wantsProof) wasRefused()
  if (!wantsProof || !(await proveAgain())) throw error
  const again = await ask(route, request)
  if (again.isGood) return again.body
  throw new ApiError(again.error)
}

function ask<Name extends Route>(route: Name, { idempotencyKey, prefer, ...request }: Request<Name>) {
  const account = selectedAccount()
  const headers = {
    ...(account !== undefined && { 'x-switchyard-merchant-account-id': account }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(prefer !== undefined && { prefer: `resource=${prefer}` }),
  }
  return call(route, { ...request, headers } as unknown as Given<Name>)
}

/** Complaints about the body as complaints about the form, where its questions have other names. */
export async function pointingElsewhere<Answer>(
  work: () => Promise<Answer>,
  rename: (pointer: string) => string,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, status, message, requestId, retryAfterSeconds } = error
    const details = error.details.map((detail) => ({ ...detail, pointer: rename(detail.pointer) }))
    throw new ApiError({ code, status, message, details, requestId, retryAfterSeconds })
  }
}
