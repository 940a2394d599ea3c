import type { FastifyInstance } from 'fastify'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { fill } from '#resources/sandbox/fill/fill.ts'
import { planHistory } from '#resources/sandbox/fill/plan.ts'
import { type Send, Shop } from '#resources/sandbox/fill/shop.ts'
import { adminKeyFile, type Config, readConfig } from '../config.ts'
import type { Foundation } from '../start.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { progressBar, refuseProduction, sayLate, workshop } from './sandbox.ts'
import { oneLine, type Terminal } from './terminal.ts'
import { sign } from './token.ts'

const DAY_MS = 86_400_000
const TOKEN_SECONDS = 12 * 3_600

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
      days: readCount('days', options.days ?? '90', 730),
      payments: readCount('payments', options.payments ?? '5000', 100_000),
      seed: readCount('seed', options.seed ?? '1', 2 ** 31),
      account: options['merchant-account'] ?? 'default',
    }
    await withFoundation(terminal, config, (foundation) => makeHistory(terminal, config, foundation, wanted))
  },
})

type Wanted = {
  readonly days: number
  readonly payments: number
  readonly seed: number
  readonly account: string
}

async function makeHistory(
  terminal: Terminal,
  config: Config,
  foundation: Foundation,
  wanted: Wanted,
): Promise<void> {
  const { context } = foundation
  const { days, payments, account } = wanted
  if (!(await merchantAccounts.exists(context, account))) {
    throw new UsageError(`There is no merchant account "${account}".`)
  }
  const services = await workshop(terminal, config, foundation)
  const { buildApp, JOBS } = await import('../app.ts')
  const app = buildApp({ ...services, role: 'all', isStopping: () => false })
  const shop = new Shop(await sender(app, adminKeyFile(config.dataDir), account))
  const start = new Date((Math.floor(context.clock().getTime() / DAY_MS) + 1) * DAY_MS)
  const bar = progressBar(terminal)
  const began = performance.now()
  const showing = setInterval(() => {
    const now = context.clock()
    const share = (now.getTime() - start.getTime()) / (days * DAY_MS)
    bar.show(share, `${now.toISOString().slice(0, 10)}  ${shop.counts.payments} of ${payments} payments`)
  }, 200)
  const history = { acts: planHistory({ ...wanted, start }), start, days, shop }
  try {
    const { isWhole, lateJobs } = await fill(services, JOBS, history, new AbortController().signal)
    bar.clear()
    sayLate(terminal, lateJobs)
    if (!isWhole) throw new Error('The service refuses what the shop asks for, so the history ends here.')
  } finally {
    clearInterval(showing)
    bar.clear()
    await app.close()
    services.outgoing.close()
    await foundation.sealer.seal(context)
    sayRefusals(terminal, shop)
    terminal.say(summary(shop, days, performance.now() - began))
  }
}

const REASONS_SHOWN = 5

function sayRefusals({ say }: Terminal, { refusals }: Shop): void {
  const reasons = [...refusals].toSorted(([, one], [, other]) => other - one)
  for (const [reason, count] of reasons.slice(0, REASONS_SHOWN)) say(`${count} refused: ${oneLine(reason)}`)
  const more = reasons.length - REASONS_SHOWN
  if (more > 0) say(`and for ${more} more reasons`)
}

function summary({ counts }: Shop, days: number, ms: number): string {
  const { payments, approved, captures, refunds, voids } = counts
  return (
    `Made ${payments} payments in ${days} days, ${approved} of them approved, with ${captures} captures, ` +
    `${refunds} refunds and ${voids} voids, in ${Math.round(ms / 1000)} s.`
  )
}

async function sender(app: FastifyInstance, keyFile: string, account: string): Promise<Send> {
  const token = await sign(keyFile, { scopes: ['*.read', '*.write'] }, TOKEN_SECONDS)
  return async (route, body) => {
    const [method = '', url = ''] = route.split(' ')
    const answer = await app.inject({
      method: method as 'POST',
      url,
      payload: body,
      headers: { authorization: `Bearer ${token}`, 'x-service-merchant-account-id': account },
    })
    return { status: answer.statusCode, body: answer.json() }
  }
}

function readCount(name: string, text: string, most: number): number {
  const count = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= most) return count
  throw new UsageError(`--${name} must be a whole number from 1 to ${most}, and "${text}" is none.`)
}
