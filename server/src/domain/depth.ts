/** Deeper than any of our schemas. */
export const DEPTH_MAX = 32

/** Level by level and without recursion: a body of 1 MiB can be nested half a million times. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= DEPTH_MAX; depth += 1) {
    const holders = level.filter((one): one is object => one !== null && typeof one === 'object')
    if (holders.length === 0) return false
    level = holders.flatMap((holder) => Object.values(holder))
  }
  return true
}
