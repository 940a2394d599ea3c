import { verifyLedger } from '../../../issuer/verify.ts'
import { readConfig } from '../config.ts'
import { verifyChain } from '../resources/audit-logs/verify.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { print, say } from './terminal.ts'

const EMPTY_HEAD = '0:'

export const command = defineCommand({
  name: 'verify',
  about:
    'Checks that no entry of the audit log was changed, added in between or taken out, and that gift cards add up.',
  options: {
    head: {
      type: 'string',
      value: 'POSITION:HASH',
      about: 'A head that an earlier check printed. With it, a chain that was cut short is noticed too.',
    },
  },
  example: `switchyard verify --head 12:${'4f'.repeat(32)}`,
  run: async ({ head }) => {
    if (head !== undefined && !/^(0:|[1-9]\d{0,15}:[0-9a-f]{64})$/.test(head)) {
      throw new UsageError(
        '--head must be what an earlier check printed: a number, a colon and 64 hex digits.',
      )
    }
    await withFoundation(readConfig(), async ({ context, secrets, pool }) => {
      // Every chain continues the empty one.
      const expected = head === EMPTY_HEAD ? undefined : head
      const verdict = await verifyChain(context, secrets, expected)
      if (verdict.problem !== null) {
        const sound = `What was checked before fits: ${verdict.seals} links with ${verdict.entries} entries.`
        throw new Error(`The audit log is not intact: ${verdict.problem}\n${sound}`)
      }
      const [finding, ...others] = await verifyLedger(pool)
      if (finding !== undefined) {
        throw new Error(['The ledger of gift cards does not add up:', finding, ...others].join('\n'))
      }
      print(`links    ${verdict.seals}\nentries  ${verdict.entries}\nhead     ${verdict.head}`)
      say(
        'The audit log is intact, and the ledger of gift cards adds up. Note the head outside this machine and hand it to the next check (--head).',
      )
    })
  },
})
