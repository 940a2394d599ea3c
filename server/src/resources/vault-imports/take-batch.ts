import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { arrayOf } from '#platform/database/statements.ts'
import * as buyers from '#resources/buyers/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as serviceTokens from '#resources/payment-methods/payment-service-tokens/store.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { Masked, type Vault } from '#vault'
import { type BadRow, badRow, type GoodRow, isBad, type ReadRow } from './read-row.ts'
import * as imports from './store.ts'

/** A row that can be stored, and whether its buyer has the same already. */
type Judged = {
  readonly row: GoodRow
  readonly fingerprint: string
  /** The id of what the buyer has, or will have once this batch is stored. */
  readonly id: string
  readonly isDuplicate: boolean
  /** The buyer, if there is one already. */
  readonly buyerId: string | undefined
}

export type Verdict = Judged | BadRow

/** A payment service that has given tokens for the cards of a file. */
export type TokenService = { readonly id: string; readonly merchantAccountId: string }

type Needs = {
  readonly vault: Vault
  /** Whose tokens the external identifiers are. Absent: they are nobody's. */
  readonly tokensOf?: TokenService | undefined
}

/** Decides about rows in their order. Writes nothing. */
export async function judge(
  context: Context,
  { vault, tokensOf }: Needs,
  rows: readonly ReadRow[],
  before: imports.StoredImport | null,
): Promise<Verdict[]> {
  const good = rows.filter((row): row is GoodRow => !isBad(row))
  const accounts = await merchantAccounts.existing(context, [
    ...new Set(good.map((row) => row.merchantAccountId)),
  ])
  const seen = before
    ? await imports.knownReferences(
        context,
        before,
        good.map(({ reference }) => reference),
      )
    : new Set()
  const verdicts = new Map<GoodRow, Verdict>()
  for (const [merchantAccountId, some] of Map.groupBy(good, (row) => row.merchantAccountId)) {
    if (!accounts.has(merchantAccountId)) continue
    await judgeAccount({ ...context, merchantAccountId }, vault, some, { verdicts, seen })
  }
  return rows.map((row) => {
    if (isBad(row)) return row
    if (tokensOf && row.merchantAccountId !== tokensOf.merchantAccountId)
      return refused(row, 'merchant_account_id: the payment service belongs to another one')
    return verdicts.get(row) ?? refused(row, 'merchant_account_id: there is no such merchant account')
  })
}

type Known = { readonly verdicts: Map<GoodRow, Verdict>; readonly seen: Set<unknown> }

async function judgeAccount(
  scope: Scope,
  vault: Vault,
  rows: readonly GoodRow[],
  { verdicts, seen }: Known,
): Promise<void> {
  const names = [...new Set(rows.map(({ buyer }) => buyer.external_identifier))]
  const buyerIds = await buyers.holdNamed(scope as Scope<Tx>, names)
  const owned = await methodsOf(scope, [...buyerIds.values()])
  const taken = await takenReferences(
    scope,
    rows.flatMap(({ columns }) => columns.external_identifier ?? []),
  )
  for (const row of rows) {
    const { reference, buyer, columns } = row
    const fingerprint = await vault.fingerprint(scope.db, row.identity)
    const buyerId = buyerIds.get(buyer.external_identifier)
    const own = `${buyerId ?? `new ${buyer.external_identifier}`} ${fingerprint} ${columns.expiration_date}`
    const twin = owned.get(own)
    if (seen.has(reference)) {
      verdicts.set(row, refused(row, 'audit_reference_id: another row of this file has the same'))
      continue
    }
    const name = columns.external_identifier
    if (twin === undefined && name !== null && taken.has(name)) {
      const message = 'payment_method.external_identifier: another payment method has the same'
      verdicts.set(row, refused(row, message))
      continue
    }
    const id = twin ?? newId(scope.clock().getTime())
    seen.add(reference)
    owned.set(own, id)
    if (name !== null) taken.add(name)
    verdicts.set(row, { row, fingerprint, id, isDuplicate: twin !== undefined, buyerId })
  }
}

function refused(row: GoodRow, message: string): BadRow {
  return badRow(row.number, { audit_reference_id: row.reference }, [message])
}

/** What these buyers have, by buyer, fingerprint and date. The same number with another date is another card. */
async function methodsOf(
  { db, merchantAccountId }: Scope,
  buyerIds: readonly string[],
): Promise<Map<string, string>> {
  if (buyerIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; own: string }>`
    select id, concat_ws(' ', buyer_id, fingerprint, coalesce(expiration_date, 'null')) as own from payment_methods
    where merchant_account_id = ${merchantAccountId} and buyer_id = any(${arrayOf.uuid(buyerIds)}::uuid[]) and deleted_at is null
  `.execute(db)
  return new Map(rows.map(({ id, own }) => [own, id]))
}

async function takenReferences(
  { db, merchantAccountId }: Scope,
  names: readonly string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const { rows } = await sql<{ name: string }>`
    select external_identifier as name from payment_methods
    where merchant_account_id = ${merchantAccountId} and deleted_at is null
      and external_identifier = any(${arrayOf.text(names)}::text[])
  `.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Stores the rows that are new, what became of each row, and how far the file is: all in the transaction of the caller. */
export async function takeBatch(
  tx: Context<Tx>,
  needs: Needs,
  rows: readonly ReadRow[],
  before: imports.StoredImport,
): Promise<imports.StoredImport | undefined> {
  const { vault, tokensOf } = needs
  const verdicts = await judge(tx, needs, rows, before)
  const judged = verdicts.filter((verdict) => 'row' in verdict)
  const owners = new Map<Judged, string>()
  for (const [merchantAccountId, some] of Map.groupBy(judged, ({ row }) => row.merchantAccountId)) {
    const scope = { ...tx, merchantAccountId }
    const buyerIds = await saveBuyers(scope, some)
    for (const one of some) owners.set(one, buyerIds.get(one.row.buyer.external_identifier) ?? '')
    const fresh = some.filter(({ isDuplicate }) => !isDuplicate)
    const sealed = await vault.storeAll(
      tx.db,
      fresh.map(({ id, row: { secret } }) => ({
        merchantAccountId,
        field: { name: secret.name, owner: id },
        value: secret.value,
      })),
    )
    await paymentMethods.insertAll(
      scope,
      fresh.map((one, at) => ({
        ...one.row.columns,
        id: one.id,
        buyer_id: owners.get(one) ?? null,
        fingerprint: one.fingerprint,
        vault_token: sealed[at] ?? null,
      })),
    )
    if (tokensOf) await keepTokens(scope, vault, tokensOf, fresh)
  }
  const results = verdicts.map((verdict) =>
    'row' in verdict ? resultOf(verdict, owners.get(verdict) ?? null) : failureOf(verdict),
  )
  await imports.insertResults(tx, before, results)
  return imports.advance(tx, before, results)
}

/** Keeps what a payment service calls these cards, so that charges there go on with it. */
async function keepTokens(
  scope: Scope<Tx>,
  vault: Vault,
  { id: serviceId, merchantAccountId }: TokenService,
  fresh: readonly Judged[],
): Promise<void> {
  const named = fresh.flatMap(({ id, row }) => {
    const { external_identifier: token } = row.columns
    return token === null ? [] : [{ id, value: new Masked(token) }]
  })
  const sealed = await vault.storeAll(
    scope.db,
    named.map(({ id, value }) => ({
      merchantAccountId,
      field: { name: 'provider-token', owner: id },
      value,
    })),
  )
  const brought = named.map(({ id }, at) => ({
    id: newId(scope.clock().getTime()),
    payment_method_id: id,
    vault_token: sealed[at] ?? null,
  }))
  await serviceTokens.insertAll(scope, serviceId, brought)
}

/** The ids of the buyers of these rows, by their references. A new buyer is what its first row says. */
async function saveBuyers(scope: Scope<Tx>, judged: readonly Judged[]): Promise<ReadonlyMap<string, string>> {
  const known = new Map(
    judged.flatMap(({ row, buyerId }) => (buyerId ? [[row.buyer.external_identifier, buyerId]] : [])),
  )
  const wanted = new Map(
    judged.map(({ row }) => [row.buyer.external_identifier, row.buyer] as const).toReversed(),
  )
  // In their order, so that two imports that make the same buyers do not wait for each other in a circle.
  const fresh = [...wanted.keys()]
    .filter((name) => !known.has(name))
    .toSorted((one, other) => (one < other ? -1 : 1))
  await buyers.insertAll(
    scope,
    fresh.flatMap((name) => wanted.get(name) ?? []),
  )
  return fresh.length === 0 ? known : new Map([...known, ...(await buyers.holdNamed(scope, fresh))])
}

function resultOf({ row, id, isDuplicate }: Judged, buyerId: string | null): imports.Result {
  return {
    row_number: row.number,
    reference: row.reference,
    status: isDuplicate ? 'duplicate' : 'imported',
    buyer_id: buyerId,
    stored_id: id,
    message: row.note,
  }
}

function failureOf({ number, reference, messages }: BadRow): imports.Result {
  return {
    row_number: number,
    reference,
    status: 'failed',
    buyer_id: null,
    stored_id: null,
    message: messages.join('; '),
  }
}
