import { randomUUID } from 'node:crypto'

/** A UUIDv7, so that new rows land together at the end of an index. */
export function newReference(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
