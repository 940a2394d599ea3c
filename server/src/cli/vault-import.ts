import { closeSync, createReadStream, createWriteStream, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { csvLine } from '#platform/portable/csv.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { decrypt, isEncrypted, UnusableFile } from '#resources/vault-imports/decrypt.ts'
import { type Importing, importFile, tryFile } from '#resources/vault-imports/import-file.ts'
import { destroyKey, importKey, openKeys } from '#resources/vault-imports/keys.ts'
import { isLayout, LAYOUTS } from '#resources/vault-imports/layouts.ts'
import * as imports from '#resources/vault-imports/store.ts'
import { type Config, readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { choose, defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { progressLine, sizeOf, stopOnSignals } from './read-large-file.ts'
import type { Terminal } from './terminal.ts'

const PROBLEMS_SHOWN = 20
const CHUNK_BYTES = 256 * 1024

export const vaultImportKey = defineCommand({
  name: 'vault import-key',
  about:
    'Prints the public PGP key for which a file of cards is encrypted, and makes it at the first time. Its private half stays in the vault.',
  options: {
    new: { type: 'boolean', about: 'Make another key. Files for older ones can still be imported.' },
    destroy: {
      type: 'string',
      value: 'FINGERPRINT',
      about: 'Destroy a key instead. What is encrypted for it can never be opened again.',
    },
  },
  example: 'switchyard vault import-key > import-key.asc',
  run: async (terminal, { new: isNew, destroy }) => {
    if (isNew && destroy !== undefined) throw new UsageError('Make a key or destroy one, not both at once.')
    await withFoundation(terminal, readConfig(terminal.env), async ({ context, vault, sealer }) => {
      if (destroy === undefined) {
        const { public_key: publicKey, fingerprint } = await importKey(context, vault, { isNew })
        terminal.print(publicKey.trim())
        terminal.say(`Fingerprint: ${fingerprint}`)
      } else {
        const fingerprint = destroy.replaceAll(' ', '').toUpperCase()
        if (!(await destroyKey(context, vault, fingerprint)))
          throw new Error(`There is no key ${fingerprint}. See: switchyard vault import-key`)
        terminal.say(`The key ${fingerprint} is destroyed.`)
      }
      await sealer.seal(context)
    })
  },
})

export const vaultImport = defineCommand({
  name: 'vault import',
  about:
    'Stores the payment methods of a CSV file, or of Stripe’s JSON, and their buyers, while the service runs. The file is encrypted for the key of "switchyard vault import-key". An import that was stopped goes on where it was when the same file is imported again.',
  options: {
    'dry-run': { type: 'boolean', about: 'Only say what would be imported, and what is wrong.' },
    layout: {
      type: 'string',
      value: 'PROVIDER',
      about: `Whose columns the file has: ${Object.keys(LAYOUTS).join(', ')}. Without it: our own.`,
    },
    'tokens-of': {
      type: 'string',
      value: 'ID',
      about: 'The payment service whose tokens the external identifiers are. Payments there go on with them.',
    },
    results: { type: 'string', value: 'RESULTS', about: 'Write what became of each row to this CSV file.' },
  },
  parameters: ['FILE'],
  example: 'switchyard vault import --results results.csv cards.csv.gpg',
  run: async (terminal, { 'dry-run': isDryRun, layout, 'tokens-of': serviceId, results }, [file = '']) => {
    if (layout !== undefined && !isLayout(layout))
      throw new UsageError(`--layout ${layout} is not known. ${choose(layout, Object.keys(LAYOUTS))}`)
    sizeOf(file)
    if (isDryRun && results !== undefined) throw new UsageError('A dry run has no results to write.')
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const { context, vault, sealer } = foundation
      const progress = progressLine(terminal)
      const stopping = stopOnSignals()
      try {
        const importing = {
          context,
          vault,
          open: await opening(foundation, config, { file, signal: stopping.signal }),
          name: basename(file),
          layout,
          tokensOf: serviceId === undefined ? undefined : await findService(foundation, serviceId),
          onProgress: (done: number, total: number | null) => progress.show(done, total && done / total),
        }
        if (isDryRun) await sayWhatWouldHappen(terminal, importing, progress)
        else await importAndTell(terminal, importing, results)
      } catch (error) {
        progress.clear()
        throw error instanceof UnusableFile ? new Error(`${file} was not imported.`, { cause: error }) : error
      } finally {
        stopping.forget()
        // No worker may be running, and an unsealed entry would look like an intrusion.
        await sealer.seal(context)
      }
    })
  },
})

async function findService({ context }: Foundation, id: string) {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
  const found = isId ? (await paymentServices.findMany(context, [id])).get(id.toLowerCase()) : undefined
  if (!found || found.deleted_at !== null) throw new UsageError(`There is no payment service ${id}.`)
  return { id: found.id, merchantAccountId: found.merchant_account_id }
}

type File = { readonly file: string; readonly signal: AbortSignal }

/** What is in the file. Decrypted bytes are only ever in memory, some at a time. */
async function opening(
  { context, vault }: Foundation,
  { environment }: Config,
  { file, signal }: File,
): Promise<() => AsyncIterable<Uint8Array>> {
  const start = startOf(file)
  const read = () => createReadStream(file, { highWaterMark: CHUNK_BYTES, signal })
  if (isEncrypted(start)) {
    const keys = await openKeys(context, vault)
    return () => decrypt(read(), { isArmored: start[0] === DASH, keys })
  }
  if (environment === 'sandbox') return read
  throw new UnusableFile(
    'It is not encrypted. Encrypt it for the key of "switchyard vault import-key", and delete every copy that is not.',
  )
}

const DASH = 0x2d

function startOf(file: string): Buffer {
  const start = Buffer.alloc(64)
  const handle = openSync(file, 'r')
  try {
    return start.subarray(0, readSync(handle, start))
  } finally {
    closeSync(handle)
  }
}

async function sayWhatWouldHappen(
  terminal: Terminal,
  importing: Importing,
  progress: ReturnType<typeof progressLine>,
): Promise<void> {
  let problems = 0
  const { rows, imported, duplicates, failed } = await tryFile(importing, (line, message) => {
    problems += 1
    progress.clear()
    if (problems <= PROBLEMS_SHOWN) terminal.say(`line ${line}: ${message}`)
  })
  progress.clear()
  if (problems > PROBLEMS_SHOWN) terminal.say(`… and ${problems - PROBLEMS_SHOWN} more.`)
  terminal.print(
    `${rows} rows: ${imported} would be imported, ${duplicates} are stored already, ${failed} have errors.`,
  )
  terminal.say('Nothing was imported. Without --dry-run, it is.')
}

async function importAndTell(
  { print, say }: Terminal,
  importing: Importing,
  results: string | undefined,
): Promise<void> {
  const done = await importFile(importing)
  const { row_count: rows, imported, duplicates, failed } = done
  print(`${rows} rows: ${imported} imported, ${duplicates} were stored already, ${failed} have errors.`)
  if (results === undefined) {
    if (failed > 0)
      say('Import the file again with --results RESULTS to see the errors. It stores nothing twice.')
    return
  }
  if (done.rows_until === null)
    throw new Error('What became of each row was kept for 30 days after the import, and is removed by now.')
  await pipeline(Readable.from(linesOf(importing, done)), createWriteStream(results))
  say(`What became of each row is in ${results}.`)
}

const RESULT_COLUMNS = ['line', 'audit_reference_id', 'result', 'buyer_id', 'payment_method_id', 'message']

async function* linesOf({ context }: Importing, done: imports.StoredImport): AsyncGenerator<string> {
  yield csvLine(RESULT_COLUMNS)
  for await (const some of imports.results(context, done)) {
    yield some
      .map(({ row_number, reference, status, buyer_id, stored_id, message }) =>
        csvLine([String(row_number), reference, status, buyer_id, stored_id, message]),
      )
      .join('')
  }
}
