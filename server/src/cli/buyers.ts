import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import { eraseBuyer, toErasure } from '#resources/buyers/erasure/create.ts'
import { type Erasing, eraseDue } from '#resources/buyers/erasure/erase.ts'
import type { BuyerErasure } from '#resources/buyers/erasure/schemas.ts'
import * as erasures from '#resources/buyers/erasure/store.ts'
import { collectPerson, paymentsOf } from '#resources/buyers/export/collect.ts'
import * as buyers from '#resources/buyers/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { type Config, readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { reportStorage } from '../report-storage.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { addressOf } from './own-address.ts'

const ACCOUNT = {
  type: 'string',
  value: 'ID',
  about: 'The merchant account of the buyer. Without it: default.',
} as const

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The account of a command about a buyer, and the id of the buyer, who may be named by its external identifier. */
async function findBuyer(
  { context }: Foundation,
  account: string,
  name: string,
): Promise<{ readonly scope: Scope; readonly buyerId: string }> {
  if (!(await merchantAccounts.exists(context, account))) {
    throw new UsageError(`There is no merchant account ${account}. See: switchyard accounts list`)
  }
  const scope = { ...context, merchantAccountId: account }
  if (UUID.test(name)) return { scope, buyerId: name.toLowerCase() }
  const buyer = await buyers.findByExternalIdentifier(scope, name)
  if (buyer) return { scope, buyerId: buyer.id }
  throw new UsageError(
    `No buyer of the merchant account ${account} has this external identifier. Name the buyer by its id.`,
  )
}

/** What a command says of a buyer that the account does not have. */
function unknownBuyer(account: string): Error {
  return new Error(
    `The merchant account ${account} has no such buyer, and no payment of one. Check the id, and --merchant-account.`,
  )
}

export const buyersExport = defineCommand({
  name: 'buyers export',
  about: 'Prints everything that is known of a buyer, as one JSON document to hand over.',
  parameters: ['BUYER'],
  options: { 'merchant-account': ACCOUNT },
  example: 'switchyard buyers export 0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001 > buyer.json',
  run: (terminal, { 'merchant-account': account = 'default' }, [name = '']) =>
    withFoundation(terminal, readConfig(terminal.env), async (foundation) => {
      const { scope, buyerId } = await findBuyer(foundation, account, name)
      const person = await collectPerson(scope, buyerId).catch((error: unknown) => {
        throw error instanceof ApiError && error.code === 'not_found' ? unknownBuyer(account) : error
      })
      // Payment by payment, because a buyer can have more than fit into memory.
      const fields = Object.entries(person).map(
        ([field, value]) => `${JSON.stringify(field)}: ${JSON.stringify(value)}`,
      )
      terminal.print(`{\n${fields.join(',\n')},\n"payments": [`)
      let separator = ''
      for await (const payment of paymentsOf(scope, buyerId)) {
        terminal.print(`${separator}${JSON.stringify(payment)}`)
        separator = ','
      }
      terminal.print(']\n}')
    }),
})

const WORD = 'erase'
const TURNS = 20
const PAUSE_MS = 500

export const buyersErase = defineCommand({
  name: 'buyers erase',
  about:
    'Erases a buyer: deletes what is stored of it, and takes everything personal out of its payments, events, logs and report files. Amounts and references stay. It cannot be undone.',
  parameters: ['BUYER'],
  options: { 'merchant-account': ACCOUNT, yes: { type: 'boolean', about: 'Do not ask.' } },
  example: 'switchyard buyers erase 0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001',
  run: async (terminal, { 'merchant-account': account = 'default', yes }, [name = '']) => {
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const { scope, buyerId } = await findBuyer(foundation, account, name)
      const question = `Buyer ${buyerId} of ${account} will be erased, for ever. Type "${WORD}": `
      if (!yes && (await terminal.ask(question)) !== WORD) {
        throw new UsageError('Nothing was erased. To erase without a question, use --yes.')
      }
      await eraseBuyer(scope, UNKEYED, buyerId).catch((error: unknown) => {
        throw error instanceof ApiError && error.code === 'not_found' ? unknownBuyer(account) : error
      })
      const erasure = await carryOut(scope, await erasingOf(config, foundation), buyerId)
      terminal.print(JSON.stringify(erasure, null, 2))
      if (erasure.status === 'pending') {
        terminal.say(
          'Something of this buyer is still open. A running service finishes it, or: repeat this command.',
        )
      }
    })
  },
})

/** A service may do the same at the same time: every step can be repeated. */
async function carryOut(scope: Scope, needs: Erasing, buyerId: string): Promise<BuyerErasure> {
  for (let turn = 1; ; turn += 1) {
    await eraseDue(needs, new AbortController().signal)
    const erasure = await erasures.find(scope, buyerId)
    if (!erasure) throw unknownBuyer(scope.merchantAccountId)
    if (erasure.status === 'succeeded' || turn === TURNS) return toErasure(erasure)
    await sleep(PAUSE_MS)
  }
}

async function erasingOf(config: Config, foundation: Foundation): Promise<Erasing> {
  const publicUrl = await addressOf(config)
  const { clock } = foundation.context
  return { ...foundation, reportFiles: reportStorage(config, { ...foundation, publicUrl, clock }) }
}
