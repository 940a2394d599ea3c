import { hash } from 'node:crypto'

/** How a service has fared lately with payments of one segment. Both counts fade. */
export type Score = {
  readonly successes: number
  readonly failures: number
  readonly failures_in_a_row: number
  readonly failing_since: Date | null
  readonly last_outcome_at: Date
}

/** Half of what was learned is gone after so many payments, or after so much time. */
export const HALF_LIFE_PAYMENTS = 1_000
export const HALF_LIFE_MS = 6 * 3_600_000

export function isEnough(score: Score): boolean {
  return countOf(score) >= 100
}

/** The payments that the figures stand for. */
export function countOf({ successes, failures }: Pick<Score, 'successes' | 'failures'>): number {
  return successes + failures
}

/** What later outcomes, the newest last, make of a score. `null`: the first ones. */
export function added(before: Score | null, later: Score): Score {
  if (!before) return later
  const passedMs = Math.max(0, later.last_outcome_at.getTime() - before.last_outcome_at.getTime())
  const kept = 0.5 ** (countOf(later) / HALF_LIFE_PAYMENTS + passedMs / HALF_LIFE_MS)
  const wasBroken = later.successes > 0
  return {
    successes: before.successes * kept + later.successes,
    failures: before.failures * kept + later.failures,
    failures_in_a_row: later.failures_in_a_row + (wasBroken ? 0 : before.failures_in_a_row),
    failing_since: wasBroken ? later.failing_since : (before.failing_since ?? later.failing_since),
    last_outcome_at: new Date(Math.max(before.last_outcome_at.getTime(), later.last_outcome_at.getTime())),
  }
}

export function scoreOf(isSuccess: boolean, at: Date): Score {
  return {
    successes: isSuccess ? 1 : 0,
    failures: isSuccess ? 0 : 1,
    failures_in_a_row: isSuccess ? 0 : 1,
    failing_since: isSuccess ? null : at,
    last_outcome_at: at,
  }
}

const UNLIKELY = 1e-4
/** However good a service was, three failures in a row may happen to it. */
const RATE_MAX = 0.95

/** Whether the service fails so often in a row that its own rate no longer explains it. Then it is set aside. */
export function isAside({ successes, failures, failures_in_a_row }: Score): boolean {
  const earlier = Math.max(0, failures - failures_in_a_row)
  const rate = Math.min(RATE_MAX, (successes + 1) / (successes + earlier + 2))
  return (1 - rate) ** failures_in_a_row < UNLIKELY
}

export function rateOf(score: Score): number {
  return score.successes / countOf(score)
}

/** Of the normal distribution: 95 % lie within. */
const Z = 1.96

/** Between which rates the true one lies, with 95 % certainty (Wilson). */
export function intervalOf({ successes, failures }: Pick<Score, 'successes' | 'failures'>): {
  readonly low: number
  readonly high: number
} {
  const count = successes + failures
  const rate = successes / count
  const middle = rate + Z ** 2 / (2 * count)
  const width = Z * Math.sqrt((rate * (1 - rate)) / count + Z ** 2 / (4 * count ** 2))
  const whole = 1 + Z ** 2 / count
  return { low: Math.max(0, (middle - width) / whole), high: Math.min(1, (middle + width) / whole) }
}

/** What tells payments of one service apart that fare differently. */
export type Paid = {
  readonly method: string | null
  readonly scheme: string | null
  readonly currency: string
  readonly country: string | null
}

export function paidOf(row: {
  readonly method: string | null
  readonly payment_method_scheme: string | null
  readonly currency: string
  readonly payment_method_country: string | null
}): Paid {
  return {
    method: row.method,
    scheme: row.payment_method_scheme,
    currency: row.currency,
    country: row.payment_method_country,
  }
}

const SEPARATOR = ' '
const MISSING = '-'

/** From coarse to fine. Figures about few payments mean little, so a coarser segment then speaks for a finer one. */
export function segmentsOf({ method, scheme, currency, country }: Paid): readonly [string, string, string] {
  const coarse = method ?? MISSING
  const middle = [coarse, scheme ?? MISSING].join(SEPARATOR)
  return [coarse, middle, [middle, currency, country ?? MISSING].join(SEPARATOR)]
}

/** The parts of a segment, for people. */
export function readSegment(segment: string): {
  readonly method: string
  readonly scheme: string | null
  readonly currency: string | null
  readonly country: string | null
} {
  const [method = MISSING, ...parts] = segment.split(SEPARATOR)
  const [scheme = null, currency = null, country = null] = parts.map((part) =>
    part === MISSING ? null : part,
  )
  return { method, scheme, currency, country }
}

/** Numbers between 0 and 1. The same seed gives the same ones. */
export type Random = () => number

/** Small, fast and even enough to choose services with: sfc32, from a digest of the seed. */
export function randomFrom(seed: string): Random {
  const digest = hash('sha256', seed, 'buffer')
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ]
  return () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
}

/**
 * A rate that the service may well have, given what is known of it: often near its average if much is known, anywhere if
 * little is. The service with the highest one is asked, so each is tried as often as it may be the best (Thompson sampling).
 */
export function drawRate(
  { successes, failures }: { readonly successes: number; readonly failures: number },
  random: Random,
): number {
  const won = drawGamma(successes + 1, random)
  return won / (won + drawGamma(failures + 1, random))
}

/** Marsaglia and Tsang's method, for shapes from 1 upwards. */
function drawGamma(shape: number, random: Random): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const normal = drawNormal(random)
    const cube = (1 + c * normal) ** 3
    if (cube <= 0) continue
    if (Math.log(1 - random()) < normal ** 2 / 2 + d - d * cube + d * Math.log(cube)) return d * cube
  }
}

function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
