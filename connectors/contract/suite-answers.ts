import { expect } from 'vitest'
import { answerProblems } from './check-answer.ts'
import { ERROR_CODES } from './codes.ts'
import type { Answer, SyncAnswer } from './connector.ts'

/** Checks that an answer has the shape of the contract, and that a refusal has the outcome that its code stands for. */
export function checkAnswer(answer: Answer | SyncAnswer): void {
  expect(answerProblems('sync', answer)).toEqual([])
  if (answer.outcome !== 'declined' && answer.outcome !== 'failed') return
  const { category } = ERROR_CODES[answer.code]
  expect(answer.outcome).toBe(category === 'decline' ? 'declined' : 'failed')
}
