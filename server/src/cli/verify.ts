import { verifyLedger } from '#issuer/verify.ts'
import { inTransaction } from '#platform/database/db.ts'
import { readLinks } from '#resources/archives/audit-log/links-in-file.ts'
import type { WrittenLinks } from '#resources/audit-logs/archived/store.ts'
import { readHead } from '#resources/audit-logs/head.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { type Verdict, verifyChain } from '#resources/audit-logs/verify.ts'
import { readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { archiveFolder, archiveStorage, FOLDER } from './archive.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { reasonOf, type Terminal } from './terminal.ts'

const NOTE_IT = 'Note the head outside this machine and hand it to the next check (--head).'
const INTACT = `The audit log is intact, and the ledger of gift cards adds up. ${NOTE_IT}`

export const command = defineCommand({
  name: 'verify',
  about:
    'Checks that no entry of the audit log was changed, inserted or removed, and that the gift card ledger adds up.',
  options: {
    head: {
      type: 'string',
      value: 'POSITION:HASH',
      about:
        'A head that an earlier check printed, or the log. With it, a chain that was cut short is noticed too.',
    },
    folder: { ...FOLDER, about: 'Where archived files are. Without it: archive in DATA_DIR.' },
    accept: {
      type: 'boolean',
      about:
        'After a restore: take the chain as it is now for the right one. This leaves an entry in the audit log.',
    },
  },
  example: `switchyard verify --head 12:${'4f'.repeat(32)}`,
  run: async (terminal, { head, folder, accept }) => {
    const noted = head === undefined ? undefined : readHead(head)
    if (noted === 'unreadable') {
      throw new UsageError(
        '--head must be what an earlier check printed: a number, a colon and 64 hex digits.',
      )
    }
    const config = readConfig(terminal.env)
    const storage = archiveStorage(archiveFolder(config, folder))
    await withFoundation(terminal, config, async (foundation) => {
      const { context, secrets, pool } = foundation
      const expected = {
        heads: noted ? [noted] : [],
        readFile: (links: WrittenLinks) => readLinks({ context, storage }, links),
      }
      const found = await verifyChain(context, secrets, expected)
      if (found.problem !== null) throw brokenLog(found, found.problem)
      if (accept) await acceptChain(terminal, foundation, found)
      else await checkKeptHead(foundation, found)
      const verdict = accept ? await verifyChain(context, secrets, expected) : found
      const [finding, ...others] = await verifyLedger(pool)
      if (finding !== undefined) {
        throw new Error(['The ledger of gift cards does not add up:', finding, ...others].join('\n'))
      }
      terminal.print(`links    ${verdict.seals}\nentries  ${verdict.entries}\nhead     ${verdict.head}`)
      if (verdict.archived > 0) terminal.say(filesIn(verdict))
      if (verdict.stale !== null)
        terminal.say(`${verdict.stale} Their codes fit: nobody has changed what waits.`)
      const isIntact = noted !== undefined && verdict.unread.length === 0
      terminal.say(isIntact ? INTACT : consistent(verdict))
    })
  },
})

function filesIn({ archived, unread }: Verdict): string {
  const last = unread.at(-1)
  if (!last) return `The beginning of the audit log is in ${archived} files, which were checked, too.`
  const names = unread.map(({ file }) => file).join('\n')
  return `${unread.length} files with links up to ${last.last.position} are not in this folder, and were not checked. Name their folder with --folder, or copy them back.\n${names}`
}

/** Without a head from elsewhere, we cannot tell whether entries were removed at the end. */
function consistent({ unread }: Verdict): string {
  const log = unread.length === 0 ? 'The audit log is' : 'What was read of the audit log is'
  return (
    `${log} consistent, and the ledger of gift cards adds up. ` +
    `Whether entries were removed at its end shows only against a head that was noted elsewhere. ${NOTE_IT}`
  )
}

function brokenLog({ seals, entries }: Verdict, problem: string): Error {
  const sound = `What was checked before fits: ${seals} links with ${entries} entries.`
  return new Error(`The audit log is not intact: ${problem}\n${sound}`)
}

/** This machine may know a later head than the chain has. */
async function checkKeptHead({ sealer, context }: Foundation, verdict: Verdict): Promise<void> {
  await sealer.check(context).catch((error: unknown) => {
    throw brokenLog(verdict, reasonOf(error))
  })
}

/** Records in the new part of the chain who accepted a chain that may have been cut. */
async function acceptChain(
  { say }: Terminal,
  { sealer, context }: Foundation,
  { head }: Verdict,
): Promise<void> {
  sealer.forget()
  await inTransaction(context, (tx) =>
    auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', {
      type: 'audit-log',
      id: 'audit-log',
      name: `continued after a restore from ${head}`,
    }),
  )
  await sealer.seal(context)
  say('The audit log goes on from here. Restart every process that runs: each still knows the former chain.')
}
