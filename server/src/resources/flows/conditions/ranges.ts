export const CARD_BIN_DIGITS = 8
export const GIFT_CARD_BIN_DIGITS = 9

/** First digits of numbers, from and to, as numbers of one length: they compare faster than texts. */
export type Range = { readonly from: number; readonly to: number }

/** `41410000-42429999`, or one start of numbers: `4141` is every number that begins with it. Undefined: no range. */
export function readRange(text: string, digits: number): Range | undefined {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text)
  if (!match) return undefined
  const [, first = '', last = first] = match
  if (first.length > digits || last.length > digits) return undefined
  const range = { from: Number(first.padEnd(digits, '0')), to: Number(last.padEnd(digits, '9')) }
  return range.from <= range.to ? range : undefined
}

/** The start of a number, as ranges compare it. */
export function startOf(text: string, digits: number): number {
  return Number(text.slice(0, digits).padEnd(digits, '0'))
}

/** Whether the start of a number lies in one of the ranges. They are sorted once, and do not overlap any more. */
export function searchIn(ranges: readonly Range[]): (start: number) => boolean {
  const merged = mergeSorted(ranges.toSorted((a, b) => a.from - b.from))
  const starts = merged.map(({ from }) => from)
  const ends = merged.map(({ to }) => to)
  return (start) => {
    let low = 0
    let high = starts.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      if (start < (starts[middle] as number)) high = middle - 1
      else if (start > (ends[middle] as number)) low = middle + 1
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
