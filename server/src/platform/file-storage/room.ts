import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../database/database-errors.ts'
import { StorageError } from './storage.ts'

const GIB = 1024 ** 3
/** What is left for others, above all for a database on the same disk: a gibibyte, or a twentieth of a small disk. */
const RESERVE_BYTES = GIB
const RESERVE_PART = 1 / 20
/** How much may be written between two looks at the disk. */
const LOOK_EVERY_BYTES = 16 * 1024 ** 2

/** The bytes of a disk that this service may still use, and all that the disk has. */
export type Room = { readonly free: number; readonly total: number }
export type FindRoom = (folder: string) => Promise<Room>

/** The room on the disk of a folder, or of the folder in which it will be made. */
export async function findRoom(folder: string): Promise<Room> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize }
  } catch (error) {
    const parent = dirname(folder)
    if (errorCode(error) !== 'ENOENT' || parent === folder) throw error
    return findRoom(parent)
  }
}

export function isShort({ free, total }: Room): boolean {
  return free < Math.min(RESERVE_BYTES, total * RESERVE_PART)
}

/** Throws if the disk of a folder is nearly full. Called before and while a file is written. */
export async function checkRoom(folder: string, find: FindRoom = findRoom): Promise<void> {
  const room = await find(folder)
  if (!isShort(room)) return
  const free = Math.floor(room.free / 1024 ** 2)
  throw new StorageError(
    `The disk for report files is nearly full: ${free} MiB are free, and the rest is kept for the database. Free some space, or use a folder on another disk: REPORTS_DIR for reports, --folder for an archive.`,
  )
}

/** Passes chunks on, and looks at the disk from time to time. */
export async function* withRoom<Chunk extends Uint8Array>(
  chunks: AsyncIterable<Chunk>,
  check: () => Promise<void>,
): AsyncGenerator<Chunk> {
  let unchecked = LOOK_EVERY_BYTES
  for await (const chunk of chunks) {
    unchecked += chunk.length
    if (unchecked >= LOOK_EVERY_BYTES) {
      await check()
      unchecked = 0
    }
    yield chunk
  }
}
