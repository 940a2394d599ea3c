import type { Link, Unknown } from './connector.ts'
import type { AccountManifest } from './manifest.ts'
import type { Secret } from './orders.ts'

/** The schemes that tell what has become of a card. */
export const UPDATER_SCHEMES = ['amex', 'discover', 'mastercard', 'visa'] as const
export type UpdaterScheme = (typeof UPDATER_SCHEMES)[number]

/**
 * What the server asks of an account updater: what a scheme knows about a replaced card. No money moves, so a question can be
 * repeated. Like a connector for payments, it never throws because of the provider. An error, or a call that takes too long,
 * counts as `unknown`.
 */
export type AccountUpdaterConnector = {
  readonly manifest: AccountManifest
  /** Whose cards it can be asked about. Others are never sent to it. */
  readonly schemes: readonly UpdaterScheme[]
  readonly findUpdate: (order: CardUpdateOrder, link: Link) => Promise<CardUpdateAnswer>
}

export type CardUpdateOrder = {
  /** The same each time the question is repeated. */
  readonly inquiryId: string
  readonly number: Secret
  /** MM/YY */
  readonly expirationDate: string
  readonly scheme: UpdaterScheme
}

export type CardUpdateAnswer =
  | { readonly outcome: 'new_number'; readonly number: Secret; readonly expirationDate: string }
  | { readonly outcome: 'new_date'; readonly expirationDate: string }
  /** Nothing is known that is newer, or the issuer takes no part. */
  | { readonly outcome: 'unchanged' }
  /** The card was closed, and has no successor. */
  | { readonly outcome: 'closed' }
  /** Certain, so it is not asked again: it would answer the same. `reason` says why and what to do, and repeats nothing of the card. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** It is asked again for a day. */
  | Unknown
