import { createHash } from 'node:crypto'
import type { Context } from '#platform/database/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { BrokenFile } from '#platform/portable/format.ts'
import { type Part, readPart } from '#platform/portable/part.ts'

/** What is on record about a file. */
type Recorded = {
  readonly id: string
  readonly file: string
  readonly stored_in: string
  readonly sha256: string | null
}

/** The file is not in the folder that was named. */
export class MissingFile extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MissingFile'
  }
}

type Reading = { readonly context: Pick<Context, 'mac'>; readonly storage: FileStorage }

/** Reads the file of an archive, and refuses one that is not the one on record. */
export async function readArchive({ context, storage }: Reading, recorded: Recorded): Promise<Part> {
  const { id, file, stored_in, sha256 } = recorded
  const opened = await storage.open?.(file)
  if (!opened) {
    const place = await storage.knownPlace?.()
    const hint =
      stored_in === place
        ? ' Copy it back from where your backups are.'
        : ' It was written to another folder: name that one with --folder.'
    throw new MissingFile(`The file ${file} is not in this folder.${hint}`)
  }
  const hash = createHash('sha256')
  const content = opened.content()
  content.on('data', (chunk) => hash.update(chunk))
  try {
    const part = await readPart(content, context.mac)
    if (hash.digest('hex') === sha256 && part.header.id === id) return part
  } catch (error) {
    throw error instanceof BrokenFile ? new BrokenFile(`${file}: ${error.message}`) : error
  } finally {
    await opened.close()
  }
  throw new BrokenFile(`${file}: The file is not the one that was written. Copy it again.`)
}
