import { expect, test } from 'vitest'
import { WriteBeside } from './write-beside.ts'

const AWAY = Object.assign(new Error('away'), { code: '57P01' })

type Lost = { readonly count: number; readonly reason: string }

function open(insert: (rows: readonly number[]) => Promise<void>, batch = 2) {
  const lost: Lost[] = []
  const writer = new WriteBeside<number>({
    insert,
    pauseMs: 60_000,
    batch,
    waitingMax: 10,
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
  for (let row = 1; row <= 11; row += 1) writer.add(row)

  await writer.flush()

  expect(writer.counts).toEqual({ written: 10, lost: 1 })
  expect(lost).toEqual([{ count: 1, reason: 'Error: too many rows wait to be written' }])
})

test('goes on with the next rows after a write that failed', async () => {
  const { writer, lost } = open(async ([first]) => {
    if (first === 1) throw AWAY
  })
  for (const row of [1, 2, 3]) writer.add(row)

  await writer.flush()

  expect(writer.counts).toEqual({ written: 1, lost: 2 })
  expect(lost).toEqual([{ count: 2, reason: 'Error: away' }])
})

test('loses only the rows that the database refuses, and says so once', async () => {
  const written: number[] = []
  const { writer, lost } = open(async (rows) => {
    if (rows.some((row) => row === 3 || row === 8)) throw new Error('refused')
    written.push(...rows)
  }, 10)
  for (let row = 1; row <= 10; row += 1) writer.add(row)

  await writer.flush()

  expect(written).toEqual([1, 2, 4, 5, 6, 7, 9, 10])
  expect(writer.counts).toEqual({ written: 8, lost: 2 })
  expect(lost).toEqual([{ count: 2, reason: 'Error: refused' }])
})

test.each([
  ['is away', '57P01'],
  ['is too slow', '57014'],
])('does not ask a database that %s again for each row', async (_how, code) => {
  let asked = 0
  const { writer } = open(async () => {
    asked += 1
    throw Object.assign(new Error('not now'), { code })
  }, 10)
  for (let row = 1; row <= 10; row += 1) writer.add(row)

  await writer.flush()

  expect(asked).toBe(1)
  expect(writer.counts).toEqual({ written: 0, lost: 10 })
})
