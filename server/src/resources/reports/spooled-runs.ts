import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { explained, UNFINISHED } from '#platform/file-storage/disk.ts'

/** A line of the file, as texts. */
export type Row = readonly (string | null)[]

/** Where rows wait that do not fit into memory. */
export type Spool = {
  readonly folder: string
  /** The names of its files begin with this. */
  readonly name: string
  /** Throws if the work has to end, or the disk is nearly full. */
  readonly check: () => Promise<void>
}

type Pages = AsyncIterable<readonly Row[]>
type Merge = (runs: readonly AsyncGenerator<Row>[]) => Pages
type Run = { readonly start: number; readonly end: number }

const PAGE_ROWS = 1_000
const BLOCK_BYTES = 32_768

/**
 * Sorted runs of rows, on a disk. Once a level has as many runs as may be read side by side, they become one run of the next
 * level.
 */
export class SpooledRuns {
  readonly #spool: Spool
  readonly #width: number
  readonly #merge: Merge
  readonly #levels: Level[] = []

  constructor(spool: Spool, width: number, merge: Merge) {
    this.#spool = spool
    this.#width = width
    this.#merge = merge
  }

  async add(rows: readonly Row[]): Promise<void> {
    await this.#addTo(0, pagesOf(rows))
  }

  /** Of all runs, the oldest first: those of the highest level. */
  readers(): AsyncGenerator<Row>[] {
    return this.#levels.toReversed().flatMap((level) => level.readers())
  }

  async remove(): Promise<void> {
    for (const level of this.#levels) await level.remove()
  }

  async #addTo(index: number, pages: Pages | Iterable<readonly Row[]>): Promise<void> {
    const level = this.#levels[index] ?? new Level(this.#spool)
    this.#levels[index] = level
    await level.add(pages)
    if (level.count < this.#width) return
    await this.#addTo(index + 1, this.#merge(level.readers()))
    await level.clear()
  }
}

function* pagesOf(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += PAGE_ROWS) yield rows.slice(at, at + PAGE_ROWS)
}

/** One file for all runs of a level, so that their number is not limited by how many files may be open. */
class Level {
  readonly #spool: Spool
  readonly #path: string
  #runs: Run[] = []
  #file: FileHandle | undefined
  #size = 0

  constructor(spool: Spool) {
    this.#spool = spool
    this.#path = join(spool.folder, `${spool.name}.${randomUUID()}${UNFINISHED}`)
  }

  get count(): number {
    return this.#runs.length
  }

  async add(pages: Pages | Iterable<readonly Row[]>): Promise<void> {
    const file = await this.#open()
    const start = this.#size
    for await (const rows of pages) {
      await this.#spool.check()
      const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      await explained(() => writeAt(file, bytes, this.#size))
      this.#size += bytes.length
    }
    this.#runs.push({ start, end: this.#size })
  }

  readers(): AsyncGenerator<Row>[] {
    return this.#runs.map((run) => this.#read(run))
  }

  async clear(): Promise<void> {
    this.#runs = []
    this.#size = 0
    await explained(async () => this.#file?.truncate(0))
  }

  async remove(): Promise<void> {
    await this.#file?.close()
    await rm(this.#path, { force: true })
  }

  async *#read({ start, end }: Run): AsyncGenerator<Row> {
    const file = await this.#open()
    let rest = Buffer.alloc(0)
    for (let at = start; at < end; ) {
      const block = Buffer.alloc(Math.min(BLOCK_BYTES, end - at))
      const { bytesRead } = await explained(() => file.read(block, 0, block.length, at))
      if (bytesRead === 0) throw new Error('a file of sorted rows has become shorter')
      at += bytesRead
      const bytes = Buffer.concat([rest, block.subarray(0, bytesRead)])
      const last = bytes.lastIndexOf('\n')
      rest = bytes.subarray(last + 1)
      if (last < 0) continue
      for (const line of bytes.toString('utf8', 0, last).split('\n')) yield JSON.parse(line)
    }
  }

  async #open(): Promise<FileHandle> {
    this.#file ??= await explained(async () => {
      await mkdir(this.#spool.folder, { recursive: true, mode: 0o700 })
      return open(this.#path, 'wx+', 0o600)
    })
    return this.#file
  }
}

/** A full disk may take a part of the bytes only. */
async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
  }
}
