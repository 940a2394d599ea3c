import { ACCOUNT_TYPES, BANK_SCHEMES } from '#domain/bank-account.ts'
import { CARD_TYPES } from '#domain/card.ts'
import { CARD_SCHEMES } from '#domain/card-scheme.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import { nearestNames, suggestion } from '#platform/http/nearest-name.ts'
import { DateTime, OneOf, Strict } from '#platform/http/schemas.ts'
import { type Static, type TSchema, Type } from '#platform/http/type.ts'
import { NEW_CONTACT, TaxId } from '#resources/buyers/schemas.ts'
import { ExpirationDate, ExternalIdentifier } from '#resources/payment-methods/schemas.ts'
import { UnusableFile } from './decrypt.ts'

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** The names of columns are the places of values in these shapes. So each value is checked as it is in a request. */
const ROW = {
  audit_reference_id: Text(200),
  merchant_account_id: Type.Optional(Type.String({ ...WRITTEN.merchantAccountId, maxLength: 50 })),
  buyer: Strict({
    external_identifier: Text(200),
    display_name: Type.Optional(Text(200)),
    billing_details: Type.Optional(Strict({ ...NEW_CONTACT, tax_id: Type.Optional(TaxId) })),
  }),
}

const ANY_METHOD = { external_identifier: Type.Optional(ExternalIdentifier) }
const USES = { last_used_at: Type.Optional(DateTime()), cit_last_used_at: Type.Optional(DateTime()) }
const CARD = {
  number: Type.String({ ...WRITTEN.cardNumber }),
  expiration_date: ExpirationDate,
  scheme_transaction_id: Type.Optional(Text(100)),
  ...ANY_METHOD,
  ...USES,
}

const shapeOf = <Properties extends Record<string, TSchema>>(paymentMethod: Properties) =>
  Strict({ ...ROW, payment_method: Strict(paymentMethod) })

/** What a file can hold: rows of one kind. The first kind that has all columns of a file is that of the file. */
export const SHAPES = {
  cards: shapeOf(CARD),
  'wallet-cards': shapeOf({
    ...CARD,
    cardholder_name: Type.Optional(Text(200)),
    card_scheme: Type.Optional(OneOf(Object.keys(CARD_SCHEMES) as (keyof typeof CARD_SCHEMES)[])),
    card_type: Type.Optional(OneOf(CARD_TYPES)),
    card_suffix: Type.Optional(Type.String({ pattern: '^[0-9]{4}$', expected: '4 digits' })),
    method: OneOf(['applepay', 'googlepay', 'googlepay_pan_only', 'click-to-pay']),
  }),
  'bank-accounts': shapeOf({
    scheme: OneOf(Object.keys(BANK_SCHEMES) as (keyof typeof BANK_SCHEMES)[]),
    account_number: Text(40),
    routing_number: Type.Optional(Text(20)),
    account_type: Type.Optional(OneOf(ACCOUNT_TYPES)),
    account_holder: Strict({
      first_name: Type.Optional(Text(255)),
      last_name: Type.Optional(Text(255)),
      company_name: Type.Optional(Text(255)),
    }),
    ...ANY_METHOD,
    ...USES,
  }),
} as const

export type Kind = keyof typeof SHAPES
export type Content<Name extends Kind = Kind> = Static<(typeof SHAPES)[Name]>

type Node = { readonly properties?: Readonly<Record<string, Node>> }

function columnsIn(node: Node, beginning = ''): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    child.properties ? columnsIn(child, `${beginning}${name}.`) : [`${beginning}${name}`],
  )
}

const COLUMNS = new Map(
  (Object.keys(SHAPES) as Kind[]).map((kind) => [kind, columnsIn(SHAPES[kind] as unknown as Node)]),
)

const SECURITY_CODE = /security.?code|(^|[^a-z])(cvv|cvc|cvn|cid)2?([^a-z]|$)/i

/** The kind of a file, by its header. */
export function kindOf(header: readonly string[]): Kind {
  const count = (kind: Kind) => header.filter((name) => COLUMNS.get(kind)?.includes(name)).length
  const [kind = 'cards'] = [...COLUMNS.keys()].toSorted((one, other) => count(other) - count(one))
  const columns = COLUMNS.get(kind) ?? []
  const unknown = header.filter((name) => !columns.includes(name))
  const twice = header.find((name, at) => header.indexOf(name) < at)
  if (unknown.length === 0 && twice !== undefined)
    throw new UnusableFile(`The header has the column "${twice}" twice.`)
  if (unknown.length === 0) return kind
  if (unknown.some((name) => SECURITY_CODE.test(name)))
    throw new UnusableFile('The header has a column for security codes, which nobody may keep. Take it out.')
  const words = new Map(columns.map((column) => [column.replaceAll('.', '_'), column]))
  const near = unknown.flatMap((name) =>
    nearestNames(name, [...words.keys()]).map((found) => words.get(found) ?? ''),
  )
  const listed = unknown.slice(0, 5).map(shown).join(', ')
  throw new UnusableFile(
    `The header has columns that a file of ${kind} does not: ${listed}${unknown.length > 5 ? ', …' : ''}. ` +
      (near.length > 0
        ? `${suggestion(near)}.`.replace(/^; d/, 'D')
        : 'Take them out, so that nothing is lost unseen.'),
  )
}

/** A file without a header begins with data. What may be a card number is not shown. */
function shown(name: string): string {
  return /^[a-z_.0-9]{1,60}$/i.test(name) && !/\d{6}/.test(name) ? `"${name}"` : 'one whose name is not shown'
}

export function columnsOf(kind: Kind): readonly string[] {
  return COLUMNS.get(kind) ?? []
}

/** The values of an object by column. What is missing is empty. */
export function valuesOf(columns: readonly string[], content: object): string[] {
  return columns.map((column) => {
    let value: unknown = content
    for (const name of column.split('.'))
      value = (value as Record<string, unknown> | null | undefined)?.[name]
    return value === null || value === undefined ? '' : String(value)
  })
}

/** Values by column become the object that they describe. Empty values are missing ones. */
export function contentOf(columns: readonly string[], values: readonly string[]): Record<string, unknown> {
  const content: Record<string, unknown> = { buyer: {}, payment_method: {} }
  for (const [at, column] of columns.entries()) {
    const value = values[at]?.trim()
    if (!value) continue
    let place = content
    const path = column.split('.')
    const last = path.pop() ?? ''
    for (const name of path) {
      place[name] ??= {}
      place = place[name] as Record<string, unknown>
    }
    place[last] = value
  }
  return content
}
