import { ApiError } from '#platform/http/errors.ts'
import { collectPerson, paymentsOf } from '#resources/buyers/export/collect.ts'
import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { ACCOUNT, findBuyer, unknownBuyer } from './find-buyer.ts'
import { withFoundation } from './foundation.ts'

export const command = defineCommand({
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
