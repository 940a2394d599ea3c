import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { explained, UNFINISHED } from '#platform/file-storage/disk.ts'
import { withRoom } from '#platform/file-storage/room.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'

/** A whole file on our own disk. */
export type Spool = {
  readonly sha256: string
  readonly size: number
  /** The bytes from the start, as often as needed. */
  readonly read: () => AsyncIterable<Uint8Array>
}

const CHUNK_BYTES = 256 * 1024
/** Ten million lines have some two gibibytes. */
const BYTES_MAX = 8 * 1024 ** 3

/** Where files are collected, and how long. */
export type Spooling = {
  readonly storage: Pick<FileStorage, 'spoolFolder' | 'checkRoom'>
  readonly stopping: AbortSignal
  readonly bytesMax?: number
}

/**
 * Reads a provider's file to its end before anything is done with it: a provider that stops in the middle leaves nothing
 * half done. The file on disk loses its name at once, so that the system removes it when the process ends, however that
 * happens. If the process ends even before, the file is removed as what is left of our own files.
 */
export async function withSpool<Result>(
  bytes: AsyncIterable<Uint8Array>,
  spooling: Spooling,
  work: (spool: Spool) => Promise<Result>,
): Promise<Result> {
  const file = await explained(() => openNameless(spooling.storage.spoolFolder))
  try {
    const written = await explained(() => writeAll(file, bytes, spooling))
    return await work({ ...written, read: () => readAll(file) })
  } finally {
    await file.close()
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `incoming-${randomUUID()}${UNFINISHED}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

async function writeAll(
  file: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  { storage, stopping, bytesMax = BYTES_MAX }: Spooling,
): Promise<Pick<Spool, 'sha256' | 'size'>> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of withRoom(bytes, storage.checkRoom)) {
    stopping.throwIfAborted()
    size += chunk.byteLength
    if (size > bytesMax)
      throw new Error(`the file has more than ${bytesMax} bytes, and was not read to its end`)
    hash.update(chunk)
    await writeChunk(file, chunk)
  }
  return { sha256: hash.digest('hex'), size }
}

/** The system may take a part of the bytes only. */
async function writeChunk(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) {
    done += (await file.write(chunk, done)).bytesWritten
  }
}

async function* readAll(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
