import { inTransaction } from '#platform/database/db.ts'
import { complaintsAbout } from '#platform/http/validation.ts'
import { UNKEYED } from '#platform/idempotency/once.ts'
import { registriesFor } from '#processing/connectors.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import { createMerchantAccount } from '#resources/merchant-accounts/create.ts'
import { CreateMerchantAccount, type MerchantAccount } from '#resources/merchant-accounts/schemas.ts'
import { showAccount } from '#resources/merchant-accounts/show.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import type { Sandbox } from '../open-sandbox.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { allPages, oneLine, type Terminal, table } from './terminal.ts'

const NO_SERVICE =
  'It has no payment service yet, and cannot take payments. Connect one: POST /payment-services'

export const accountsCreate = defineCommand({
  name: 'accounts create',
  about: 'Makes a merchant account. Run again, it adds what is missing and changes nothing else.',
  options: {
    'display-name': { type: 'string', value: 'NAME', about: 'Name to display. Default: the id.' },
    simulator: {
      type: 'boolean',
      about: 'Connect the simulators of cards and gift cards, as in the account "default". Sandbox only.',
    },
  },
  parameters: ['ID'],
  example: 'switchyard accounts create fashion-store --display-name "Fashion store" --simulator',
  run: async (terminal, options, [id = '']) => {
    const config = readConfig(terminal.env)
    const wanted = readAccount(id, options['display-name'] ?? id)
    if (options.simulator && config.environment !== 'sandbox') {
      throw new UsageError('--simulator is for sandboxes, and ENVIRONMENT is production. Leave it out.')
    }
    await withFoundation(terminal, config, async (foundation) => {
      await ensureAccount(terminal, foundation, wanted)
      const { sandbox } = foundation
      if (options.simulator && sandbox) terminal.say(await ensureSimulator(foundation, sandbox, wanted.id))
      else if (!(await takesCards(foundation, wanted.id))) terminal.say(NO_SERVICE)
      // No worker may be running, and an unsealed entry would look like an intrusion.
      await foundation.sealer.seal(foundation.context)
    })
  },
})

type Wanted = { readonly id: string; readonly display_name: string }

function readAccount(id: string, name: string): Wanted {
  const wanted = { id, display_name: name.trim() }
  const complaints = complaintsAbout('body', CreateMerchantAccount, wanted)
  if (complaints.length === 0) return wanted
  if (complaints.some(({ pointer }) => pointer === '/id')) {
    throw new UsageError('ID must be 1 to 50 letters, digits and dashes.')
  }
  throw new UsageError('--display-name must have 1 to 255 characters.')
}

async function ensureAccount(
  { say }: Terminal,
  { context, secrets }: Foundation,
  wanted: Wanted,
): Promise<void> {
  const found = await merchantAccounts.find(context, secrets, wanted.id)
  if (!found) {
    await createMerchantAccount(context, UNKEYED, secrets, { callerReach: 'all', request: wanted })
    return say(`The merchant account ${wanted.id} is made.`)
  }
  if (found.display_name !== wanted.display_name) {
    throw new Error(
      `There is a merchant account ${wanted.id} already, named "${oneLine(found.display_name)}". ` +
        'Choose another id, or leave the name as it is.',
    )
  }
  say(`The merchant account ${wanted.id} was there already.`)
}

/** Returns what was done. */
async function ensureSimulator(
  { context, secrets, vault }: Foundation,
  sandbox: Sandbox,
  merchantAccountId: string,
): Promise<string> {
  const registries = registriesFor('sandbox', sandbox)
  const isNew = await inTransaction({ ...context, merchantAccountId }, async (tx) => {
    // Two such commands at once must not both find the account without a service.
    await merchantAccounts.lock(tx, secrets, merchantAccountId)
    const needsCards = (await paymentServices.listActive(tx, 'card')).length === 0
    const needsGiftCards = (await giftCardServices.findActive(tx)) === undefined
    if (needsCards) await sandbox.connectSimulator(tx, vault, registries)
    if (needsGiftCards) await sandbox.connectGiftCardSimulator(tx, vault, registries)
    return needsCards
  })
  return isNew
    ? 'The simulator is connected: the account can take test payments.'
    : 'It has a payment service already, so the simulator was not connected again.'
}

async function takesCards({ context }: Foundation, merchantAccountId: string): Promise<boolean> {
  return (await paymentServices.listActive({ ...context, merchantAccountId }, 'card')).length > 0
}

const HEADINGS = ['ID', 'NAME', 'CREATED']

export const accountsList = defineCommand({
  name: 'accounts list',
  about: 'Lists the merchant accounts, newest first.',
  options: { json: { type: 'boolean', about: 'Print a JSON array of what the API shows of each.' } },
  example: 'switchyard accounts list',
  run: (terminal, { json }) =>
    withFoundation(terminal, readConfig(terminal.env), async ({ context, secrets }) => {
      const found = await allPages((page) => merchantAccounts.list(context, secrets, 'all', page))
      const accounts = found.map(showAccount)
      terminal.print(json ? JSON.stringify(accounts, null, 2) : table([HEADINGS, ...accounts.map(cellsOf)]))
    }),
})

function cellsOf({ id, display_name, created_at }: MerchantAccount): string[] {
  return [id, oneLine(display_name), created_at]
}
