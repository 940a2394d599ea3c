import type { FastifyInstance } from 'fastify'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'
import type { Job } from '#platform/process/jobs.ts'
import { insertPair } from '#resources/api-key-pairs/create.ts'
import { deleteOwnPair } from '#resources/api-key-pairs/delete.ts'
import { generatePair } from '#resources/api-key-pairs/keys.ts'
import { signToken } from '#resources/api-key-pairs/sign-token.ts'
import * as roles from '#resources/roles/store.ts'
import { newLease } from '../clock/move.ts'
import type { MoveNeeds } from '../clock/work-off.ts'
import { fill } from './fill.ts'
import { planHistory } from './plan.ts'
import { type Send, Shop } from './shop.ts'
import * as fills from './store.ts'

const DAY_MS = 86_400_000
const NOTE_MS = 1_000
/** Longer than any history takes. */
const TOKEN_SECONDS = 12 * 3_600
/** The role of a shop's server. */
const ROLE = 'processing'
const REASONS_KEPT = 20

type Api = Pick<FastifyInstance, 'inject' | 'close'>

export type Surroundings<Needs> = {
  /** Run on the way, where they fall due. */
  readonly jobs: readonly Job<Needs>[]
  /** The API, in this process: a shop calls it as every client does. */
  readonly openApi: (needs: Needs, stopping: AbortSignal) => Api
}

/** Makes the history that was asked for, if one was. A history whose process has died is over. */
export async function runFill<Needs extends MoveNeeds>(
  needs: Needs,
  surroundings: Surroundings<Needs>,
  stopping: AbortSignal,
): Promise<void> {
  const { context, environment } = needs
  if (environment !== 'sandbox') return
  const leftBehind = await fills.endAbandoned(context)
  if (leftBehind) await deleteOwnPair(context, leftBehind)
  const lease = newLease()
  const wish = await fills.take(context, lease)
  if (!wish) return
  let progress = () => ({ made: NOTHING, refusals: [] as fills.Refusal[] })
  let failure: fills.Failure | null = 'error'
  const keyId: string[] = []
  try {
    const { id, token } = await makeKey(context, lease, wish)
    keyId.push(id)
    const api = surroundings.openApi(needs, stopping)
    const shop = new Shop(senderOf(api, token, wish.merchantAccountId))
    progress = () => progressOf(shop)
    failure = await live(needs, surroundings.jobs, { wish, shop, lease, stopping }).finally(() => api.close())
  } finally {
    for (const id of keyId) await deleteOwnPair(context, id)
    await fills.end(context, lease, { ...progress(), failure })
  }
}

const NOTHING: fills.Made = { payments: 0, approved: 0, captures: 0, refunds: 0, voids: 0 }

type Life = {
  readonly wish: fills.Wish
  readonly shop: Shop
  readonly lease: fills.Lease
  readonly stopping: AbortSignal
}

/** Returns why the history is not whole, or null. */
async function live<Needs extends MoveNeeds>(
  needs: Needs,
  jobs: readonly Job<Needs>[],
  { wish, shop, lease, stopping }: Life,
): Promise<fills.Failure | null> {
  const { context } = needs
  const start = new Date((Math.floor(context.clock().getTime() / DAY_MS) + 1) * DAY_MS)
  const history = { acts: planHistory({ ...wish, start }), start, days: wish.days, shop }
  const noting = setInterval(() => {
    void fills.note(context, lease, progressOf(shop)).catch(() => {})
  }, NOTE_MS)
  try {
    const { isWhole } = await fill(needs, jobs, history, stopping)
    if (isWhole) return null
    return stopping.aborted ? 'interrupted' : 'refused'
  } finally {
    clearInterval(noting)
  }
}

/** The private key stays in this process, and the pair is deleted when the history is over. */
async function makeKey(context: Context, lease: fills.Lease, { merchantAccountId }: fills.Wish) {
  const role = await roles.findBySlug(context, ROLE)
  if (!role) throw new Error(`there is no role ${ROLE}`)
  const { publicKey, privateKey } = await generatePair('EdDSA')
  const pair = {
    displayName: 'Sandbox history',
    active: true,
    roleIds: [role.id],
    merchantAccountIds: [merchantAccountId],
    publicKey,
    privateKey: null,
  }
  const { id } = await inTransaction(context, async (tx) => {
    const made = await insertPair(tx, pair)
    await fills.noteKey(tx, lease, made.id)
    return made
  })
  const validity = { from: realTime(context.clock), seconds: TOKEN_SECONDS }
  return { id, token: await signToken(privateKey, { scopes: ['*.read', '*.write'] }, validity) }
}

function senderOf(api: Api, token: string, account: string): Send {
  return async (route, body) => {
    const [method = '', url = ''] = route.split(' ')
    const answer = await api.inject({
      method: method as 'POST',
      url,
      payload: body,
      headers: { authorization: `Bearer ${token}`, 'x-service-merchant-account-id': account },
    })
    return { status: answer.statusCode, body: answer.json() }
  }
}

function progressOf({ counts, refusals }: Shop) {
  const reasons = [...refusals].toSorted(([, one], [, other]) => other - one).slice(0, REASONS_KEPT)
  return { made: { ...counts }, refusals: reasons.map(([reason, count]) => ({ reason, count })) }
}
