import { createHash, randomUUID } from 'node:crypto'
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, isOfSocket } from '../database/database-errors.ts'
import { systemClock } from '../process/clock.ts'
import { checkRoom, type FindRoom, withRoom } from './room.ts'
import { type FileStorage, type Link, type OpenedFile, StorageError, type StoredFile } from './storage.ts'

/** Tells one folder from another, wherever it is mounted. */
const NAME_FILE = 'folder-name'
export const UNFINISHED = '.part'
const DAY_MS = 86_400_000
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

type Disk = {
  readonly folder: string
  /** Files on a disk have no server of their own: the address is one of this service. */
  readonly linkTo: (key: string, link: Link) => string
  readonly findRoom?: FindRoom
}

/** Files in a folder. Processes on several machines can share it only if it is mounted on all of them. */
export function diskStorage({ folder, linkTo, findRoom }: Disk): FileStorage {
  const check = () => explained(() => checkRoom(folder, findRoom))
  return {
    place: async () => `disk ${await explained(() => nameOf(folder))}`,
    knownPlace: async () => {
      const name = await explained(() => readName(join(folder, NAME_FILE)))
      return name === '' ? undefined : `disk ${name}`
    },
    spoolFolder: folder,
    checkRoom: check,
    put: (key, chunks) => explained(() => putFile(folder, key, withRoom(chunks, check))),
    url: linkTo,
    remove: (key) => explained(() => rm(join(folder, key), { force: true })),
    tidy: () => removeUnfinished(folder),
    discard: (beginning) => removeUnfinished(folder, beginning),
    open: (key) => explained(() => openFile(join(folder, key))),
  }
}

/** Under another name until it is whole and on the disk, so that no half file is ever served. */
async function putFile(folder: string, key: string, chunks: AsyncIterable<Buffer>): Promise<StoredFile> {
  await makeFolder(folder)
  const unfinished = join(folder, `${key}.${randomUUID()}${UNFINISHED}`)
  try {
    const written = await writeWhole(unfinished, chunks)
    await rename(unfinished, join(folder, key))
    await syncFolder(folder)
    return written
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
}

/** Writes a file that only its owner can read, and waits until it is on the disk. */
export async function writeWhole(path: string, chunks: AsyncIterable<Buffer>): Promise<StoredFile> {
  const file = await open(path, 'wx', 0o600)
  try {
    const written = await writeAll(file, chunks)
    await file.sync()
    return written
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, chunks: AsyncIterable<Buffer>): Promise<StoredFile> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    size += chunk.length
    // A full disk may take a part of a chunk: writeFile goes on with the rest, and fails if there is no room.
    await file.writeFile(chunk)
  }
  return { size, sha256: hash.digest('hex') }
}

async function openFile(path: string): Promise<OpenedFile | undefined> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  const { size } = await file.stat()
  return { size, content: () => file.createReadStream(), close: () => file.close() }
}

/** The name is made once. Of two processes that make it, the second reads what the first has written. */
async function nameOf(folder: string): Promise<string> {
  const path = join(folder, NAME_FILE)
  const known = await readName(path)
  if (known !== '') return known
  await makeFolder(folder)
  const unfinished = join(folder, `${NAME_FILE}.${randomUUID()}${UNFINISHED}`)
  await writeFile(unfinished, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600, flush: true })
  try {
    // A link appears whole, and only if there is none. An empty file, as a crash may leave it, is replaced.
    const isEmpty = (await stat(path).catch(() => undefined))?.size === 0
    await (isEmpty ? rename(unfinished, path) : link(unfinished, path))
  } catch (error) {
    // Some disks have no links.
    if (NO_LINKS.includes(errorCode(error))) await rename(unfinished, path)
    else if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(unfinished, { force: true })
  }
  await syncFolder(folder)
  return readName(path)
}

async function readName(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  return text.trim()
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** A renamed file survives a power failure only after its folder is written, too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Removes what processes have left that died while they wrote: files whose names begin so, or else all of them after a day. A
 * file that is being written is younger.
 */
export async function removeUnfinished(folder: string, beginning?: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.endsWith(UNFINISHED))) {
    const path = join(folder, name)
    const isOver = beginning === undefined ? await isOld(path) : name.startsWith(beginning)
    if (isOver) await rm(path, { force: true })
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && systemClock().getTime() - found.mtimeMs > DAY_MS
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'The folder for files was removed while a file was written.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
  EROFS: 'The folder for files is on a disk that cannot be written to.',
  EACCES: 'This service may not write to the folder for files.',
  EPERM: 'This service may not write to the folder for files.',
  ENOTDIR: 'The folder for files is not a folder.',
  EMFILE: 'Too many files are open.',
  ENFILE: 'Too many files are open.',
  EIO: 'The disk failed.',
}

export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    // What is written may come from the database, whose socket can be missing, too.
    const reason = isOfSocket(error) ? undefined : REASONS[errorCode(error)]
    throw reason === undefined ? error : new StorageError(reason, { cause: error })
  }
}
