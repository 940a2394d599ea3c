import type { Route } from '../../api/client.ts'
import { type AnswerOf, ApiError, call, type Given } from '../api/client.ts'

/** Calls an operation of a person without a session: a refusal is about what they sent, not about a session that ended. */
export async function askServer<Name extends Route>(
  route: Name,
  given: Given<Name>,
): Promise<AnswerOf<Name>> {
  const answer = await call(route, given)
  if (!answer.isGood) throw new ApiError(answer.error)
  return answer.body
}
