import * as events from '#resources/events/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { adminKeyFile, type Config, readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { choose, defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { refuseProduction, sender, workshop } from './sandbox.ts'
import { oneLine, type Terminal } from './terminal.ts'
import { type Ask, TRIGGERS } from './triggers.ts'

const NAMES = Object.keys(TRIGGERS)

export const command = defineCommand({
  name: 'trigger',
  about:
    'Makes an event happen in a sandbox, as a shop would: it pays, captures, refunds and so on, and prints the event.\n' +
    `EVENT is one of ${NAMES.join(', ')}.`,
  options: {
    'merchant-account': { type: 'string', value: 'ID', about: 'In which account. Default "default".' },
  },
  parameters: ['EVENT'],
  example: 'switchyard trigger transaction.captured',
  run: async (terminal, options, [name = '']) => {
    const config = refuseProduction(readConfig(terminal.env))
    const account = options['merchant-account'] ?? 'default'
    if (!Object.hasOwn(TRIGGERS, name))
      throw new UsageError(`"${name}" cannot be triggered. ${choose(name, NAMES)}`)
    await withFoundation(terminal, config, (foundation) =>
      trigger(terminal, config, foundation, { name: name as keyof typeof TRIGGERS, account }),
    )
  },
})

type Wanted = { readonly name: keyof typeof TRIGGERS; readonly account: string }

async function trigger(
  terminal: Terminal,
  config: Config,
  foundation: Foundation,
  { name, account }: Wanted,
): Promise<void> {
  const { context, sealer } = foundation
  if (!(await merchantAccounts.exists(context, account)))
    throw new UsageError(`There is no merchant account "${account}".`)
  const services = await workshop(terminal, config, foundation)
  const { buildApp } = await import('../app.ts')
  const app = buildApp({ ...services, role: 'all', isStopping: () => false })
  const since = context.clock()
  try {
    const send = await sender(app, adminKeyFile(config.dataDir), account)
    await TRIGGERS[name]?.(asking(send))
    const told = await events.listSince(context, { since, merchantAccountId: undefined, limit: 1_000 })
    const event = told.find((candidate) => candidate.name === name)
    if (!event) throw new Error(`The payment went another way: no event ${name} was told.`)
    const { id, target, created_at } = event
    terminal.print(JSON.stringify({ id, name, created_at: created_at.toISOString(), target }))
  } finally {
    await app.close()
    services.outgoing.close()
    // No worker may be running, and an unsealed entry would look like an intrusion.
    await sealer.seal(context)
  }
  terminal.say('A running worker delivers it to your webhook subscriptions.')
}

/** Throws if an operation is refused. */
function asking(send: Awaited<ReturnType<typeof sender>>): Ask {
  return async (route, given) => {
    const { status, body } = await send(route, given)
    if (status < 400) return body
    const reasons = body.details?.map((detail) => detail.message).join('; ') || body.message
    throw new Error(`${route} was answered with ${status}: ${oneLine(reasons ?? '')}`)
  }
}
