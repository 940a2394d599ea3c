import { expect, test } from 'vitest'
import { WriteBeside } from './write-beside.ts'

type Lost = { readonly count: number; readonly reason: string }

function open(insert: (rows: readonly number[]) => Promise<void>) {
  const lost: Lost[] = []
  const writer = new WriteBeside<number>({
    insert,
    pauseMs: 60_000,
    batch: 2,
    waitingMax: 5,
    retentionDays: 1,
    onLost: (count, error) => void lost.push({ count, reason: String(error) }),
  })
  return { writer, lost }
}

test('writes what waits in batches, in order', async () => {
  const written: number[][] = []
  const { writer } = open(async (rows) => void written.push([...rows]))
  for (const row of [1, 2, 3]) writer.add(row)

  await writer.flush()

  expect(written).toEqual([[1, 2], [3]])
  expect(writer.counts).toEqual({ written: 3, lost: 0 })
})

test('loses rows beyond its limit, and says so', async () => {
  const { writer, lost } = open(async () => {})
  for (const row of [1, 2, 3, 4, 5, 6]) writer.add(row)

  await writer.flush()

  expect(writer.counts).toEqual({ written: 5, lost: 1 })
  expect(lost).toEqual([{ count: 1, reason: 'Error: too many rows wait to be written' }])
})

test('goes on with the next rows after a write that failed', async () => {
  const { writer, lost } = open(async ([first]) => {
    if (first === 1) throw new Error('away')
  })
  for (const row of [1, 2, 3]) writer.add(row)

  await writer.flush()

  expect(writer.counts).toEqual({ written: 1, lost: 2 })
  expect(lost).toEqual([{ count: 2, reason: 'Error: away' }])
})
