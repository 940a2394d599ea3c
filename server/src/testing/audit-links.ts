import { sql } from 'kysely'

/** Entries of the audit log that a link lists, or all links beyond one. */
export const ofLink = (position: number) =>
  sql<boolean>`id in (select unnest(entry_ids) from audit_seals where position = ${position})`
export const ofLinksAfter = (position: number) =>
  sql<boolean>`id in (select unnest(entry_ids) from audit_seals where position > ${position})`
