import { compact } from '#domain/bank-account.ts'
import { binOf, isExpired, labelOf, maskCardNumbers, parseExpiration, passesLuhn } from '#domain/card.ts'
import type { Scope } from '#platform/database/db.ts'
import type { ErrorDetail } from '#platform/http/errors.ts'
import { billingComplaints } from '#resources/buyers/details.ts'
import type { CreateBuyer } from '#resources/buyers/schemas.ts'
import { lookAhead, lookUp } from '#resources/card-details/store.ts'
import type { StoreBankAccount } from '#resources/payment-methods/new-schemas.ts'
import { identityOf } from '#resources/payment-methods/open-stored.ts'
import { cardComplaints, expiresOn } from '#resources/payment-methods/read-card.ts'
import { newMethodComplaints } from '#resources/payment-methods/read-new.ts'
import type { BroughtMethod } from '#resources/payment-methods/store.ts'
import { describeAccount } from '#resources/payment-methods/store-bank-account.ts'
import { complaintsIn } from '#resources/transactions/wire/variants.ts'
import { Masked } from '#vault'
import type { FileRow } from './read-file.ts'
import { type Content, type Kind, SHAPES } from './shapes.ts'

/** What a row is to become. */
type Thing = {
  /** What goes into the vault, and its name there. */
  readonly secret: { readonly name: string; readonly value: Masked }
  /** What its fingerprint is of. */
  readonly identity: Masked
  readonly columns: Omit<BroughtMethod, 'id' | 'buyer_id' | 'vault_token' | 'fingerprint'>
  /** It is good as it is, and this is remarkable. */
  readonly note: string | null
}

export type GoodRow = Thing & {
  readonly number: number
  readonly reference: string
  readonly merchantAccountId: string
  readonly buyer: CreateBuyer & { readonly external_identifier: string }
}

/** Messages name columns, and never what is in them. */
export type BadRow = {
  readonly number: number
  readonly reference: string | null
  readonly messages: readonly string[]
}

export type ReadRow = GoodRow | BadRow

export function isBad(row: ReadRow): row is BadRow {
  return 'messages' in row
}

/** Beside no month of a card: whether it has expired is told, and is no error. */
const NEVER = new Date(0)

/** Reads rows as their kind. */
export async function readRows(
  scope: Pick<Scope, 'db' | 'clock'>,
  kind: Kind,
  rows: readonly FileRow[],
): Promise<ReadRow[]> {
  const numbers = rows.flatMap(({ content }) => numberIn(content) ?? [])
  await lookAhead(scope, numbers)
  const read: ReadRow[] = []
  for (const row of rows) read.push(await readRow(scope, kind, row))
  return read
}

function numberIn({ payment_method }: Record<string, unknown>): string | undefined {
  const { number } = payment_method as { readonly number?: string }
  return number !== undefined && passesLuhn(number) ? number : undefined
}

async function readRow(
  scope: Pick<Scope, 'db' | 'clock'>,
  kind: Kind,
  { number, content, problem }: FileRow,
): Promise<ReadRow> {
  if (problem !== null) return badRow(number, content, [problem])
  const complaints = complaintsAbout(kind, content)
  if (complaints.length > 0) return badRow(number, content, complaints.map(messageOf))
  const row = content as Content
  const thing = await READERS[kind](scope, row as never)
  const leak = placeOfSecret(content, thing.secretWords)
  if (leak) {
    return badRow(number, content, [
      `${leak}: take the number out of here; it belongs into its own column alone`,
    ])
  }
  return {
    ...thing,
    number,
    reference: row.audit_reference_id,
    merchantAccountId: row.merchant_account_id ?? 'default',
    buyer: { ...row.buyer, ...(thing.holder && { display_name: row.buyer.display_name ?? thing.holder }) },
  }
}

/** A row of which it may not even be known what its columns are. */
export function badRow(number: number, content: object, messages: readonly string[]): BadRow {
  const { audit_reference_id: reference } = content as { readonly audit_reference_id?: unknown }
  // In a row whose columns have slipped, anything may stand here.
  const isName =
    typeof reference === 'string' && reference.length <= 200 && maskCardNumbers(reference) === reference
  return { number, reference: isName && !/\d{12}/.test(reference) ? reference : null, messages }
}

function messageOf({ pointer, message }: ErrorDetail): string {
  return `${pointer.slice(1).replaceAll('/', '.')}: ${message}`
}

function complaintsAbout(kind: Kind, content: Record<string, unknown>): ErrorDetail[] {
  const shapes = complaintsIn('', SHAPES[kind], content)
  if (shapes.length > 0) return shapes
  const { buyer } = content as Content
  return [
    ...billingComplaints('/buyer/billing_details', buyer.billing_details),
    ...meaningComplaints(kind, content),
  ]
}

function meaningComplaints(kind: Kind, content: Record<string, unknown>): ErrorDetail[] {
  const method = content['payment_method'] as never
  switch (kind) {
    case 'cards':
    case 'wallet-cards':
      return cardComplaints(method, NEVER, '/payment_method')
    case 'bank-accounts': {
      const {
        last_used_at: _used,
        cit_last_used_at: _cit,
        ...account
      } = method as Content<'bank-accounts'>['payment_method']
      return newMethodComplaints({ method: 'bank', ...account }, NEVER).map((detail) => ({
        ...detail,
        pointer: `/payment_method${detail.pointer}`,
      }))
    }
  }
}

type Read = Thing & {
  /** What may stand in no other column. */
  readonly secretWords: string
  readonly holder?: string | undefined
}
type Reader<Name extends Kind> = (scope: Pick<Scope, 'db' | 'clock'>, content: Content<Name>) => Promise<Read>

const NOTHING = {
  country: null,
  currency: null,
  scheme: null,
  additional_schemes: null,
  expiration_date: null,
  expires_on: null,
  bin: null,
  card_type: null,
  card_issuer_name: null,
  card_country: null,
  bank_scheme: null,
  scheme_transaction_id: null,
}

const READERS: { readonly [Name in Kind]: Reader<Name> } = {
  cards: (scope, { payment_method }) => readCard(scope, payment_method),
  'wallet-cards': async (scope, { payment_method: card }) => {
    const read = await readCard(scope, card)
    const { card_scheme, card_type, card_suffix } = card
    return {
      ...read,
      holder: card.cardholder_name,
      columns: {
        ...read.columns,
        scheme: card_scheme ?? read.columns.scheme,
        card_type: card_type ?? read.columns.card_type,
        // The buyer knows the card by these, and not by the number that the wallet has made for it.
        label: card_suffix ?? read.columns.label,
      },
    }
  },
  'bank-accounts': async (_scope, { payment_method: account }) => {
    const { scheme, last_used_at, cit_last_used_at, external_identifier, ...body } = account
    const { payload, ...shown } = describeAccount({ scheme, body: body as StoreBankAccount })
    return {
      secret: { name: 'bank-account', value: payload },
      identity: identityOf(payload),
      secretWords: compact(body.account_number),
      columns: { ...NOTHING, ...shown, mode: 'bank', ...commonOf(account) },
      note: null,
    }
  },
}

async function readCard(
  scope: Pick<Scope, 'db' | 'clock'>,
  card: Content<'cards'>['payment_method'],
): Promise<Read> {
  const { number, expiration_date } = card
  const facts = await lookUp(scope, number)
  const expiration = parseExpiration(expiration_date)
  const value = new Masked(number)
  return {
    secret: { name: 'number', value },
    identity: value,
    secretWords: number,
    columns: {
      ...NOTHING,
      ...commonOf(card),
      method: 'card',
      mode: 'card',
      label: labelOf(number),
      scheme: facts.scheme,
      additional_schemes: facts.additionalSchemes.length > 0 ? [...facts.additionalSchemes] : null,
      expiration_date,
      expires_on: expiresOn(expiration_date),
      bin: binOf(number),
      card_type: facts.cardType,
      card_issuer_name: facts.issuer,
      card_country: facts.country,
      scheme_transaction_id: card.scheme_transaction_id ?? null,
    },
    note: expiration && isExpired(expiration, scope.clock()) ? 'the card has expired' : null,
  }
}

type Common = Pick<
  Content<'bank-accounts'>['payment_method'],
  'external_identifier' | 'last_used_at' | 'cit_last_used_at'
>

function commonOf({ external_identifier, last_used_at, cit_last_used_at }: Common) {
  return {
    external_identifier: external_identifier ?? null,
    last_used_at: last_used_at ? new Date(last_used_at) : null,
    cit_last_used_at: cit_last_used_at ? new Date(cit_last_used_at) : null,
  }
}

/** The column in which a number stands that belongs into another one. */
function placeOfSecret(content: object, words: string, beginning = ''): string | undefined {
  // A short number stands in other numbers by chance.
  if (words.length < SECRET_LENGTH_MIN) return undefined
  for (const [name, value] of Object.entries(content)) {
    const place = `${beginning}${name}`
    if (OWN_PLACES.includes(place)) continue
    if (typeof value === 'object') {
      const found = placeOfSecret(value, words, `${place}.`)
      if (found) return found
    } else if (value.length >= words.length && value.replaceAll(/[ .-]/g, '').includes(words)) return place
  }
  return undefined
}

const SECRET_LENGTH_MIN = 8
const OWN_PLACES = ['payment_method.number', 'payment_method.account_number', 'gift_card.number']
