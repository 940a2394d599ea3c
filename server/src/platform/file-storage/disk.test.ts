import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { tempFolder } from '#testing/temp-folder.ts'
import { diskStorage } from './disk.ts'

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
  expect(await text(opened?.content ?? chunks())).toBe('one\r\ntwo\r\n')
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
    'The folder for report files is not a folder.',
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
