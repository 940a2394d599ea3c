import { randomUUID } from 'node:crypto'

const SEQUENCE_MAX = 0xfff
/** A clock that goes back by less than this was corrected a little, and the order of ids is kept. */
const BACK_MAX_MS = 3_600_000

/**
 * UUIDv7 (RFC 9562): the time first, so that new rows land together at the end of an index. A counter keeps the order of
 * ids that one maker makes within a millisecond. Each clock has a maker of its own: one that is ahead would make the ids of
 * all others later than they are.
 */
export function idMaker(): (nowMs?: number) => string {
  let lastMs = 0
  let sequence = 0
  let begun = { ms: -1, text: '' }
  const nextMs = (nowMs: number): number => {
    // It was far ahead, and is right again: ids must not stay in the future until then.
    if (nowMs < lastMs - BACK_MAX_MS) lastMs = 0
    sequence = nowMs > lastMs ? 0 : sequence + 1
    lastMs = Math.max(nowMs, lastMs)
    if (sequence > SEQUENCE_MAX) {
      sequence = 0
      lastMs += 1
    }
    return lastMs
  }
  return (nowMs = Date.now()) => {
    const ms = nextMs(nowMs)
    // A batch makes hundreds of ids within a millisecond, which begin alike.
    if (ms !== begun.ms) begun = { ms, text: beginningOf(ms) }
    const count = sequence.toString(16).padStart(3, '0')
    // The last two groups of a random UUID have the right form for the rest.
    return `${begun.text}${count}-${randomUUID().slice(19)}`
  }
}

function beginningOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}

let makeRowId = idMaker()

/** Ids of rows. The caller passes the time. */
export const newId = (nowMs?: number): string => makeRowId(nowMs)

/** For tests, which move their clocks: ids of the next test begin at its own time again. */
export function restartIds(): void {
  makeRowId = idMaker()
}

/** When a row was created: its id begins with that time. */
export function createdAt(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/** The smallest id that a row created at this time can have. */
export function firstIdOf(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}
