import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A whole file on our own disk. */
export type Spool = {
  readonly sha256: string
  readonly size: number
  /** The bytes from the start, as often as needed. */
  readonly read: () => AsyncIterable<Uint8Array>
}

const CHUNK_BYTES = 256 * 1024

/**
 * Reads a provider's file to its end before anything is done with it: a provider that stops in the middle leaves nothing
 * half done. The file on disk has no name, so that the system removes it when the process ends, however that happens.
 */
export async function withSpool<Result>(
  bytes: AsyncIterable<Uint8Array>,
  stopping: AbortSignal,
  work: (spool: Spool) => Promise<Result>,
): Promise<Result> {
  const path = join(tmpdir(), `switchyard-report-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of bytes) {
      stopping.throwIfAborted()
      hash.update(chunk)
      await writeAll(file, chunk)
      size += chunk.byteLength
    }
    return await work({ sha256: hash.digest('hex'), size, read: () => readAll(file) })
  } finally {
    await file.close()
  }
}

/** The system may take a part of the bytes only. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
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
