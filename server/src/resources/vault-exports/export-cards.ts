import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Key } from 'openpgp'
import { type Context, inTransaction } from '#platform/database/db.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Buyer } from '#resources/buyers/schemas.ts'
import * as buyers from '#resources/buyers/store.ts'
import { numberDate } from '#resources/payment-methods/reveal.ts'
import { countUses } from '#resources/payment-methods/show.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { columnsOf, valuesOf } from '#resources/vault-imports/shapes.ts'
import { ItemGone, type Vault } from '#vault'
import { NotAgreed } from './shares.ts'

const BATCH = 500
const PURPOSE = 'vault export'
const COLUMNS = columnsOf('cards')

/** What was written, for the books of both sides. */
export type Receipt = {
  readonly cards: number
  readonly bytes: number
  readonly sha256: string
  readonly key_fingerprint: string
  readonly agreed_by: readonly string[]
  readonly begun_at: string
  readonly ended_at: string
}

export type Exporting = {
  readonly context: Context
  readonly vault: Vault
  /** Of the other vault, in PGP's armour. */
  readonly publicKey: string
  readonly agreedBy: readonly string[]
  /** Cards of this account alone. Null: of all. */
  readonly merchantAccountId: string | null
  readonly write: (chunks: AsyncIterable<Uint8Array>) => Promise<void>
  readonly onProgress: (cards: number) => void
}

/**
 * Writes all cards for another vault, encrypted for its key as a stream. The audit log has its begin, each card before it is opened, and
 * the receipt.
 */
export async function exportCards(exporting: Exporting): Promise<Receipt> {
  const { context, agreedBy } = exporting
  const key = await readRecipient(exporting.publicKey)
  const fingerprint = key.getFingerprint().toUpperCase()
  const begunAt = context.clock()
  const who = agreedBy.join(' and ')
  await note(context, 'created', fingerprint, `cards for ${fingerprint}, agreed by ${who}`)
  const hash = createHash('sha256')
  const counts = { cards: 0, bytes: 0 }
  const { createMessage, encrypt } = await import('openpgp')
  const lines = Readable.toWeb(Readable.from(linesOf(exporting, counts), { objectMode: false }))
  const message = await createMessage({ binary: lines as never })
  const encrypted = (await encrypt({ message, encryptionKeys: key, format: 'binary' })) as unknown
  await exporting.write(counted(encrypted as AsyncIterable<Uint8Array>, hash, counts))
  if (counts.cards === 0) throw new Error('There is no card to export.')
  const receipt = {
    cards: counts.cards,
    bytes: counts.bytes,
    sha256: hash.digest('hex'),
    key_fingerprint: fingerprint,
    agreed_by: agreedBy,
    begun_at: begunAt.toISOString(),
    ended_at: context.clock().toISOString(),
  }
  await note(
    context,
    'updated',
    fingerprint,
    `${receipt.cards} cards for ${fingerprint}, SHA-256 ${receipt.sha256}`,
  )
  return receipt
}

/** A key that can encrypt today. */
async function readRecipient(publicKey: string): Promise<Key> {
  const { readKey } = await import('openpgp')
  const key = await readKey({ armoredKey: publicKey }).catch((cause: unknown) => {
    throw new NotAgreed(`The key is no public PGP key in text form (${String(cause).split('\n')[0]}).`)
  })
  if (key.isPrivate())
    throw new NotAgreed('This is a private key. Ask the other vault for its public one alone.')
  await key.getEncryptionKey().catch(() => {
    throw new NotAgreed('The key cannot encrypt: it has expired, was revoked, or is for signatures alone.')
  })
  return key
}

function note(context: Context, action: 'created' | 'updated', id: string, name: string): Promise<void> {
  return inTransaction(context, (tx) =>
    auditLogs.record({ ...tx, merchantAccountId: null }, action, { type: 'vault-export', id, name }),
  )
}

/** The cards as lines of the file that `vault import` reads. */
async function* linesOf(exporting: Exporting, counts: { cards: number }): AsyncGenerator<Buffer> {
  yield Buffer.from(lineOf(COLUMNS))
  for await (const batch of batchesOf(exporting)) {
    const lines = await openAll(exporting, batch)
    counts.cards += lines.length
    yield Buffer.from(lines.join(''))
    exporting.onProgress(counts.cards)
  }
}

type Method = paymentMethods.StoredMethod

async function* batchesOf({ context, merchantAccountId }: Exporting): AsyncGenerator<Method[]> {
  for (let after = NO_ID; ; ) {
    let query = paymentMethods
      .select(context.db)
      .where('payment_methods.id', '>', after)
      .where('method', '=', 'card')
      .where('vault_token', 'is not', null)
      .orderBy('payment_methods.id')
      .limit(BATCH)
    if (merchantAccountId !== null)
      query = query.where('payment_methods.merchant_account_id', '=', merchantAccountId)
    const batch = await query.execute()
    const last = batch.at(-1)
    if (!last) return
    yield batch
    after = last.id
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

async function openAll({ context, vault }: Exporting, batch: readonly Method[]): Promise<string[]> {
  await inTransaction(context, (tx) =>
    auditLogs.recordAll(
      tx,
      'revealed',
      batch.map(({ id, merchant_account_id }) => ({
        merchantAccountId: merchant_account_id,
        type: auditLogs.OF_BUYERS.paymentMethod,
        id,
        name: PURPOSE,
      })),
    ),
  )
  const owners = await buyers.findMany(context, [...new Set(batch.flatMap(({ buyer_id }) => buyer_id ?? []))])
  const lines: string[] = []
  for (const method of batch) {
    const access = {
      merchantAccountId: method.merchant_account_id,
      token: method.vault_token ?? '',
      owner: method.id,
      fingerprint: method.fingerprint,
      purpose: PURPOSE,
      // All of the batch are recorded above.
      onReveal: async () => {},
    }
    const buyer = owners.get(method.buyer_id ?? '')
    const line = await vault
      .reveal(context.db, access, async (number) =>
        lineOf(valuesOf(COLUMNS, contentOf(method, buyer, number.use(String)))),
      )
      .catch((error: unknown) => {
        // Deleted since it was listed.
        if (error instanceof ItemGone) return ''
        throw error
      })
    lines.push(line)
  }
  return lines.filter((line) => line !== '')
}

/** A card as a row of a file. Who has no buyer with a reference becomes a buyer of their own in the other vault. */
function contentOf(method: Method, buyer: Buyer | undefined, number: string) {
  const { last_used_at, cit_last_used_at } = countUses(method)
  return {
    audit_reference_id: method.id,
    merchant_account_id: method.merchant_account_id,
    buyer: {
      external_identifier: buyer?.external_identifier ?? buyer?.id ?? method.id,
      display_name: buyer?.display_name,
      billing_details: buyer?.billing_details,
    },
    payment_method: {
      number,
      expiration_date: numberDate(method),
      scheme_transaction_id: method.scheme_transaction_id,
      external_identifier: method.external_identifier,
      last_used_at,
      cit_last_used_at,
    },
  }
}

/** Without an apostrophe before what a spreadsheet would take for a formula: the other vault would store it. */
function lineOf(values: readonly string[]): string {
  // The reader breaks lines wherever there is a break.
  const fields = values.map((value) => value.replaceAll(/[\r\n]+/g, ' '))
  return `${fields.map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')}\r\n`
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
  counts: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    counts.bytes += chunk.length
    yield chunk
  }
}
