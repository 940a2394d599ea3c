import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import { eraseBuyer, toErasure } from '#resources/buyers/erasure/create.ts'
import { type Erasing, eraseDue } from '#resources/buyers/erasure/erase.ts'
import type { BuyerErasure } from '#resources/buyers/erasure/schemas.ts'
import * as erasures from '#resources/buyers/erasure/store.ts'
import { type Config, readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { reportStorage } from '../report-storage.ts'
import { defineCommand, UsageError } from './command.ts'
import { ACCOUNT, findBuyer, unknownBuyer } from './find-buyer.ts'
import { withFoundation } from './foundation.ts'
import { addressOf } from './own-address.ts'

const WORD = 'erase'
const TURNS = 20
const PAUSE_MS = 500

export const command = defineCommand({
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
