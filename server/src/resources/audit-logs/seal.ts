import { createHash } from 'node:crypto'
import type { Secrets } from '#platform/access/secrets.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import { type Context, type Db, inTransaction, type Tx } from '#platform/database/db.ts'
import { checkArchived } from './archived/check.ts'
import * as archived from './archived/store.ts'
import { ChangedChainError, type Head, textOf } from './head.ts'
import type { HeadFile } from './head-file.ts'
import * as auditLogs from './store.ts'

const BATCH = 1_000

/**
 * Links new entries to the chain: each seal's hash covers its entries and the hash before it, so that no
 * entry can be changed, inserted or removed unnoticed. Entries do not wait for it, and it may run in several
 * processes.
 *
 * A cut chain is still a valid chain. So each process remembers the last link that it made or saw, in memory
 * and, if there is a data folder, in a file. It stops sealing once that link is missing.
 */
export class Sealer {
  readonly #secrets: Secrets
  readonly #file: HeadFile | null
  readonly #onUnwritten: (error: unknown) => void
  #known: Head | undefined
  #refusal: string | null = null
  #foreign: string | null = null
  #isFileRead = false

  constructor(secrets: Secrets, file: HeadFile | null, onUnwritten: (error: unknown) => void = () => {}) {
    this.#secrets = secrets
    this.#file = file
    this.#onUnwritten = onUnwritten
  }

  /** The last link that this process knows. */
  get head(): Head | undefined {
    return this.#known
  }

  /** Why this process has stopped sealing, or leaves an entry out. Null if neither. */
  get refusal(): string | null {
    return this.#refusal ?? this.#foreign
  }

  async seal(context: Context): Promise<void> {
    try {
      this.#readFile()
      let foreign: string | null = null
      for (let after: string | undefined; ; ) {
        const batch = await this.#sealBatch(context, after)
        foreign ??= batch.foreign
        if (batch.count < BATCH) break
        after = batch.last
      }
      this.#refusal = null
      this.#foreign = foreign
    } catch (error) {
      if (error instanceof ChangedChainError) this.#refusal = error.message
      // Another process made the same link first.
      if (violatedUnique(error) !== 'audit_seals_pkey') throw error
    }
  }

  #readFile(): void {
    if (this.#isFileRead) return
    this.#known = this.#file?.read()
    this.#isFileRead = true
  }

  /** For a new database, and after a restore: continues whatever chain is there now. */
  forget(): void {
    this.#known = undefined
    this.#isFileRead = true
  }

  async #sealBatch(context: Context, after: string | undefined): Promise<Batch> {
    const { head, ...batch } = await inTransaction(context, async (tx) => {
      const last = await auditLogs.lockLastSeal(tx)
      await this.#refuseOther(tx, last)
      const waiting = await auditLogs.unsealed(tx, BATCH, after)
      const ours = waiting.filter((entry) => isOurs(this.#secrets, entry))
      const other = waiting.find((entry) => !ours.includes(entry))
      const found = {
        count: waiting.length,
        last: waiting.at(-1)?.id,
        foreign: other ? foreignEntry(other) : null,
      }
      if (ours.length === 0) return { head: last, ...found }
      const entries = ours.sort(byAge)
      const position = (last?.position ?? 0) + 1
      const sealed = digestOf(entries)
      const hash = linkHash(this.#secrets, { position, before: last?.hash, count: COUNT }, sealed)
      const proof = redactionProof(this.#secrets, position, { sealed, now: NO_ENTRIES })
      const listed = entries.map(({ id }) => id)
      await auditLogs.addSeal(tx, { position, hash, listed, redacted: { entriesDigest: sealed, proof } })
      return { head: { position, hash }, ...found }
    })
    if (head) await this.#learn(head)
    return batch
  }

  /** Throws if the chain does not contain the link that this process or this machine knows. */
  async check(context: Context): Promise<void> {
    this.#readFile()
    const known = this.#known
    if (!known) return
    const found = await auditLogs.findSeal(context, known.position)
    if (!found && (await isArchived(context, this.#secrets, known))) return
    if (!found) throw new ChangedChainError(`link ${textOf(known)} is gone`)
    if (!found.hash.equals(known.hash)) {
      throw new ChangedChainError(`link ${textOf(known)} was replaced by ${textOf(found)}`)
    }
  }

  /** Throws also if the last link was not made with our secret. */
  async #refuseOther(tx: Context<Tx>, last: auditLogs.Seal | undefined): Promise<void> {
    const known = this.#known
    if (known && last?.position === known.position && last.hash.equals(known.hash)) return
    await this.check(tx)
    if (!last && (await archived.archived(tx)).length > 0) {
      throw new ChangedChainError('the links behind its archived files are gone')
    }
    if (last && !(await fits(tx, this.#secrets, last))) {
      throw new ChangedChainError(`its last link, ${last.position}, does not fit its entries`)
    }
  }

  async #learn(head: Head): Promise<void> {
    const isNews = head.position !== this.#known?.position
    this.#known = { position: head.position, hash: head.hash }
    // The chain is safe without the file. An older file still names a link of the chain.
    if (isNews) await this.#file?.write(head).catch(this.#onUnwritten)
  }
}

type Batch = {
  readonly count: number
  readonly last: string | undefined
  /** Says which entry was left out. */
  readonly foreign: string | null
}

/** In this order, links cover their entries. */
function byAge(one: auditLogs.Entry, other: auditLogs.Entry): number {
  const difference = one.created_at.getTime() - other.created_at.getTime()
  return difference || (one.id < other.id ? -1 : 1)
}

/** Whether this service has recorded an entry, as it is. */
export function isOurs(secrets: Secrets, entry: auditLogs.WaitingEntry): boolean {
  return auditLogs.codeOf(secrets.mac, entry).equals(entry.code)
}

export function foreignEntry({ id, created_at }: auditLogs.Entry): string {
  return `entry ${id} of ${created_at.toISOString()} was not recorded by this service, or was changed since: its code does not fit`
}

async function fits(tx: Context<Tx>, secrets: Secrets, seal: auditLogs.Seal): Promise<boolean> {
  const before = await hashBefore(tx, seal.position)
  const entries = await auditLogs.entriesOf(tx, seal)
  return isWhole(secrets, seal, before, entries)
}

/** Of the link before this one, which may be in a file. */
export async function hashBefore(
  context: { readonly db: Db },
  position: number,
): Promise<Buffer | undefined> {
  const seal = await auditLogs.findSeal(context, position - 1)
  return seal?.hash ?? archived.findLastHash(context, position - 1)
}

/** Whether a link is in a file. Files hold links of 90 days ago, so this process has not run since. */
async function isArchived(context: Context, secrets: Secrets, { position, hash }: Head): Promise<boolean> {
  const { end, problem } = await checkArchived(context, secrets)
  if (!end || problem !== null || position > end.position) return false
  return position < end.position || hash.equals(end.hash)
}

/** Whether a link fits the one before it and its entries, as they were sealed or with names taken out since. */
export function isWhole(
  secrets: Secrets,
  { position, hash, redacted }: auditLogs.Seal,
  before: Buffer | undefined,
  entries: readonly auditLogs.Entry[],
): boolean {
  // No link was ever made of nothing, and names are taken out of entries that stay. The proof below would allow it: see NO_ENTRIES.
  if (entries.length === 0) return false
  const digest = digestOf(entries)
  const sealed = redacted?.entriesDigest ?? digest
  const counts = [COUNT, COUNT_BEFORE_CODES, entries.length]
  if (!counts.some((count) => linkHash(secrets, { position, before, count }, sealed).equals(hash)))
    return false
  const now = digest.equals(sealed) ? NO_ENTRIES : digest
  return !redacted || redactionProof(secrets, position, { sealed, now }).equals(redacted.proof)
}

/**
 * The digest covers each entry of the list. This stands for their number. Links from before the baseline have another, or their real
 * number.
 */
const COUNT = -1
const COUNT_BEFORE_CODES = 0
const NO_ENTRIES = digestOf([])

type Link = { readonly position: number; readonly before: Buffer | undefined; readonly count: number }

/** Keyed, so that an attacker with write access to the database cannot make a valid chain. */
function linkHash(secrets: Secrets, { position, before, count }: Link, digest: Buffer): Buffer {
  const link = [position, before?.toString('hex') ?? '', count, digest.toString('hex')]
  return secrets.mac('audit-chain', link.join('\n'))
}

/** Says that we ourselves have made one form of a link's entries of the other. */
export function redactionProof(
  secrets: Secrets,
  position: number,
  { sealed, now }: { readonly sealed: Buffer; readonly now: Buffer },
): Buffer {
  return secrets.mac('audit-redaction', [position, sealed.toString('hex'), now.toString('hex')].join('\n'))
}

export function digestOf(entries: readonly auditLogs.Entry[]): Buffer {
  const digest = createHash('sha256')
  for (const entry of entries) digest.update(`${JSON.stringify(auditLogs.fieldsOf(entry))}\n`)
  return digest.digest()
}
