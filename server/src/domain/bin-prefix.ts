/** The digits that distinguish card ranges: issuers hold blocks down to eleven digits. */
export const BIN_DIGITS_MAX = 11

/**
 * The fewest prefixes that together make up a range: 411110 to 411199 is 41111 to 41119. Unlike ranges,
 * prefixes are found with an ordinary index, and the longest match is always the narrowest.
 */
export function prefixesOf(from: string, to: string): string[] {
  const shared = sharedStart(from, to)
  const low = from.slice(shared.length)
  const high = to.slice(shared.length)
  if (/^0*$/.test(low) && /^9*$/.test(high)) return [shared]
  const first = Number(low[0])
  const last = Number(high[0])
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((digit) => {
    const start = `${shared}${digit}`
    const rest = low.length - 1
    const lowest = digit === first ? from : start + '0'.repeat(rest)
    const highest = digit === last ? to : start + '9'.repeat(rest)
    return prefixesOf(lowest, highest)
  })
}

function sharedStart(from: string, to: string): string {
  let length = 0
  while (length < from.length && from[length] === to[length]) length += 1
  return from.slice(0, length)
}
