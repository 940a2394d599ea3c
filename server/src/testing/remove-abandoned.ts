import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { endProcess } from '#platform/database/embedded-postgres.ts'
import { removeDataFolder } from './remove-data-folder.ts'

/** Removes an unused data folder. Stops a database server that runs in it first. */
export async function removeAbandoned(path: string): Promise<void> {
  const pid = serverIn(path)
  if (pid !== undefined) await endProcess(pid)
  removeDataFolder(path)
}

function serverIn(path: string): number | undefined {
  const folder = join(path, 'postgres')
  const file = join(folder, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  return pid > 0 && isServerOf(realpathSync(folder), pid) ? pid : undefined
}

/** The number in the file may belong to another process by now. */
function isServerOf(folder: string, pid: number): boolean {
  if (process.platform !== 'linux') return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(folder)
  } catch {
    return false
  }
}
