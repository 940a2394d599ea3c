import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The migrations that hold a whole schema each, made of all that were there before the first release. */
export const BASELINE: readonly string[] = ['0001_service', '0001_vault', '0001_simulator', '0001_issuer']

/** The last commit with the migrations from before the baseline. */
export const LAST_BEFORE = 'dcda61ebddfa3712752f18a8f58a431bddb27586'

/** Every database from before the baseline has this migration, and no other has. */
const FIRST_BEFORE = '0001_foundation'

/** What a database knows of its migrations when it is at the last one before the baseline. One of them was edited once. */
const HISTORIES_AT_LAST = [
  'e9dd8dc20b3c3ed6e5c3dc500256907537a2d6c2dc8116e08aeb8f32c5f2a0ff',
  'b3248f3a778e582726a6d96bc0d44565335bc896cf0cc0009f9ccca91d8bad6e',
]

type History = ReadonlyMap<string, string>

export function isBeforeBaseline(applied: History): boolean {
  return applied.has(FIRST_BEFORE)
}

/** Whether the database has the last schema before the baseline, and can be taken over. Throws if it has an older one. */
export function isToBeTakenOver(applied: History): boolean {
  if (!isBeforeBaseline(applied)) return false
  const lines = [...applied]
    .map(([version, checksum]) => `${version} ${checksum}`)
    .sort((a, b) => (a < b ? -1 : 1))
  if (HISTORIES_AT_LAST.includes(createHash('sha256').update(lines.join('\n')).digest('hex'))) return true
  throw new Error(
    'This database was made before the first release, and is not at the last schema of that time. Nothing was changed. ' +
      `Check out commit ${LAST_BEFORE}, run "switchyard migrate" there, then start this version again.`,
  )
}

/** Brings such a database to the baseline. */
export function readTakeOver(): string {
  return readFileSync(new URL('take-over.sql', import.meta.url), 'utf8')
}
