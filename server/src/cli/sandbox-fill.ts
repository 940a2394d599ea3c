import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '#platform/http/errors.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as clocks from '#sandbox/resources/clock/store.ts'
import { beginFill } from '#sandbox/resources/fill/begin.ts'
import { DAYS_MAX, DEFAULTS, PAYMENTS_MAX, SEED_MAX } from '#sandbox/resources/fill/schemas.ts'
import type { StoredFill } from '#sandbox/resources/fill/store.ts'
import * as fills from '#sandbox/resources/fill/store.ts'
import { readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { progressBar, refuseProduction, sayLate, workshop } from './sandbox.ts'
import { oneLine, reasonOf, type Terminal } from './terminal.ts'

const LOOK_MS = 200

export const command = defineCommand({
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
      await begin(foundation, options['merchant-account'] ?? 'default', wanted)
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

async function begin({ context }: Foundation, merchantAccountId: string, wanted: Wanted): Promise<void> {
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
      await sleep(LOOK_MS)
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
    await Promise.race([over, sleep(LOOK_MS)])
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
