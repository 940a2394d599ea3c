import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as roles from '#resources/roles/store.ts'
import { inviteUser } from '#resources/users/create.ts'
import { resetUser } from '#resources/users/invite-again.ts'
import type { User } from '#resources/users/schemas.ts'
import * as users from '#resources/users/store.ts'
import { disableUser } from '#resources/users/update.ts'
import { readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { addressOf } from './own-address.ts'
import { allPages, oneLine, table } from './terminal.ts'

export const usersInvite = defineCommand({
  name: 'users invite',
  about: 'Invites a user to the dashboard, and prints the link to send. It works once, for three days.',
  parameters: ['EMAIL'],
  options: {
    role: {
      type: 'string',
      value: 'SLUG',
      multiple: true,
      about: 'What the user may do. Default administrator. May be repeated.',
    },
    account: {
      type: 'string',
      value: 'ID',
      multiple: true,
      about: 'A merchant account the user may act on. Default all; the first is used when none is named.',
    },
    name: { type: 'string', value: 'NAME', about: 'The name of the person. Default: from the address.' },
  },
  example: 'switchyard users invite mara@example.com --role customer-support --account shop',
  run: async (terminal, options, [email = '']) => {
    const emailAddress = readEmail(email)
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const roleIds = await findRoles(foundation, options.role.length > 0 ? options.role : ['administrator'])
      const merchantAccountIds = [...new Set(options.account)]
      await refuseUnknownAccounts(foundation, merchantAccountIds)
      if (await users.findByEmail(foundation.context, emailAddress)) {
        throw new Error(
          `There is a user ${emailAddress}. For a new link: switchyard users reset ${emailAddress}`,
        )
      }
      const installation = { secrets: foundation.secrets, publicUrl: await addressOf(config) }
      const name = options.name?.trim() || emailAddress.replace(/@.*$/, '')
      const person = { emailAddress, name, roleIds, merchantAccountIds }
      const invited = await inviteUser(foundation.context, installation, person)
      terminal.print(`id    ${invited.id}\nlink  ${invited.invitation_url}`)
      terminal.say('Send the link to this person alone. It works once.')
      await foundation.sealer.seal(foundation.context)
    })
  },
})

function readEmail(given: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(given) && given.length <= 254) return given
  throw new UsageError(`"${given}" is not an e-mail address.`)
}

async function findRoles({ context }: Foundation, slugs: readonly string[]): Promise<string[]> {
  const named = await roles.findNamed(context, slugs)
  const missing = slugs.find((slug) => !named.some((role) => role.slug === slug || role.id === slug))
  if (missing !== undefined) throw new Error(`There is no role "${missing}".`)
  if (!named.some((role) => role.is_standalone_assignable)) {
    throw new Error(`The role "${slugs[0]}" only adds to others: name another beside it.`)
  }
  return named.map(({ id }) => id)
}

async function refuseUnknownAccounts({ context }: Foundation, ids: readonly string[]): Promise<void> {
  const known = await merchantAccounts.existing(context, ids)
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw new Error(`There is no merchant account "${missing}".`)
}

const HEADINGS = ['ID', 'EMAIL', 'NAME', 'STATUS', 'ROLES', 'ACCOUNTS', 'SIGNS IN WITH', 'LAST SIGN-IN']

export const usersList = defineCommand({
  name: 'users list',
  about: 'Lists the users of the dashboard, newest first.',
  options: { json: { type: 'boolean', about: 'Print a JSON array of what the API shows of each.' } },
  example: 'switchyard users list',
  run: (terminal, { json }) =>
    withFoundation(terminal, readConfig(terminal.env), async ({ context }) => {
      const all = await allPages((page) => users.list(context, 'all', page))
      terminal.print(json ? JSON.stringify(all, null, 2) : table([HEADINGS, ...all.map(cellsOf)]))
    }),
})

function cellsOf(user: User): string[] {
  const accounts = user.merchant_accounts.map(({ id }) => id)
  return [
    user.id,
    oneLine(user.email_address),
    oneLine(user.name),
    user.status,
    user.roles.map(({ slug }) => slug).join(','),
    accounts.length > 0 ? accounts.join(',') : 'all',
    user.has_passkey ? 'passkey' : user.has_second_factor ? 'password' : 'nothing yet',
    user.last_signed_in_at ?? 'never',
  ]
}

export const usersDisable = defineCommand({
  name: 'users disable',
  about: 'Disables a user: their sessions end, and they cannot sign in.',
  parameters: ['EMAIL'],
  options: {},
  example: 'switchyard users disable mara@example.com',
  run: (terminal, _options, [email = '']) =>
    withFoundation(terminal, readConfig(terminal.env), async (foundation) => {
      const { id, email_address } = await findUser(foundation, email)
      await disableUser(foundation.context, id)
      terminal.say(`${email_address} is disabled. A running service ends their sessions within 5 seconds.`)
      await foundation.sealer.seal(foundation.context)
    }),
})

export const usersReset = defineCommand({
  name: 'users reset',
  about: 'Prints a link with which a user who has lost every passkey can start again. It works once.',
  parameters: ['EMAIL'],
  options: {},
  example: 'switchyard users reset mara@example.com',
  run: async (terminal, _options, [email = '']) => {
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const { id } = await findUser(foundation, email)
      const installation = { secrets: foundation.secrets, publicUrl: await addressOf(config) }
      const { invitation_url, invitation_expires_at } = await resetUser(foundation.context, installation, id)
      terminal.print(`link  ${invitation_url}`)
      terminal.say(`Send the link to this person alone. It works once, until ${invitation_expires_at}.`)
      await foundation.sealer.seal(foundation.context)
    })
  },
})

/** By e-mail address or by id. */
async function findUser({ context }: Foundation, given: string): Promise<User> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)
  const user = isId ? await users.find(context, given) : await users.findByEmail(context, given)
  if (user) return user
  throw new Error(`There is no user "${given}". See: switchyard users list`)
}
