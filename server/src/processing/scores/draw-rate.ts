import { hash } from 'node:crypto'

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
