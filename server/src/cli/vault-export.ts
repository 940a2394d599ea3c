import { createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { exportCards } from '#resources/vault-exports/export-cards.ts'
import { holdersOf, makeShare, removeShare } from '#resources/vault-exports/shares.ts'
import { readConfig } from '../config.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { progressLine } from './read-large-file.ts'
import type { Terminal } from './terminal.ts'

const OWNER_ONLY = 0o600

export const vaultExportShare = defineCommand({
  name: 'vault export-share',
  about:
    'Makes a share of the right to export, for one person, and prints it this once. An export needs the shares of two people. In production a share is good a day after it was made.',
  options: {
    holder: {
      type: 'string',
      value: 'NAME',
      isRequired: true,
      about: 'Whose share it is, for the audit log.',
    },
    remove: { type: 'boolean', about: 'Remove the share of this person instead.' },
  },
  example: 'switchyard vault export-share --holder "Ada Berg"',
  run: async (terminal, { holder, remove }) => {
    if (holder.length > 200) throw new UsageError('--holder takes up to 200 letters.')
    await withFoundation(terminal, readConfig(terminal.env), async ({ context, sealer }) => {
      if (!remove) terminal.print(await makeShare(context, holder))
      else if (!(await removeShare(context, holder))) throw new Error(`${holder} has no share.`)
      await sealer.seal(context)
    })
  },
})

export const vaultExport = defineCommand({
  name: 'vault export',
  about:
    'Writes all stored cards to a file for another vault, encrypted for its PGP key, while the service runs. Two people have to agree, each with the share of "switchyard vault export-share". Prints a receipt.',
  options: {
    to: {
      type: 'string',
      value: 'KEY.asc',
      isRequired: true,
      about: 'The public PGP key of the other vault.',
    },
    share: {
      type: 'string',
      value: 'FILE',
      multiple: true,
      about: 'A file with the share of one person. Without files, the shares are asked for.',
    },
    account: { type: 'string', value: 'ID', about: 'Only the cards of this merchant account.' },
  },
  parameters: ['FILE'],
  example: 'switchyard vault export --to their-key.asc --share ada.txt --share ben.txt cards.csv.pgp',
  run: async (terminal, { to, share, account }, [file = '']) => {
    if (existsSync(file)) throw new Error(`There is a file ${file}. Name one that is not there.`)
    const publicKey = readFileSync(to, 'utf8')
    const shares =
      share.length > 0 ? share.map((name) => readFileSync(name, 'utf8')) : await askForShares(terminal)
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async ({ context, vault, sealer }) => {
      const agreedBy = await holdersOf(context, shares, config.environment)
      if (account !== undefined && !(await merchantAccounts.exists(context, account)))
        throw new Error(`There is no merchant account ${account}. See: switchyard accounts list`)
      const progress = progressLine(terminal)
      const part = `${file}.part`
      try {
        const receipt = await exportCards({
          context,
          vault,
          publicKey,
          agreedBy,
          merchantAccountId: account ?? null,
          write: (chunks) =>
            pipeline(Readable.from(chunks), createWriteStream(part, { mode: OWNER_ONLY, flush: true })),
          onProgress: (cards) => progress.show(cards, null),
        })
        renameSync(part, file)
        progress.clear()
        terminal.print(JSON.stringify(receipt, null, 2))
      } catch (error) {
        rmSync(part, { force: true })
        throw error
      } finally {
        progress.clear()
        await sealer.seal(context)
      }
    })
  },
})

async function askForShares({ ask }: Terminal): Promise<string[]> {
  const first = await ask('The share of the first person: ')
  return [first, await ask('The share of the second person: ')]
}
