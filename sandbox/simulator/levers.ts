import type pg from 'pg'
import { isRefusalOf } from './amounts.ts'
import type { Sleep } from './faults.ts'
import { BadRequest, type Body, isOneOf } from './requests.ts'

const LEVER_OPERATIONS = [
  'authorize',
  'capture',
  'void',
  'cancel',
  'refund',
  'increment',
  'payout',
  'tokenize',
] as const
export type LeverOperation = (typeof LEVER_OPERATIONS)[number]
const EFFECTS = ['refuse', 'lose-answer', 'stall', 'late', 'garbage', 'unreachable'] as const
type Effect = (typeof EFFECTS)[number]

/** What a lever does to the call that it hits. */
export type Hit =
  | { readonly effect: 'refuse'; readonly code: string }
  | { readonly effect: Exclude<Effect, 'refuse'>; readonly code: null }

/** What this process knows of levers. As long as none was ever armed, calls need not look for one. */
export type Lookout = { isUsed: boolean; lookedAt: number }

type Desk = {
  readonly pool: pg.Pool
  readonly clock: () => Date
  readonly sleep: Sleep
  readonly levers: Lookout
}

/** For how long a process may trust that there are no levers. The first one that is armed waits for so long. */
const TRUSTED_MS = 1_000
const ARMED_MAX = 100
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function newLookout(): Lookout {
  return { isUsed: false, lookedAt: Number.NEGATIVE_INFINITY }
}

type Call = { readonly merchantId: string; readonly operation: LeverOperation; readonly attemptId: string }

/** The lever for this call: the one that it was hit by before, or the oldest that is armed. */
export async function take(desk: Desk, { merchantId, operation, attemptId }: Call): Promise<Hit | null> {
  if (!(await isUsed(desk))) return null
  // A call that is in the books was carried out before the lever was armed.
  const { rows } = await desk.pool.query<Hit>(
    `update simulator.levers set attempt_id = $3, taken_at = coalesce(taken_at, $4)
     where id = coalesce(
       (select id from simulator.levers where attempt_id = $3),
       (select id from simulator.levers
        where merchant_id = $1 and operation = $2 and attempt_id is null
          and not exists (select from simulator.entries where attempt_id = $3)
        order by armed_at, id limit 1 for update skip locked)
     )
     returning effect, code`,
    [merchantId, operation, attemptId, desk.clock()],
  )
  return rows[0] ?? null
}

export async function arm(desk: Desk, merchantId: string, body: Body): Promise<object | 'too_many'> {
  const lever = readLever(body)
  const wasUsed = await isUsed(desk)
  const armed = await list(desk.pool, merchantId)
  if (armed.length >= ARMED_MAX) return 'too_many'
  await desk.pool.query(
    `insert into simulator.levers (id, merchant_id, operation, effect, code, armed_at)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [lever.id, merchantId, lever.operation, lever.effect, lever.code, desk.clock()],
  )
  desk.levers.isUsed = true
  if (!wasUsed) await desk.sleep(TRUSTED_MS)
  const { rows } = await desk.pool.query<Row>(`select ${COLUMNS} from simulator.levers where id = $1`, [
    lever.id,
  ])
  return rows[0] ?? lever
}

type Row = { readonly id: string }
const COLUMNS = 'id, operation, effect, code, armed_at'

/** Those that wait for a call, in the order in which they hit. */
export async function list(pool: pg.Pool, merchantId: string): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    `select ${COLUMNS} from simulator.levers where merchant_id = $1 and attempt_id is null order by armed_at, id`,
    [merchantId],
  )
  return rows
}

/** Returns how many were armed. */
export async function disarm(pool: pg.Pool, merchantId: string): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from simulator.levers where merchant_id = $1 and attempt_id is null`,
    [merchantId],
  )
  return rowCount ?? 0
}

async function isUsed({ pool, levers }: Desk): Promise<boolean> {
  if (levers.isUsed || performance.now() - levers.lookedAt < TRUSTED_MS) return levers.isUsed
  const lookedAt = performance.now()
  const { rows } = await pool.query<{ used: boolean }>(`select exists (select from simulator.levers) as used`)
  levers.lookedAt = lookedAt
  levers.isUsed ||= rows[0]?.used === true
  return levers.isUsed
}

function readLever({ id, operation, effect, code = null }: Body) {
  if (typeof id !== 'string' || !UUID.test(id)) throw new BadRequest('id')
  if (!isOneOf(operation, LEVER_OPERATIONS)) throw new BadRequest('operation')
  if (!isOneOf(effect, EFFECTS)) throw new BadRequest('effect')
  const isCode =
    effect === 'refuse' ? typeof code === 'string' && isRefusalOf(operation, code) : code === null
  if (!isCode) throw new BadRequest('code')
  return { id, operation, effect, code }
}
