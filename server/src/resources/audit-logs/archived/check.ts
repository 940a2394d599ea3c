import type { Secrets } from '#platform/access/secrets.ts'
import type { Db } from '#platform/database/db.ts'
import type { Head } from '../head.ts'
import { restoredArchives } from '../store.ts'
import * as archived from './store.ts'

export type Archived = {
  readonly all: readonly archived.WrittenLinks[]
  /** The newest link that is in a file. The chain in the database goes on from it. */
  readonly end: Head | undefined
  /** Why the records cannot be what the service wrote. Null if they can. */
  readonly problem: string | null
}

/** The records of links that are in files. A cut chain must not pass for one whose beginning was archived. */
export async function checkArchived(context: { readonly db: Db }, secrets: Secrets): Promise<Archived> {
  const all = await archived.archived(context)
  const ids = all.map(({ id }) => id)
  const restored = ids.length === 0 ? new Set() : await restoredArchives(context, ids)
  const told = new Set(all.flatMap((links) => links.told))
  let end: Head | undefined
  for (const links of all) {
    const due = (end?.position ?? 0) + 1
    if (links.first !== due) return { all, end, problem: `no archived file has link ${due}` }
    if (!proofOf(secrets, links).equals(links.proof)) {
      return { all, end, problem: `the record of the archived file ${links.file} was changed` }
    }
    // The proof of a file that was brought back is still right, and must not be used again.
    if (restored.has(links.id) || told.has(`archive ${links.id}`)) {
      return {
        all,
        end,
        problem: `the archived file ${links.file} was brought back, and its record denies it`,
      }
    }
    end = links.last
  }
  return { all, end, problem: null }
}

/** Keyed, so that an attacker with write access to the database cannot say that links are in a file. */
export function proofOf(secrets: Secrets, links: Omit<archived.WrittenLinks, 'proof' | 'stored_in'>): Buffer {
  const { id, file, first, last, entries, sha256, told } = links
  const fields = [id, file, first, last.position, last.hash.toString('hex'), entries, sha256, ...told]
  return secrets.mac('audit-archive', fields.join('\n'))
}
