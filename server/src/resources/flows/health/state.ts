import { isAside, type Score } from '#processing/scores/score.ts'

/** How a payment service stands with rules that choose by success. */
export const STANDINGS = ['healthy', 'aside', 'unknown'] as const

export function standingOf(score: Score | undefined): (typeof STANDINGS)[number] {
  if (!score) return 'unknown'
  return isAside(score) ? 'aside' : 'healthy'
}
