import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyRing } from './key-ring.ts'
import * as sealing from './sealing.ts'
import * as store from './store.ts'

const BATCH = 200
const PASSES_MAX = 20
const PASS_PAUSE_MS = 500
/** The new key was retired meanwhile. The next turn uses its successor. */
const AGAIN = -1

export type Progress = { readonly done: number; readonly total: number }
type Place = { readonly db: store.Handle; readonly hold: store.Hold }
type PlaceOf = (item: Omit<store.Item, 'sealed'>) => string[]

/**
 * Begins in one commit: activates the newest key-encryption key, and replaces every data key by a new one.
 * Then seals the items of retired keys again, batch by batch, and destroys keys that are no longer needed. If
 * a rotation is killed, the next one finishes it.
 */
export async function rotate(
  place: Place,
  ring: KeyRing,
  placeOf: PlaceOf,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const { db } = place
  const isUnfinished = (await store.countKeys(db, 'decrypt-only')) > 0
  if (!isUnfinished) await begin(place, ring)

  const total = await store.countItems(db, 'decrypt-only')
  let done = 0
  onProgress({ done, total })
  for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
    for (const dataKey of await store.dataKeysIn(db, 'decrypt-only')) {
      for (;;) {
        const resealed = await resealBatch(place, ring, placeOf, dataKey.id)
        if (resealed === 0) break
        if (resealed !== AGAIN) done += resealed
        onProgress({ done, total: Math.max(done, total) })
      }
    }
    await inTurn(place, async (tx) => {
      await store.destroyEmptyDataKeys(tx)
      await store.destroyUnusedWrappingKeys(tx)
    })
    if ((await store.countKeys(db, 'decrypt-only')) === 0) return
    // Other transactions hold some items, for example while a card is deleted.
    await sleep(PASS_PAUSE_MS)
  }
  const left = await store.countItems(db, 'decrypt-only')
  throw new Error(
    `${left} items still have old keys, because other transactions hold them. Run it again to finish.`,
  )
}

/** One change of the rotation that has the lease. */
function inTurn<Result>({ db, hold }: Place, change: (tx: store.Handle) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    await hold(tx)
    return change(tx)
  })
}

async function begin(place: Place, ring: KeyRing): Promise<void> {
  const id = ring.newestWrappingKeyId
  const active: store.DataKey[] = []
  await inTurn(place, async (tx) => {
    await store.addWrappingKey(tx, { id, environment: ring.environment, state: 'decrypt-only' })
    if (!(await store.activateWrappingKey(tx, id))) {
      throw new Error(`The first vault key (${id}) was retired by an earlier rotation. Put a new key first.`)
    }
    active.push(...(await store.dataKeysIn(tx, 'active')))
    for (const dataKey of active) {
      await store.retireDataKey(tx, dataKey.id)
      await ring.addDataKey(tx, 'seal', dataKey.merchant_account_id)
    }
    // The fingerprint key never changes, so it is wrapped again.
    for (const dataKey of await store.dataKeysIn(tx, 'active', 'fingerprint'))
      await ring.rewrap(tx, dataKey, id)
  })
  for (const dataKey of active) ring.forgetActive(dataKey.merchant_account_id)
}

function resealBatch(place: Place, ring: KeyRing, placeOf: PlaceOf, dataKeyId: string): Promise<number> {
  return inTurn(place, async (tx) => {
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
