import { randomFillSync } from 'node:crypto'

const SEQUENCE_MAX = 0xfff
let lastMs = 0
let sequence = 0

/**
 * UUIDv7 (RFC 9562): the time first, so that new rows land together at the end of an index. A counter
 * keeps the order of ids that one process makes within a millisecond.
 */
export function newId(nowMs: number = Date.now()): string {
  const bytes = randomFillSync(new Uint8Array(16))
  const ms = nextMs(nowMs)
  bytes[0] = ms / 2 ** 40
  bytes[1] = ms / 2 ** 32
  bytes[2] = ms / 2 ** 24
  bytes[3] = ms / 2 ** 16
  bytes[4] = ms / 2 ** 8
  bytes[5] = ms
  bytes[6] = 0x70 | (sequence >> 8)
  bytes[7] = sequence
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function nextMs(nowMs: number): number {
  sequence = nowMs > lastMs ? 0 : sequence + 1
  lastMs = Math.max(nowMs, lastMs)
  if (sequence > SEQUENCE_MAX) {
    sequence = 0
    lastMs += 1
  }
  return lastMs
}
