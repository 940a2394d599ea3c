import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '#testing/temp-folder.ts'
import { isDatabaseAway } from '../database/database-errors.ts'
import { diskStorage } from './disk.ts'
import { isShort } from './room.ts'

async function* chunks(...parts: string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part)
}

function storageIn(folder: string) {
  return diskStorage({ folder, linkTo: (key) => `https://pay.example.com/${key}` })
}

test('keeps a file, says its size and hash, and gives it back', async () => {
  const folder = join(tempFolder(), 'not', 'there', 'yet')
  const storage = storageIn(folder)

  const stored = await storage.put('a.csv', chunks('one\r\n', 'two\r\n'))

  expect(stored).toEqual({ size: 10, sha256: createHash('sha256').update('one\r\ntwo\r\n').digest('hex') })
  const opened = await storage.open?.('a.csv')
  expect(opened?.size).toBe(10)
  expect(await text(opened?.content() ?? chunks())).toBe('one\r\ntwo\r\n')
  // Only the service's own user may read reports.
  expect(statSync(join(folder, 'a.csv')).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('a file that cannot be written whole is not there at all', async () => {
  const folder = tempFolder()
  const storage = storageIn(folder)
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('one\r\n')
    expect(readdirSync(folder).filter((name) => !name.endsWith('.part'))).toEqual([])
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }

  await expect(storage.put('a.csv', broken())).rejects.toThrow('The disk is full.')

  expect(readdirSync(folder)).toEqual([])
  expect(await storage.open?.('a.csv')).toBeUndefined()
})

test('a file stays as it was while it is replaced', async () => {
  const folder = tempFolder()
  const storage = storageIn(folder)
  await storage.put('a.csv', chunks('old'))
  async function* slow(): AsyncGenerator<Buffer> {
    yield Buffer.from('new')
    expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe('old')
  }

  await storage.put('a.csv', slow())

  expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe('new')
})

test('removes a file, also one that is not there', async () => {
  const storage = storageIn(tempFolder())
  await storage.put('a.csv', chunks('x'))

  await storage.remove('a.csv')
  await storage.remove('a.csv')

  expect(await storage.open?.('a.csv')).toBeUndefined()
})

test('a folder has a name that all processes read alike, and another folder has another', async () => {
  const folder = tempFolder()

  const names = await Promise.all([storageIn(folder).place(), storageIn(folder).place()])

  expect(new Set(names).size).toBe(1)
  expect(await storageIn(tempFolder()).place()).not.toBe(names[0])
})

test('a folder that is a file is a sentence', async () => {
  const file = join(tempFolder(), 'file')
  writeFileSync(file, '')

  await expect(storageIn(join(file, 'reports')).put('a.csv', chunks('x'))).rejects.toThrow(
    'The folder for files is not a folder.',
  )
})

test('what dead processes have left is removed after a day', async () => {
  const folder = tempFolder()
  mkdirSync(folder, { recursive: true })
  for (const name of ['old.part', 'new.part', 'old.csv']) writeFileSync(join(folder, name), 'x')
  for (const name of ['old.part', 'old.csv']) utimesSync(join(folder, name), 0, 0)

  await storageIn(folder).tidy()

  expect(readdirSync(folder).toSorted()).toEqual(['new.part', 'old.csv'])
})

test('a name that a crash has left empty is made anew, and no half name is ever there', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'folder-name'), '')

  const name = await storageIn(folder).place()

  expect(name).toMatch(/^disk [0-9a-f-]{36}$/)
  expect(await storageIn(folder).place()).toBe(name)
  expect(readdirSync(folder)).toEqual(['folder-name'])
})

test('what workers have left of one file is removed at once', async () => {
  const folder = tempFolder()
  for (const name of ['a-1.csv.x.part', 'a-2.csv.y.part', 'b-1.csv.z.part', 'a-1.csv'])
    writeFileSync(join(folder, name), 'x')

  await storageIn(folder).discard('a-')

  expect(readdirSync(folder).toSorted()).toEqual(['a-1.csv', 'b-1.csv.z.part'])
})

test('a folder that is removed while a file is written is a sentence, and no trouble of the database', async () => {
  const folder = tempFolder()
  async function* removing(): AsyncGenerator<Buffer> {
    yield Buffer.from('one')
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
  }

  const failure: unknown = await storageIn(folder)
    .put('a.csv', removing())
    .catch((error: unknown) => error)

  expect(failure).toMatchObject({ message: expect.stringContaining('was removed while') })
  expect(isDatabaseAway(failure)).toBe(false)
  expect(isDatabaseAway((failure as Error).cause)).toBe(false)
})

test('a database whose socket is missing is away, also while a file is written', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('one')
    await new Promise((_resolve, reject) => connect(join(tempFolder(), 'no-socket')).on('error', reject))
  }

  await expect(storageIn(tempFolder()).put('a.csv', broken())).rejects.toSatisfy(isDatabaseAway)
})

describe('a disk that is nearly full', () => {
  const GIB = 1024 ** 3
  const MIB = 1024 ** 2

  test.each([
    ['less than a gibibyte of a large disk', { free: GIB - 1, total: 1_000 * GIB }, true],
    ['a gibibyte of a large disk', { free: GIB, total: 1_000 * GIB }, false],
    ['a twentieth of a small disk', { free: 50 * MIB, total: 1_000 * MIB }, false],
    ['less than a twentieth of a small disk', { free: 49 * MIB, total: 1_000 * MIB }, true],
  ])('has %s', (_what, room, expected) => {
    expect(isShort(room)).toBe(expected)
  })

  test('takes no file, and leaves none that has become too large', async () => {
    const folder = tempFolder()
    const rooms = [GIB - MIB, 2 * GIB, GIB - MIB]
    const findRoom = async () => ({ free: rooms.shift() ?? 0, total: 100 * GIB })
    const storage = diskStorage({ folder, linkTo: () => '', findRoom })
    async function* large(): AsyncGenerator<Buffer> {
      for (let part = 0; part < 20; part += 1) yield Buffer.alloc(MIB)
    }

    await expect(storage.put('a.csv', large())).rejects.toThrow('nearly full: 1023 MiB are free')
    await expect(storage.put('b.csv', large())).rejects.toThrow('nearly full')

    expect(rooms).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })
})
