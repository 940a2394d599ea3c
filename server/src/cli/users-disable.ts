import { disableUser } from '#resources/users/update.ts'
import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { findUser } from './find-user.ts'
import { withFoundation } from './foundation.ts'

export const command = defineCommand({
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
