import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '#platform/http/errors.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { advanceClock } from '#sandbox/resources/clock/advance.ts'
import { findTarget } from '#sandbox/resources/clock/find-target.ts'
import { moveClock } from '#sandbox/resources/clock/move.ts'
import type { AdvanceSandboxClock, SandboxClock } from '#sandbox/resources/clock/schemas.ts'
import { showClock } from '#sandbox/resources/clock/show.ts'
import * as clocks from '#sandbox/resources/clock/store.ts'
import { beginFill } from '#sandbox/resources/fill/begin.ts'
import { DAYS_MAX, DEFAULTS, PAYMENTS_MAX, SEED_MAX } from '#sandbox/resources/fill/schemas.ts'
import type { StoredFill } from '#sandbox/resources/fill/store.ts'
import * as fills from '#sandbox/resources/fill/store.ts'
import { readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { refuseProduction, sayLate, workshop } from './sandbox.ts'
import { oneLine, progressBar, reasonOf, type Terminal } from './terminal.ts'

export const sandboxClock = defineCommand({
  name: 'sandbox clock',
  about: 'Shows what time it is in this sandbox.',
  options: {},
  example: 'switchyard sandbox clock',
  run: async (terminal) => {
    const config = refuseProduction(readConfig(terminal.env))
    await withFoundation(terminal, config, async ({ context }) => {
      const stored = await clocks.read(context)
      terminal.print(lineFor(showClock(context, stored)))
      sayLate(terminal, stored.lateJobs)
    })
  },
})

function lineFor({ now, offset_seconds, target }: SandboxClock): string {
  const ahead = offset_seconds === 0 ? 'real time' : `${spanOf(offset_seconds)} ahead of real time`
  return `${now}, ${ahead}${target === null ? '' : `, advancing to ${target}`}`
}

function spanOf(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const hours = Math.round(seconds / 3600)
  return hours < 24 ? `${minutes} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

const LOOK_MS = 200

export const sandboxAdvance = defineCommand({
  name: 'sandbox advance',
  about:
    'Moves the clock of this sandbox forward, and waits until everything that falls due on the way is done. The clock\n' +
    'cannot go back. WHERE is an ISO 8601 duration such as P3D, PT36H or P1M, or a time such as 2027-01-31T10:00:00Z.',
  options: {},
  parameters: ['WHERE'],
  example: 'switchyard sandbox advance P3D',
  run: async (terminal, _options, [where = '']) => {
    const config = refuseProduction(readConfig(terminal.env))
    const request = readRequest(where)
    await withFoundation(terminal, config, async (foundation) => {
      await startMove(foundation, request)
      const services = await workshop(terminal, config, foundation)
      const { listJobs } = await import('../app.ts')
      const jobs = listJobs(foundation.sandbox)
      const signal = new AbortController().signal
      // Without a running service, this process is the worker.
      await untilReady(terminal, foundation, () => moveClock(services, jobs, signal))
      services.outgoing.close()
      // No worker may be running, and an unsealed entry would look like an intrusion.
      await foundation.sealer.seal(foundation.context)
      await foundation.context.clock.catchUp?.()
      sayLate(terminal, (await clocks.read(foundation.context)).lateJobs)
      terminal.print(foundation.context.clock().toISOString())
    })
  },
})

function readRequest(where: string): AdvanceSandboxClock {
  if (/^\d{4}-\d\d-\d\dT/.test(where)) return { to: where }
  if (!where.startsWith('P')) {
    throw new UsageError(
      `"${where}" is neither a duration such as P3D nor a time such as 2027-01-31T10:00:00Z.`,
    )
  }
  const found = findTarget({ by: where }, new Date(0))
  if ('complaint' in found) throw new UsageError(`"${where}" ${found.complaint.message}.`)
  return { by: where }
}

async function startMove({ context }: Foundation, request: AdvanceSandboxClock): Promise<void> {
  try {
    await advanceClock(context, UNKEYED, request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new UsageError(`The clock cannot be moved: ${reasonOf(error)}.`)
  }
}

async function untilReady(
  terminal: Terminal,
  { context }: Foundation,
  move: () => Promise<void>,
): Promise<void> {
  const start = context.clock().getTime()
  const bar = progressBar(terminal)
  const moving = (async () => {
    while ((await clocks.read(context)).target !== null) {
      await move()
      await sleep(LOOK_MS)
    }
  })()
  let isMoving = true
  const ended = moving.finally(() => {
    isMoving = false
  })
  while (isMoving) {
    const { target } = await clocks.read(context)
    const now = context.clock()
    if (target) bar.show((now.getTime() - start) / (target.getTime() - start), now.toISOString())
    await Promise.race([ended, sleep(LOOK_MS)])
  }
  bar.clear()
  await ended
}

const FILL_LOOK_MS = 200

export const sandboxFill = defineCommand({
  name: 'sandbox fill',
  about:
    'Makes a plausible history: payments in several currencies, declines, captures, refunds, 3-D Secure, subscriptions,\n' +
    'chargebacks and buyers who come back, all through the API. The clock of the sandbox only goes forward, so the history begins\n' +
    'at the next midnight (UTC), and afterwards the clock is that many days ahead.',
  options: {
    days: { type: 'string', value: 'DAYS', about: 'How many days. Default 90.' },
    payments: { type: 'string', value: 'COUNT', about: 'How many payments. Default 5000.' },
    seed: { type: 'string', value: 'NUMBER', about: 'The same number gives the same history. Default 1.' },
    'merchant-account': { type: 'string', value: 'ID', about: 'Whose payments. Default "default".' },
  },
  example: 'switchyard sandbox fill --days 30 --payments 1000',
  run: async (terminal, options) => {
    const config = refuseProduction(readConfig(terminal.env))
    const wanted = {
      days: readCount('days', options.days, DAYS_MAX),
      payments: readCount('payments', options.payments, PAYMENTS_MAX),
      seed: readCount('seed', options.seed, SEED_MAX),
    }
    await withFoundation(terminal, config, async (foundation) => {
      await startFill(foundation, options['merchant-account'] ?? 'default', wanted)
      const services = await workshop(terminal, config, foundation)
      const { listJobs } = await import('../app.ts')
      const job = listJobs(foundation.sandbox).find(({ name }) => name === 'fill-sandbox')
      const signal = new AbortController().signal
      // Without a running service, this process is the worker.
      const ended = await untilEnded(terminal, foundation, async () => job?.run(services, signal))
      services.outgoing.close()
      // No worker may be running, and an unsealed entry would look like an intrusion.
      await foundation.sealer.seal(foundation.context)
      sayLate(terminal, (await clocks.read(foundation.context)).lateJobs)
      sayEnd(terminal, ended)
    })
  },
})

type Wanted = { readonly days: number; readonly payments: number; readonly seed: number }

async function startFill({ context }: Foundation, merchantAccountId: string, wanted: Wanted): Promise<void> {
  if (!(await merchantAccounts.exists(context, merchantAccountId))) {
    throw new UsageError(`There is no merchant account "${merchantAccountId}".`)
  }
  try {
    await beginFill({ ...context, merchantAccountId }, UNKEYED, wanted)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new UsageError(`The sandbox cannot be filled: ${reasonOf(error)}.`)
  }
}

/** Shows how far it is until it is over, whichever process does the work. */
async function untilEnded(
  terminal: Terminal,
  { context }: Foundation,
  work: () => Promise<void>,
): Promise<StoredFill> {
  const bar = progressBar(terminal)
  const working = (async () => {
    while (await fills.isUnderWay(context)) {
      await work()
      await sleep(FILL_LOOK_MS)
    }
  })()
  let isOver = false
  const over = working.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const { made, payments } = await fills.read(context)
    const day = context.clock().toISOString().slice(0, 10)
    bar.show(made.payments / (payments ?? 1), `${day}  ${made.payments} of ${payments} payments`)
    await Promise.race([over, sleep(FILL_LOOK_MS)])
  }
  bar.clear()
  await over
  return fills.read(context)
}

const REASONS_SHOWN = 5

function sayEnd({ say }: Terminal, { made, refusals, failure, days }: StoredFill): void {
  for (const { reason, count } of refusals.slice(0, REASONS_SHOWN))
    say(`${count} refused: ${oneLine(reason)}`)
  const more = refusals.length - REASONS_SHOWN
  if (more > 0) say(`and for ${more} more reasons`)
  const { payments, approved, captures, refunds, voids } = made
  say(
    `Made ${payments} payments in ${days} days, ${approved} of them approved, with ${captures} captures, ` +
      `${refunds} refunds and ${voids} voids.`,
  )
  if (failure !== null) throw new Error(`The history ends here: ${WHY[failure]}.`)
}

const WHY = {
  refused: 'the service refuses what the shop asks for',
  interrupted: 'the process that made it has ended',
  error: 'it failed, and the log says why',
} as const

function readCount(name: keyof typeof DEFAULTS, text: string | undefined, most: number): number {
  if (text === undefined) return DEFAULTS[name]
  const count = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= most) return count
  throw new UsageError(`--${name} must be a whole number from 1 to ${most}, and "${text}" is none.`)
}
