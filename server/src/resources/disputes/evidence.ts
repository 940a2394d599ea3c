import { sql } from 'kysely'
import type { Evidence } from '#connectors/contract/answer-dispute.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Scope, Tx } from '#platform/database/db.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    dispute_evidence: { merchant_account_id: string; attempt_id: string; dispute_id: string; sealed: Buffer }
  }
}

const PURPOSE = 'dispute-evidence'

type Packed =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string
      readonly file_name: string
      readonly content_type: string
      readonly content: string
    }

/** Keeps evidence until the provider has answered, so that it can be sent again. */
export async function keep(
  { db, merchantAccountId }: Scope<Tx>,
  secrets: Secrets,
  { attemptId, disputeId, evidence }: Kept,
): Promise<void> {
  const packed: Packed[] = evidence.map((item) =>
    'text' in item
      ? item
      : {
          name: item.name,
          file_name: item.fileName,
          content_type: item.contentType,
          content: item.content.toString('base64'),
        },
  )
  await db
    .insertInto('dispute_evidence')
    .values({
      merchant_account_id: merchantAccountId,
      attempt_id: attemptId,
      dispute_id: disputeId,
      sealed: secrets.seal(PURPOSE, attemptId, JSON.stringify(packed)),
    })
    .execute()
}

type Kept = {
  readonly attemptId: string
  readonly disputeId: string
  readonly evidence: readonly Evidence[]
}

/** Null: it is gone. */
export async function open(
  { db, merchantAccountId }: Scope,
  secrets: Secrets,
  attemptId: string,
): Promise<Evidence[] | null> {
  const found = await db
    .selectFrom('dispute_evidence')
    .select('sealed')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('attempt_id', '=', attemptId)
    .executeTakeFirst()
  if (!found) return null
  const packed = JSON.parse(secrets.open(PURPOSE, attemptId, found.sealed)) as Packed[]
  return packed.map((item) =>
    'text' in item
      ? item
      : {
          name: item.name,
          fileName: item.file_name,
          contentType: item.content_type,
          content: Buffer.from(item.content, 'base64'),
        },
  )
}

export async function remove({ db, merchantAccountId }: Scope<Tx>, attemptId: string): Promise<void> {
  await db
    .deleteFrom('dispute_evidence')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('attempt_id', '=', attemptId)
    .execute()
}

/** All that is kept about a payment, whose buyer is erased. What is under way is from now on only looked for at the provider. */
export async function removeOf({ db, merchantAccountId }: Scope<Tx>, transactionId: string): Promise<void> {
  await sql`
    delete from dispute_evidence using disputes
    where disputes.merchant_account_id = ${merchantAccountId} and disputes.transaction_id = ${transactionId}
      and dispute_evidence.merchant_account_id = ${merchantAccountId} and dispute_evidence.dispute_id = disputes.id
  `.execute(db)
}
