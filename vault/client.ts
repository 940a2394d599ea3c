import { randomUUID } from 'node:crypto'
import { KeyRing } from './key-ring.ts'
import { addKeyToFile, type KeySource, keepKeysInFile } from './key-source.ts'
import { Masked } from './masked.ts'
import { type Progress, rotate } from './rotate.ts'
import * as sealing from './sealing.ts'
import * as store from './store.ts'

export type { KeySource, Progress }
export { Masked }

export type Place = { readonly merchantAccountId: string }
type Handle = store.Handle

/** Called for every item that leaves the vault, with its account, its token and the purpose. */
type OnReveal = (access: {
  readonly token: string
  readonly merchantAccountId: string
  readonly purpose: string
}) => Promise<void>

/**
 * The value has left the vault, because its owner was deleted or replaced, or the row that names it is
 * damaged.
 */
export class ItemGone extends Error {
  constructor() {
    super('there is no such item in the vault')
  }
}

/** The row names another value than the one it was written for. */
export class WrongItem extends Error {
  constructor() {
    super('the value in the vault is not the one on record')
  }
}

/** Called with a text about events that only an attack or a damaged database explains. */
type OnTrouble = (text: string) => void

/** What an item is. With an owner, it is sealed for one row, and is handed out for no other. */
export type Field = string | { readonly name: string; readonly owner: string }

type Wanted = Place & { readonly field: Field; readonly value: Masked }

/** Items that were sealed before items had owners. What is sealed today has one of these names only together with its owner. */
const WITHOUT_OWNER: ReadonlySet<string> = new Set([
  'number',
  'network-token',
  'provider-token',
  'bank-account',
  'plaid-token',
])

type Access = Place & {
  readonly token: string
  /** The row for which the item must have been sealed. Absent: for none. */
  readonly owner?: string | undefined
  readonly purpose: string
  /** The expected fingerprint. Another value is not handed out. */
  readonly fingerprint?: string | null
  /** The part of the value that the fingerprint is of. Absent: all of it. */
  readonly identify?: ((value: Masked) => Masked) | undefined
  readonly onReveal: OnReveal
}

/** The only way to stored card numbers and other secrets. Without the vault's keys, nothing is readable. */
export class Vault {
  readonly #ring: KeyRing
  readonly #onTrouble: OnTrouble

  private constructor(ring: KeyRing, onTrouble: OnTrouble) {
    this.#ring = ring
    this.#onTrouble = onTrouble
  }

  static async open(
    db: Handle,
    environment: string,
    source: KeySource,
    onTrouble: OnTrouble = () => {},
  ): Promise<Vault> {
    return new Vault(await KeyRing.open(db, environment, source), onTrouble)
  }

  /**
   * Throws if the keys do not open what is in the vault. Returns whether the vault is in use. Writes nothing.
   */
  static check(db: Handle, environment: string, source: KeySource): Promise<boolean> {
    return KeyRing.check(db, environment, source)
  }

  /**
   * Seals a value and returns its token. `db` may be a transaction, so that the value and its row are stored
   * together.
   */
  async store(db: Handle, { merchantAccountId }: Place, given: Field, value: Masked): Promise<string> {
    for (;;) {
      const item = await this.#sealed(db, { merchantAccountId, field: given, value })
      if (await store.addItem(db, item)) return item.token
      this.#ring.forgetActive(merchantAccountId)
    }
  }

  /** The same for hundreds of values in one statement. Returns their tokens in the same order. */
  async storeAll(db: Handle, wanted: readonly Wanted[]): Promise<string[]> {
    if (wanted.length === 0) return []
    for (;;) {
      const items: store.Item[] = []
      for (const one of wanted) items.push(await this.#sealed(db, one))
      if (await store.addItems(db, items)) return items.map(({ token }) => token)
      for (const { merchantAccountId } of wanted) this.#ring.forgetActive(merchantAccountId)
    }
  }

  async #sealed(db: Handle, { merchantAccountId, field: given, value }: Wanted): Promise<store.Item> {
    const key = await this.#ring.activeKey(db, merchantAccountId)
    const item = {
      token: randomUUID(),
      merchant_account_id: merchantAccountId,
      field: typeof given === 'string' ? given : `${given.name} of ${given.owner}`,
      data_key_id: key.id,
    }
    const place = this.#placeOf(item)
    return { ...item, sealed: value.use((bytes) => sealing.seal(key.key, place, bytes)) }
  }

  /** Opens a value for as long as `work` takes, then overwrites it. Every access is reported first. */
  async reveal<Result>(
    db: Handle,
    access: Access,
    work: (value: Masked) => Promise<Result>,
  ): Promise<Result> {
    const { merchantAccountId, token, purpose, onReveal } = access
    const item = await store.findItem(db, merchantAccountId, token)
    await onReveal({ token, merchantAccountId, purpose })
    if (!item) throw new ItemGone()
    // The name of the field is part of the seal, so it cannot be changed to that of another owner.
    const isFormer = access.owner !== undefined && WITHOUT_OWNER.has(item.field)
    if (!isFormer && ownerIn(item.field) !== access.owner) throw this.#wrongItem(access)
    const bytes = await this.#open(db, item).catch(async (error: unknown) => {
      // A rotation may have sealed it again and destroyed its key since we read it.
      const again = await store.findItem(db, merchantAccountId, token)
      if (!again) throw new ItemGone()
      if (again.data_key_id === item.data_key_id) throw error
      return this.#open(db, again)
    })
    const value = new Masked(bytes)
    bytes.fill(0)
    try {
      await this.#refuseAnother(db, access, value)
      return await work(value)
    } finally {
      value.clear()
    }
  }

  /**
   * The seal proves that a value belongs to its token, but not that the token belongs to the row that names
   * it.
   */
  async #refuseAnother(db: Handle, access: Access, value: Masked): Promise<void> {
    const { fingerprint: expected = null, identify } = access
    if (expected === null) return
    const identity = identify?.(value)
    const found = await this.fingerprint(db, identity ?? value).finally(() => identity?.clear())
    if (found !== expected) throw this.#wrongItem(access)
  }

  #wrongItem({ merchantAccountId, token, purpose }: Access): WrongItem {
    this.#onTrouble(
      `The vault refused to hand out a value for ${purpose}: it is not the value that the row was written for. ` +
        'The database was changed from outside, or is damaged. Nothing was charged. ' +
        `Look for the row that names the token ${token} in the merchant account ${merchantAccountId}.`,
    )
    return new WrongItem()
  }

  /** Deletes the sealed bytes. Only older backups still hold them. */
  async remove(db: Handle, { merchantAccountId }: Place, token: string): Promise<void> {
    await store.removeItem(db, merchantAccountId, token)
  }

  /** The same for the same value. The value cannot be found from it. */
  async fingerprint(db: Handle, value: Masked): Promise<string> {
    const key = await this.#ring.fingerprintKey(db)
    return value.use((bytes) => sealing.fingerprint(key, bytes))
  }

  /**
   * Gives every item a new key and destroys the old ones, while the service runs. Can be interrupted and
   * repeated.
   */
  static async rotate(
    db: Handle,
    environment: string,
    source: KeySource,
    onProgress: (progress: Progress) => void,
  ): Promise<void> {
    await store.alone(db, async (hold) => {
      // First with the current keys: a refused rotation must not change them.
      await KeyRing.open(db, environment, source)
      const isUnfinished = (await store.countKeys(db, 'decrypt-only')) > 0
      if (source.kind === 'file' && !isUnfinished) addKeyToFile(source.path)
      const ring = await KeyRing.open(db, environment, source)
      await rotate({ db, hold }, ring, placesIn(environment), onProgress)
      if (source.kind !== 'file') return
      await db.transaction().execute(async (tx) => {
        await hold(tx)
        const known = new Set((await store.wrappingKeys(tx)).map(({ id }) => id))
        keepKeysInFile(source.path, (key) => known.has(sealing.idOf(key)))
      })
    })
  }

  /** When the key that wraps all others came into use, and how many keys a rotation has not yet destroyed. */
  static async state(db: Handle): Promise<{ readonly keySince: Date | null; readonly retiredKeys: number }> {
    const retiredKeys = await store.countKeys(db, 'decrypt-only')
    return { keySince: await store.activeSince(db), retiredKeys }
  }

  async #open(db: Handle, item: store.Item): Promise<Buffer> {
    const key = await this.#ring.keyOf(db, item.data_key_id)
    return sealing.open(key.key, this.#placeOf(item), item.sealed)
  }

  #placeOf(item: Omit<store.Item, 'sealed'>): string[] {
    return placesIn(this.#ring.environment)(item)
  }
}

function ownerIn(field: string): string | undefined {
  const [, owner] = field.split(' of ')
  return owner
}

function placesIn(environment: string) {
  return (item: Omit<store.Item, 'sealed'>): string[] => [
    'item',
    environment,
    item.merchant_account_id,
    item.token,
    item.data_key_id,
    item.field,
  ]
}
