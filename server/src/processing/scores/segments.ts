/** What tells payments of one service apart that fare differently. */
export type Paid = {
  readonly method: string | null
  readonly scheme: string | null
  readonly currency: string
  readonly country: string | null
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
