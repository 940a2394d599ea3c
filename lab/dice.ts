export type Weights<Value> = readonly (readonly [value: Value, weight: number])[]

/** The same, for texts: `{ card: 85, paypal: 15 }`. */
export function weighed<Value extends string>(weights: Readonly<Record<Value, number>>): Weights<Value> {
  return Object.entries(weights) as [Value, number][]
}

/** One of several values, each as often as its weight says. */
export function pick<Value>(weights: Weights<Value>, chance: number): Value {
  const sum = weights.reduce((total, [, weight]) => total + weight, 0)
  let left = chance * sum
  for (const [value, weight] of weights) {
    left -= weight
    if (left < 0) return value
  }
  const last = weights.at(-1)
  if (!last) throw new Error('there is something to pick from')
  return last[0]
}

/** Numbers from 0 to 1 that depend on the index only. */
export function dice(index: number): () => number {
  let count = 0
  return () => {
    count += 1
    return mix(index, count) / 2 ** 32
  }
}

/** A number of 32 bits that looks random. */
export function mix(number: number, salt: number): number {
  let hash = Math.imul(number ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f)
  return (hash ^ (hash >>> 15)) >>> 0
}
