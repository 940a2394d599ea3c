import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { diskStorage } from '#platform/file-storage/disk.ts'
import { type Spooling, withSpool } from './spool-file.ts'

const root = mkdtempSync(join(tmpdir(), 'switchyard-spool-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder: string
beforeEach(() => {
  // It does not exist yet.
  folder = join(mkdtempSync(join(root, 'data-')), 'reports')
})

function spoolingIn(changes: Partial<Spooling> & { readonly free?: number } = {}): Spooling {
  const findRoom = async () => ({ free: changes.free ?? 2 ** 40, total: 2 ** 41 })
  const storage = diskStorage({ folder, linkTo: () => '', findRoom })
  return { storage, stopping: new AbortController().signal, ...changes }
}

async function* chunksOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a file of a provider', () => {
  test('is collected in the folder of the service, without a name, and can be read several times', async () => {
    const found = await withSpool(chunksOf('one,', 'two'), spoolingIn(), async (spool) => ({
      size: spool.size,
      texts: [await textOf(spool.read()), await textOf(spool.read())],
      names: readdirSync(folder),
    }))

    expect(found).toEqual({ size: 7, texts: ['one,two', 'one,two'], names: [] })
  })

  test('leaves nothing behind if the provider stops in the middle', async () => {
    async function* cut() {
      yield Buffer.from('one,')
      throw new Error('the connection was lost')
    }

    const reading = withSpool(cut(), spoolingIn(), async () => 'whole')

    await expect(reading).rejects.toThrow('the connection was lost')
    expect(readdirSync(folder)).toEqual([])
  })

  test('is not read on if it is too large', async () => {
    const reading = withSpool(chunksOf('one,', 'two'), spoolingIn({ bytesMax: 6 }), async () => 'whole')

    await expect(reading).rejects.toThrow('the file has more than 6 bytes, and was not read to its end')
  })

  test('is not collected on a disk that is nearly full', async () => {
    const reading = withSpool(chunksOf('one'), spoolingIn({ free: 1 }), async () => 'whole')

    await expect(reading).rejects.toThrow('The disk for report files is nearly full')
  })

  test('is not collected once the service stops', async () => {
    const reading = withSpool(
      chunksOf('one'),
      spoolingIn({ stopping: AbortSignal.abort() }),
      async () => 'whole',
    )

    await expect(reading).rejects.toThrow('aborted')
  })
})
