import type { KeyRing } from './key-ring.ts'
import * as sealing from './sealing.ts'
import * as store from './store.ts'

const BATCH = 200
/** The new key was retired meanwhile; its successor is used in the next turn. */
const AGAIN = -1

export type Progress = { readonly done: number; readonly total: number }
type PlaceOf = (item: Omit<store.Item, 'sealed'>) => string[]

/**
 * Wraps all data keys by the newest key-encryption key, retires the data keys that were in use when it began, seals
 * their items anew batch by batch, and destroys what nothing needs any more. Every step is a commit of its own and finds
 * out by itself what is left to do, so a rotation that was killed is finished by the next one.
 */
export async function rotate(
  db: store.Handle,
  ring: KeyRing,
  placeOf: PlaceOf,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  await takeNewWrappingKey(db, ring)
  if ((await store.countItems(db, 'decrypt-only')) === 0) await retireActiveKeys(db, ring)

  const total = await store.countItems(db, 'decrypt-only')
  let done = 0
  onProgress({ done, total })
  for (const dataKey of await store.dataKeysIn(db, 'decrypt-only')) {
    for (;;) {
      const resealed = await resealBatch(db, ring, placeOf, dataKey.id)
      if (resealed === 0) break
      if (resealed !== AGAIN) done += resealed
      onProgress({ done, total: Math.max(done, total) })
    }
  }
  await store.destroyEmptyDataKeys(db)
  await store.destroyUnusedWrappingKeys(db)
}

async function takeNewWrappingKey(db: store.Handle, ring: KeyRing): Promise<void> {
  const id = ring.newestWrappingKeyId
  await db.transaction().execute(async (tx) => {
    await store.addWrappingKey(tx, { id, environment: ring.environment, state: 'decrypt-only' })
    await store.activateWrappingKey(tx, id)
  })
  for (const dataKey of await store.dataKeysNotWrappedBy(db, id)) await ring.rewrap(db, dataKey, id)
}

/** Retired and replaced in one commit: an account is never without a key to seal with. */
async function retireActiveKeys(db: store.Handle, ring: KeyRing): Promise<void> {
  for (const dataKey of await store.dataKeysIn(db, 'active')) {
    await db.transaction().execute(async (tx) => {
      await store.retireDataKey(tx, dataKey.id)
      await ring.addDataKey(tx, 'seal', dataKey.merchant_account_id)
    })
    ring.forgetActive(dataKey.merchant_account_id)
  }
}

function resealBatch(db: store.Handle, ring: KeyRing, placeOf: PlaceOf, dataKeyId: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const items = await store.lockItems(tx, dataKeyId, BATCH)
    const [first] = items
    if (!first) return 0
    const before = await ring.keyOf(tx, dataKeyId)
    const after = await ring.activeKey(tx, first.merchant_account_id)
    const renewed = items.map((item) => {
      const plain = sealing.open(before.key, placeOf(item), item.sealed)
      const sealed = sealing.seal(after.key, placeOf({ ...item, data_key_id: after.id }), plain)
      plain.fill(0)
      return { token: item.token, sealed }
    })
    if (await store.resealItems(tx, after.id, renewed)) return items.length
    ring.forgetActive(first.merchant_account_id)
    return AGAIN
  })
}
