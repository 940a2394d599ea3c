import { type ApiError, type ErrorDetail, errors } from './errors.ts'
import { allComplaints } from './meaning.ts'
import { answerOf } from './once.ts'
import type { Call, Operation } from './operation.ts'

/** A body of a million mistakes gets an answer of a readable size. */
const DETAILS_MAX = 100

/** Does what an operation does, once its checks of meaning have nothing against it. */
export async function handle(operation: Operation, call: Call): Promise<unknown> {
  const { caller, context, once, query, body } = call
  // A card may have expired since its payment was begun: what was begun goes on, and is not judged again.
  const isBegun = once.begun !== null
  const complaints = isBegun
    ? []
    : allComplaints(operation, { caller, now: context.clock(), query, body }, [])
  if (complaints.length > 0) throw invalid(complaints)
  return answerOf(await operation.handler(call))
}

export function invalid(complaints: readonly ErrorDetail[]): ApiError {
  return errors.invalid(...complaints.slice(0, DETAILS_MAX))
}
