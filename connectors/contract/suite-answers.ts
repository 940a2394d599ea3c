import { expect } from 'vitest'
import { ERROR_CODES } from './codes.ts'
import type { Answer, SyncAnswer } from './connector.ts'

/** Checks that a refusal has a code of the contract, and the outcome that the code stands for. */
export function checkAnswer(answer: Answer | SyncAnswer): void {
  if (answer.outcome !== 'declined' && answer.outcome !== 'failed') return
  const { category } = ERROR_CODES[answer.code]
  expect(answer.outcome).toBe(category === 'decline' ? 'declined' : 'failed')
  expect(answer.isRetriable).toBeTypeOf('boolean')
}
