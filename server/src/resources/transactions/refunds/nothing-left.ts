import { ApiError, inBody } from '../../../platform/errors.ts'

/** All was given back before, or is on its way. To give back all that is left, that is no trouble. */
export class NothingLeftError extends ApiError {
  constructor() {
    const detail = inBody('/amount', 'value_error.number.not_le', 'nothing is left to refund')
    super('bad_request', { message: 'Request failed validation', details: [detail] })
  }
}
