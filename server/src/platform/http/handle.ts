import { answerOf } from '../idempotency/once.ts'
import { type ApiError, DETAILS_MAX, type ErrorDetail, errors } from './errors.ts'
import { allComplaints } from './meaning.ts'
import type { Call, Operation } from './operation.ts'

/** Runs an operation after its own checks have passed. */
export async function handle(operation: Operation, call: Call): Promise<unknown> {
  const { caller, context, once, params, query, body } = call
  // A card may have expired since its payment began. Begun work goes on, and is not checked again.
  const isBegun = once.begun !== null
  const complaints = isBegun
    ? []
    : allComplaints(operation, { caller, now: context.clock(), params, query, body }, [])
  if (complaints.length > 0) throw invalid(complaints)
  return answerOf(await operation.handler(call))
}

export function invalid(complaints: readonly ErrorDetail[]): ApiError {
  return errors.invalid(...complaints.slice(0, DETAILS_MAX))
}
