/** First digits of numbers, from and to. Both are padded to one length, so that texts compare like numbers. */
export type Range = { readonly from: string; readonly to: string }

/** `41410000-42429999`, or one start of numbers: `4141` is every number that begins with it. Undefined: no range. */
export function readRange(text: string, digits: number): Range | undefined {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text)
  if (!match) return undefined
  const [, first = '', last = first] = match
  if (first.length > digits || last.length > digits) return undefined
  const range = { from: first.padEnd(digits, '0'), to: last.padEnd(digits, '9') }
  return range.from <= range.to ? range : undefined
}

/** Whether the start of a number lies in one of the ranges. They are sorted once, and do not overlap any more. */
export function searchIn(ranges: readonly Range[]): (start: string) => boolean {
  const merged = mergeSorted(ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1)))
  const digits = merged[0]?.from.length ?? 0
  return (start) => {
    const padded = start.length === digits ? start : start.slice(0, digits).padEnd(digits, '0')
    let low = 0
    let high = merged.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const range = merged[middle] as Range
      if (padded < range.from) high = middle - 1
      else if (padded > range.to) low = middle + 1
      else return true
    }
    return false
  }
}

function mergeSorted(sorted: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const range of sorted) {
    const last = merged.at(-1)
    if (!last || range.from > last.to) merged.push(range)
    else if (range.to > last.to) merged[merged.length - 1] = { from: last.from, to: range.to }
  }
  return merged
}
