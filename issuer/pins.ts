import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Handle, Office } from './office.ts'
import { createTurns } from './turns.ts'

/** About 30 ms and 16 MB for each try. It is the keyed hash below that protects the PINs of a stolen database. */
const COST = 2 ** 14
const BLOCK_SIZE = 8
const PARALLELIZATION = 1
const HASH_BYTES = 32
const SALT_BYTES = 16

/** So many wrong PINs within the window lock a card, for the length of the window. */
export const TRIES_MAX = 5
export const WINDOW_MS = 15 * 60_000

const REMEMBERED_MS = 5 * 60_000
const REMEMBERED_MAX = 10_000

export type HashedPin = {
  readonly salt: Buffer
  readonly hash: Buffer
  readonly cost: number
  readonly blockSize: number
  readonly parallelization: number
}

type Verdict = 'right' | 'wrong' | 'locked'
export type Pins = {
  readonly check: (
    card: HashedPin & { readonly id: string; readonly isLocked: boolean },
    pin: string,
  ) => Promise<Verdict>
}

const derive = promisify<Buffer, Buffer, number, ScryptOptions, Buffer>(scrypt)

export async function hashPin(
  { secrets }: Pick<Office, 'secrets'>,
  cardId: string,
  pin: string,
): Promise<HashedPin> {
  const costs = { cost: COST, blockSize: BLOCK_SIZE, parallelization: PARALLELIZATION }
  const salt = randomBytes(SALT_BYTES)
  return { ...costs, salt, hash: await derive(tagOf(secrets, cardId, pin), salt, HASH_BYTES, costs) }
}

/**
 * Checks PINs off the event loop, one after the other for each card. A right PIN is remembered for a few minutes as a
 * keyed hash, so that scrypt, which is slow on purpose, does not slow down a popular card. Whether the card is locked is
 * read again each time.
 */
export function createPins(office: Office): Pins {
  const turns = createTurns()
  const right = new Map<string, number>()
  const isRemembered = (tag: string) => (right.get(tag) ?? 0) > office.clock().getTime()
  const remember = (tag: string) => {
    right.delete(tag)
    right.set(tag, office.clock().getTime() + REMEMBERED_MS)
    const [oldest] = right.keys()
    if (right.size > REMEMBERED_MAX && oldest !== undefined) right.delete(oldest)
  }
  return {
    check: async (card, pin) => {
      if (card.isLocked) return 'locked'
      const bytes = tagOf(office.secrets, card.id, pin)
      const tag = bytes.toString('base64')
      if (isRemembered(tag)) return 'right'
      return turns(card.id, async () => {
        if (isRemembered(tag)) return 'right'
        if (!(await countTry(office, card.id))) return 'locked'
        if (!timingSafeEqual(await derive(bytes, card.salt, HASH_BYTES, card), card.hash)) return 'wrong'
        await forgetTries(office.pool, card.id)
        remember(tag)
        return 'right'
      })
    },
  }
}

export async function insertPin(handle: Handle, cardId: string, pin: HashedPin): Promise<void> {
  await handle.query(
    `insert into issuer.pins (card_id, salt, hash, cost, block_size, parallelization)
     values ($1, $2, $3, $4, $5, $6)`,
    [cardId, pin.salt, pin.hash, pin.cost, pin.blockSize, pin.parallelization],
  )
}

function tagOf(secrets: Office['secrets'], cardId: string, pin: string): Buffer {
  return secrets.mac('gift-card-pin', JSON.stringify([cardId, pin]))
}

/** False when the card is locked. The last allowed try starts the window again, and so the time of the lock. */
async function countTry({ pool, clock }: Office, cardId: string): Promise<boolean> {
  const now = clock()
  const { rowCount } = await pool.query(
    `update issuer.pins set
       tries = case when tries_since > $3 then tries + 1 else 1 end,
       tries_since = case when tries_since > $3 and tries + 1 < $4 then tries_since else $2 end
     where card_id = $1 and not coalesce(tries >= $4 and tries_since > $3, false)`,
    [cardId, now, new Date(now.getTime() - WINDOW_MS), TRIES_MAX],
  )
  return rowCount === 1
}

async function forgetTries(handle: Handle, cardId: string): Promise<void> {
  await handle.query(
    'update issuer.pins set tries = 0, tries_since = null where card_id = $1 and tries > 0',
    [cardId],
  )
}
