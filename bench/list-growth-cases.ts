import type { Secrets } from '#platform/access/secrets.ts'
import { turnPage } from '#platform/listing/pagination.ts'
import {
  BUSY_BUYER,
  createdAt,
  idOf,
  METHODS_OF_A_BUYER,
  type Rows,
  referenceOf,
  SECOND_ACCOUNT,
  SMALL_ACCOUNT,
} from './list-growth-rows.ts'

export type ListName =
  | 'payment-methods'
  | 'buyers'
  | 'transactions'
  | 'events'
  | 'audit-logs'
  | 'gift-cards'
  | 'payment-links'
  | 'payouts'
  | `webhook-subscriptions/${string}/deliveries`
export type Filters = Readonly<Record<string, string | readonly string[]>>

/** One way to ask for a list. The requests of a case take turns with several filters of the same kind. */
export type Case = {
  readonly name: string
  readonly list: ListName
  readonly filters: readonly Filters[]
  /** Default: the default account. `*` means all accounts that the key reaches. */
  readonly account?: string
  /** It may take seconds, or be refused as too broad: its times are measured, without a target. */
  readonly isSlow?: true
  /** Sent with a key for the three accounts, instead of one for all. */
  readonly isConfined?: true
}

const VARIANTS = 20

export async function casesOf(rows: Rows, secrets: Secrets): Promise<Case[]> {
  const cursors = {
    'payment-methods': await middleCursors('payment-methods', rows, secrets),
    buyers: await middleCursors('buyers', rows, secrets),
  }
  const both = (['payment-methods', 'buyers'] as const).flatMap((list) =>
    plainCases(list).concat(cursorCases(list, cursors[list])),
  )
  return [...both, ...methodCases(rows, cursors['payment-methods']), ...buyerCases(rows, cursors.buyers)]
    .map((one) => ({ ...one, name: `${one.list}: ${one.name}` }))
    .toSorted((one, other) => (one.list === other.list ? 0 : one.list === 'buyers' ? 1 : -1))
}

type Cursors = { readonly older: string; readonly newer: string }

/** The service's own cursors for the row in the middle of the list. */
export async function middleCursors(name: string, rows: Rows, secrets: Secrets): Promise<Cursors> {
  const index = Math.floor(rows.count / 2)
  const row = { id: idOf(rows, index), created_at: createdAt(rows, index) }
  const page = { name, secrets, page: { limit: 1 } }
  const { next_cursor } = await turnPage(
    page,
    async () => [row, row],
    () => null,
  )
  const older = next_cursor ?? ''
  const back = await turnPage(
    { ...page, page: { limit: 1, cursor: older } },
    async () => [row],
    () => null,
  )
  return { older, newer: back.previous_cursor ?? '' }
}

function plainCases(list: ListName): Case[] {
  return [
    { name: 'no filter', list, filters: [{}] },
    { name: 'an account with few', list, filters: [{}], account: SMALL_ACCOUNT },
    { name: 'all accounts', list, filters: [{}], account: '*' },
    { name: 'three accounts', list, filters: [{}], account: '*', isConfined: true },
  ]
}

function cursorCases(list: ListName, { older, newer }: Cursors): Case[] {
  return [
    { name: 'cursor in the middle, forwards', list, filters: [{ cursor: older }] },
    { name: 'cursor in the middle, backwards', list, filters: [{ cursor: newer }] },
    { name: 'all accounts, cursor in the middle', list, filters: [{ cursor: older }], account: '*' },
  ]
}

function methodCases(rows: Rows, { older }: Cursors): Case[] {
  const list = 'payment-methods'
  // Of a buyer, and of its first method: multiples of 6 that are not the busy one's have both a buyer and a reference.
  const some = spread(rows).map((index) => index - (index % (METHODS_OF_A_BUYER * 100)) + 6)
  const references = some.map(referenceOf)
  const status = (...values: string[]) => [{ status: values }]
  const all = { list, account: '*' } as const
  return [
    { name: 'buyer_id', list, filters: some.map((index) => ({ buyer_id: idOf(rows, index) })) },
    { name: 'buyer_id of a buyer with many', list, filters: [{ buyer_id: idOf(rows, BUSY_BUYER) }] },
    { name: 'buyer_external_identifier', list, filters: references.map(byBuyer) },
    { name: 'buyer_external_identifier, no match', list, filters: [byBuyer('absent')] },
    { name: 'buyer_external_identifier, all accounts', ...all, filters: references.map(byBuyer) },
    { name: 'external_identifier', list, filters: references.map(byReference) },
    { name: 'external_identifier, no match', list, filters: [byReference('absent')] },
    { name: 'external_identifier, all accounts', ...all, filters: references.map(byReference) },
    { name: 'status succeeded', list, filters: status('succeeded') },
    { name: 'status failed', list, filters: status('failed') },
    { name: 'status processing', list, filters: status('processing') },
    { name: 'status buyer_approval_required', list, filters: status('buyer_approval_required') },
    { name: 'two common statuses', list, filters: status('succeeded', 'failed') },
    { name: 'two rare statuses', list, filters: status('processing', 'buyer_approval_required') },
    {
      name: 'status, no match',
      list,
      filters: status('buyer_approval_required'),
      account: SECOND_ACCOUNT,
    },
    {
      name: 'two statuses, no match',
      list,
      filters: status('buyer_approval_required', 'processing'),
      account: SMALL_ACCOUNT,
    },
    { name: 'status failed, cursor', list, filters: [{ status: ['failed'], cursor: older }] },
    { name: 'status failed, all accounts', ...all, filters: status('failed') },
    { name: 'rare status, all accounts', ...all, filters: status('buyer_approval_required') },
    {
      name: 'rare status, three accounts',
      ...all,
      filters: status('buyer_approval_required'),
      isConfined: true,
    },
  ]
}

function buyerCases(rows: Rows, { older }: Cursors): Case[] {
  const list = 'buyers'
  const references = spread(rows).map(referenceOf)
  const search = (name: string, text: string): Case => ({ name, list, filters: [{ search: text }] })
  return [
    { name: 'external_identifier', list, filters: references.map(byReference) },
    { name: 'external_identifier, no match', list, filters: [byReference('absent')] },
    { name: 'external_identifier, all accounts', list, filters: references.map(byReference), account: '*' },
    search('search, rare (3 buyers)', 'zyxwald'),
    search('search, one in 2,300', 'anna berg 17'),
    search('search, one in 100', 'clara fuchs'),
    search('search, common (all)', 'shop.example'),
    search('search, absent', 'qqqxyz'),
    search('search, absent but made of common parts', 'anna berg 300'),
    search('search, one character, common', 'a'),
    search('search, one character, absent', 'ß'),
    search('search, two characters, common', 'an'),
    search('search, two characters, rare', 'zy'),
    search('search, two characters, absent', 'qx'),
    { name: 'search, rare, all accounts', list, filters: [{ search: 'zyxwald' }], account: '*' },
    {
      name: 'search, common, an account with few',
      list,
      filters: [{ search: 'shop' }],
      account: SMALL_ACCOUNT,
    },
    { name: 'search, one in 100, cursor', list, filters: [{ search: 'clara fuchs', cursor: older }] },
  ]
}

function byBuyer(reference: string): Filters {
  return { buyer_external_identifier: reference }
}

function byReference(reference: string): Filters {
  return { external_identifier: reference }
}

/** Rows of the default account from all over the list, none at its ends. */
export function spread({ count }: Rows): number[] {
  return Array.from({ length: VARIANTS }, (_none, at) => {
    const index = Math.floor((count * (at + 1)) / (VARIANTS + 1))
    return index - (index % 10)
  })
}
