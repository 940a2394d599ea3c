/** An answer that says no. PayPal names the kind of error, and in `details` each issue. */
export class Problem extends Error {
  readonly status: number
  readonly body: Record<string, unknown>

  constructor(status: keyof typeof KINDS, issue?: string, over: { field?: string } = {}) {
    const { name, message } = KINDS[status]
    super(`${status} ${issue ?? name}`)
    this.status = status
    const { field } = over
    this.body = {
      name,
      message,
      debug_id: 'f0000000000001',
      ...(issue && { details: [{ ...(field && { field, location: 'body' }), issue }] }),
    }
  }
}

/** Transaction Search names this one beside the kinds that the contracts publish. */
export class TooMuch extends Problem {
  constructor() {
    super(400)
    Object.assign(this.body, {
      name: 'RESULTSET_TOO_LARGE',
      message: 'Result set size is greater than the maximum limit. Change the filter criteria and try again.',
    })
  }
}

/** The names and sentences of the published contracts. */
const KINDS = {
  400: {
    name: 'INVALID_REQUEST',
    message: 'Request is not well-formed, syntactically incorrect, or violates schema.',
  },
  401: {
    name: 'AUTHENTICATION_FAILURE',
    message:
      'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  },
  403: { name: 'NOT_AUTHORIZED', message: 'Authorization failed due to insufficient permissions.' },
  404: { name: 'RESOURCE_NOT_FOUND', message: 'The specified resource does not exist.' },
  409: {
    name: 'RESOURCE_CONFLICT',
    message: 'The server has detected a conflict while processing this request.',
  },
  422: {
    name: 'UNPROCESSABLE_ENTITY',
    message:
      'The requested action could not be performed, semantically incorrect, or failed business validation.',
  },
} as const

/** The token endpoint follows OAuth 2.0 instead. */
export class TokenProblem extends Error {
  readonly status: number
  readonly body: Record<string, unknown>

  constructor(status: number, error: string, description: string) {
    super(error)
    this.status = status
    this.body = { error, error_description: description }
  }
}
