import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { describeSource, type KeySource, makeKeyFile, readKeys } from './key-source.ts'
import { idOf, keyFor, newKey, open, seal } from './sealing.ts'
import * as store from './store.ts'

/** How long a process may use a key that another process has retired. Storing checks it again. */
const ACTIVE_FRESH_MS = 3_000

type WrappingKey = { readonly id: string; readonly key: Buffer }
type OpenKey = { readonly id: string; readonly key: Buffer }

/** The vault's keys in this process: data keys are opened once and kept in memory. */
export class KeyRing {
  readonly environment: string
  readonly #source: KeySource
  #wrapping: readonly WrappingKey[] = []
  readonly #opened = new Map<string, OpenKey>()
  readonly #active = new Map<string, { readonly key: OpenKey; readonly readAt: number }>()

  private constructor(environment: string, source: KeySource) {
    this.environment = environment
    this.#source = source
  }

  /** Refuses keys that do not fit the vault, before anything is written. */
  static async open(db: store.Handle, environment: string, source: KeySource): Promise<KeyRing> {
    const ring = new KeyRing(environment, source)
    if ((await store.wrappingKeys(db)).length === 0) await ring.#begin(db)
    await ring.#refuseOtherKeys(db)
    // Made here and not in a caller's transaction: a rollback would leave fingerprints that no key can make
    // again.
    await ring.fingerprintKey(db)
    return ring
  }

  /**
   * Throws if the keys do not open what is in the vault. Returns whether the vault is in use. Writes nothing.
   */
  static async check(db: store.Handle, environment: string, source: KeySource): Promise<boolean> {
    if ((await store.wrappingKeys(db)).length === 0) return false
    await new KeyRing(environment, source).#refuseOtherKeys(db)
    return true
  }

  async #refuseOtherKeys(db: store.Handle): Promise<void> {
    await this.#readWrappingKeys()
    const { environment } = this
    const known = await store.wrappingKeys(db)
    const foreign = known.find((key) => key.environment !== environment)
    if (foreign) {
      throw new Error(
        `The vault in this database belongs to a ${foreign.environment} installation, and ENVIRONMENT is ${environment}.`,
      )
    }
    const missing = known.map(({ id }) => id).filter((id) => !this.#wrapping.some((key) => key.id === id))
    if (missing.length > 0) throw wrongKey(this.#source, missing)
  }

  /** An empty vault takes the given key. If there is none, one is made only for a key file. */
  async #begin(db: store.Handle): Promise<void> {
    if (this.#source.kind === 'file') makeKeyFile(this.#source.path)
    await this.#readWrappingKeys()
    const [first] = this.#wrapping
    if (!first) throw new Error(`There is no vault key: ${describeSource(this.#source)} gives none.`)
    await store.addWrappingKey(db, { id: first.id, environment: this.environment, state: 'active' })
  }

  /** The key that seals new items of an account. It is made at its first use. */
  async activeKey(db: store.Handle, merchantAccountId: string): Promise<OpenKey> {
    return this.#activeFor(db, 'seal', merchantAccountId)
  }

  /** One for the whole installation, which never changes: the same card must keep its fingerprint. */
  async fingerprintKey(db: store.Handle): Promise<Buffer> {
    return (await this.#activeFor(db, 'fingerprint', '')).key
  }

  async keyOf(db: store.Handle, dataKeyId: string): Promise<OpenKey> {
    const opened = this.#opened.get(dataKeyId)
    if (opened) return opened
    const found = await store.findDataKey(db, dataKeyId)
    if (!found) throw new Error('a sealed item refers to a key that does not exist')
    return this.#unwrap(found)
  }

  /** Drops a retired key, so that the next item is sealed with its successor. */
  forgetActive(merchantAccountId: string): void {
    this.#active.delete(`seal:${merchantAccountId}`)
  }

  /** Wrapped by the vault's active key, which a rotation may have changed since this process started. */
  async addDataKey(db: store.Handle, purpose: store.Purpose, merchantAccountId: string): Promise<boolean> {
    const active = await store.activeWrappingKeyId(db)
    if (active === undefined) throw new Error('there is no active vault key')
    const wrapping = await this.#wrappingKey(active)
    const place = { id: randomUUID(), purpose, merchant_account_id: merchantAccountId }
    const key = newKey()
    const wrapped = seal(wrapping.key, this.#placeOf(place, wrapping.id), key)
    key.fill(0)
    return store.addDataKey(db, { ...place, key_encryption_key_id: wrapping.id, wrapped, state: 'active' })
  }

  async rewrap(db: store.Handle, dataKey: store.DataKey, wrappingKeyId: string): Promise<void> {
    const wrapping = await this.#wrappingKey(wrappingKeyId)
    const { key } = await this.#unwrap(dataKey)
    const wrapped = seal(wrapping.key, this.#placeOf(dataKey, wrapping.id), key)
    await store.rewrapDataKey(db, dataKey.id, wrapped, wrapping.id)
  }

  /** The first key of the source. A rotation activates it. */
  get newestWrappingKeyId(): string {
    return this.#wrapping[0]?.id ?? ''
  }

  async #activeFor(db: store.Handle, purpose: store.Purpose, merchantAccountId: string): Promise<OpenKey> {
    const place = `${purpose}:${merchantAccountId}`
    const cached = this.#active.get(place)
    if (cached && performance.now() - cached.readAt < ACTIVE_FRESH_MS) return cached.key
    const readAt = performance.now()
    const found = await store.activeDataKey(db, purpose, merchantAccountId)
    if (!found) {
      await this.addDataKey(db, purpose, merchantAccountId)
      return this.#activeFor(db, purpose, merchantAccountId)
    }
    const key = await this.#unwrap(found)
    this.#active.set(place, { key, readAt })
    return key
  }

  async #unwrap(dataKey: store.DataKey): Promise<OpenKey> {
    const opened = this.#opened.get(dataKey.id)
    if (opened) return opened
    if (dataKey.wrapped === null) throw new Error('a sealed item refers to a key that was destroyed')
    const wrapping = await this.#wrappingKey(dataKey.key_encryption_key_id)
    const key = {
      id: dataKey.id,
      key: open(wrapping.key, this.#placeOf(dataKey, wrapping.id), dataKey.wrapped),
    }
    this.#opened.set(dataKey.id, key)
    return key
  }

  /** A rotation may have added a key since this process started. */
  async #wrappingKey(id: string): Promise<WrappingKey> {
    const known = this.#wrapping.find((key) => key.id === id)
    if (known) return known
    await this.#readWrappingKeys()
    const found = this.#wrapping.find((key) => key.id === id)
    if (!found) throw wrongKey(this.#source, [id])
    return found
  }

  async #readWrappingKeys(): Promise<void> {
    const roots = await readKeys(this.#source)
    this.#wrapping = roots.map((root) => ({ id: idOf(root), key: keyFor(this.environment, root) }))
  }

  #placeOf(
    { id, purpose, merchant_account_id }: Pick<store.DataKey, 'id' | 'purpose' | 'merchant_account_id'>,
    wrappingKeyId: string,
  ): string[] {
    return ['data-key', this.environment, merchant_account_id, purpose, id, wrappingKeyId]
  }
}

function wrongKey(source: KeySource, ids: readonly string[]): Error {
  if (source.kind === 'file' && !existsSync(source.path)) {
    return new Error(
      `${source.path} is missing. Copy the vault key of this installation (${ids.join(', ')}) there: at another address of the database, its file ` +
        'has another name. Nothing was changed; without it no stored card can be read.',
    )
  }
  return new Error(
    `${describeSource(source)} does not give the vault key ${ids.join(', ')}, which this database was sealed with. ` +
      'Restore that key. Nothing was changed; without it no stored card can be read.',
  )
}
