import type { LightMyRequestResponse } from 'fastify'
import { keyState } from '#testing/model/guard.ts'
import { machine, movingStatesOf } from '#testing/model/table.ts'
import { movesRefused } from '../aftermath.ts'
import type { Part, Scene, Situation } from './scenes.ts'
import { type Bounds, type Counts, follow, type Position, Search, type Way } from './search.ts'
import type { World } from './world.ts'

export type Explored = Counts & {
  readonly violations: readonly string[]
  /** Where to go on. Null: all was explored. */
  readonly position: Position | null
}

type Limits = {
  readonly bounds: Bounds
  readonly mostMs: number
  readonly mostViolations: number
  readonly from?: Position | undefined
  /** Is given the place from time to time, so that a later run can go on there. */
  readonly keep: (position: Position) => void
}

/** For how many schedules rows are kept. Each look at what is left behind reads them all. */
const ROWS_KEPT_FOR = 50

/** Runs schedules of a scene until all are explored or a limit is reached. */
export async function explore(
  world: World,
  scene: Scene,
  { bounds, mostMs, mostViolations, from, keep }: Limits,
  say: (text: string) => void,
): Promise<Explored> {
  const search = new Search(bounds, scene.fates, from)
  const violations: string[] = []
  const deadline = performance.now() + mostMs
  for (let number = 1; !search.isOver && violations.length < mostViolations; number += 1) {
    if (performance.now() > deadline) break
    const { schedules, pruned } = search.counts
    if (number % 20 === 0) {
      say(
        `${scene.name}: ${schedules} schedules, ${pruned} pruned, about ${Math.floor(search.share * 100)} %`,
      )
      keep(search.position)
    }
    if (number % ROWS_KEPT_FOR === 0) await world.forget()
    const { way, broken } = await followOnce(world, scene, search, `${plainName(scene)} ${number}`)
    violations.push(...broken.map((what) => `${scene.name}: ${what}; by ${search.path.join(', ')}`))
    search.end(way)
  }
  return { ...search.counts, violations, position: search.isOver ? null : search.position }
}

/** For keys and files, which take plain letters alone. */
export function plainName({ name }: Pick<Scene, 'name'>): string {
  return name.replaceAll(/[^a-z]+/g, '-')
}

type Followed = { readonly way: Way; readonly broken: readonly string[] }

/** One schedule from its beginning to its end, and whatever has to be done until nothing is open. */
async function followOnce(world: World, scene: Scene, search: Search, order: string): Promise<Followed> {
  const { scheduler } = world
  await world.forgetDeclines()
  const since = await world.transactionId()
  const situation = await scene.prepare(world, order)
  search.begin()
  world.isLate = scene.isLate === true
  world.standStill()
  scheduler.begin()
  const answers: Answers = new Map()
  const broken: string[] = []
  let left = situation.parts
  let way: Way = 'ended'
  let deaths = 0
  while (left.length > 0) {
    const isFirst = deaths === 0
    // After a death, callers come one after the other.
    const now = isFirst ? left : left.slice(0, 1)
    const acting = now.map((part) => ({
      part,
      actor: scheduler.start(`${part.name}${"'".repeat(deaths)}`, part.run),
    }))
    const leftBehind = () => {
      const known = acting.map(({ part, actor }) => `${part.name} ${actor.isDone} ${bodyOf(actor.result)}`)
      for (const { name } of left.slice(now.length)) known.push(name)
      for (const [name, { body }] of answers) known.push(`${name} ${body}`)
      return world.leftBehind({ since, order, known })
    }
    way = await follow(scheduler, search, leftBehind)
    const ended = acting.filter(({ actor }) => actor.isDone)
    for (const { part, actor } of ended) {
      if (actor.error) broken.push(`${part.name} threw ${actor.error}`)
      else note(answers, part, actor.result)
    }
    if (way === 'pruned' || way === 'stray') break
    left = left.filter((part) => !ended.some(({ part: own }) => own === part))
    if (way !== 'crashed') continue
    deaths += 1
    await scheduler.kill()
    await world.restart()
    scheduler.begin()
    // Leases of the dead end sooner than in life, and so does what waits for them.
    await world.database.query(
      `update idempotency_keys set leased_until = now() - interval '1 minute' where status is null`,
    )
  }
  scheduler.end()
  world.goOn()
  world.isLate = false
  await scheduler.ended()
  const isAbandoned = way === 'pruned' || way === 'stray'
  if (isAbandoned) {
    await settle(world, situation)
    return { way, broken: await movesRefused(world.database) }
  }
  broken.push(...(await finish(world, situation, answers)), ...(await movesRefused(world.database)))
  return { way, broken }
}

function bodyOf(result: unknown): string {
  return (result as LightMyRequestResponse | undefined)?.body ?? ''
}

type Answers = Map<string, LightMyRequestResponse>

function note(answers: Answers, { name, key }: Part, result: unknown): void {
  if (key !== undefined) answers.set(name, result as LightMyRequestResponse)
}

const ENOUGH = 12

/** Repeats requests and runs the job until nothing is open any more. */
async function settle(world: World, situation: Situation): Promise<string[]> {
  for (let round = 0; round < ENOUGH; round += 1) {
    const ids = await situation.payments()
    const { rows } = await world.database.query(
      'select id, kind, state from attempts where transaction_id = any($1) and due_at is not null',
      [ids],
    )
    if (rows.length === 0) return []
    await world.resolveDue()
  }
  return ['an attempt stays open for ever']
}

async function finish(
  world: World,
  situation: Situation,
  first: ReadonlyMap<string, LightMyRequestResponse>,
): Promise<string[]> {
  const broken: string[] = []
  for (const { name, run, isDue } of situation.parts) {
    if (!(await isDue?.())) continue
    const { statusCode, body } = (await run()) as LightMyRequestResponse
    if (statusCode !== 204) broken.push(`${name} is answered ${statusCode} ${body} in the end`)
  }
  await settle(world, situation)
  const answers = new Map<string, LightMyRequestResponse>()
  for (const part of situation.parts.filter(({ key }) => key !== undefined)) {
    const answer = await repeat(world, part)
    const before = first.get(part.name)
    if (before && before.statusCode < 300 && before.body !== answer.body)
      broken.push(`${part.name} was answered ${before.body}, and again ${answer.body}`)
    if (answer.statusCode >= 500 || answer.statusCode === 409 || answer.statusCode === 425)
      broken.push(`${part.name} is answered ${answer.statusCode} ${answer.body} in the end`)
    answers.set(part.name, answer)
  }
  broken.push(...(await settle(world, situation)))
  const ids = await situation.payments()
  broken.push(
    ...(await situation.check(answers)),
    ...(await compareBooks(world, ids)),
    ...(await notAtRest(world, situation, ids)),
  )
  return broken
}

async function repeat(world: World, { run, key }: Part): Promise<LightMyRequestResponse> {
  for (let tries = 1; ; tries += 1) {
    await world.endLeaseOf(key ?? '')
    const answer = (await run()) as LightMyRequestResponse
    if (tries === 5 || ![409, 425, 503, 504].includes(answer.statusCode)) return answer
    await world.resolveDue()
  }
}

const MOVING_STATES = ['payment', 'attempt', 'key'].flatMap((name) => movingStatesOf(machine(name)))

/** What the model says is under way, when all is over. Keys of schedules that were not followed to their end may stay as they are. */
async function notAtRest(world: World, { parts }: Situation, ids: readonly string[]): Promise<string[]> {
  const keys = parts.flatMap(({ key }) => (key === undefined ? [] : [world.storedKey(key)]))
  const { rows } = await world.database.query(
    `select * from (
       select 'a payment' as what, status as state from transactions where id = any($1)
       union all select 'an attempt', state from attempts where transaction_id = any($1)
       union all select 'a key', ${keyState('k')} from idempotency_keys as k where key = any($3)) as found
     where state = any($2)`,
    [ids, MOVING_STATES, keys],
  )
  return rows.map(({ what, state }) => `${what} stays ${state}`)
}

/** Our sums and those of the provider. */
async function compareBooks(world: World, ids: readonly string[]): Promise<string[]> {
  const { rows } = await world.database.query(
    `select t.id, t.status, t.authorized_amount, t.captured_amount, t.refunded_amount, t.capturing_amount, t.refunding_amount,
       t.released_amount, theirs.*
     from transactions t
     cross join lateral (
       select coalesce(sum(amount) filter (where operation in ('authorize', 'increment')), 0)::int as authorized,
         count(*) filter (where operation = 'authorize')::int as authorizations,
         coalesce(sum(amount) filter (where operation = 'capture' or (operation = 'authorize' and is_final)), 0)::int as captured,
         coalesce(sum(amount) filter (where operation = 'refund'), 0)::int as refunded,
         coalesce(sum(amount) filter (where operation = 'void'), 0)::int as voided
       from simulator.entries e where e.transaction_id = t.id::text and e.status = 'approved'
     ) theirs
     where t.id = any($1)`,
    [ids],
  )
  return rows.flatMap((row) => {
    // What a provider has approved against its first answer is given back.
    const isUndone = row.authorized_amount === 0 && row.authorized === row.voided
    const isRight =
      (row.authorized_amount === row.authorized || isUndone) &&
      row.captured_amount === row.captured &&
      row.refunded_amount === row.refunded &&
      row.capturing_amount + row.refunding_amount === 0 &&
      row.authorizations <= 1 &&
      (isUndone ||
        row.voided === (row.status === 'authorization_voided' ? row.authorized_amount : row.released_amount))
    return isRight ? [] : [`the books differ: ${JSON.stringify(row)}`]
  })
}
