import type { Masked } from '#vault'

export type Inquiry = { readonly number: Masked; readonly expirationDate: string }

/** What the schemes know about a card. `unreachable` says nothing about it: ask again later. */
export type Finding =
  | { readonly outcome: 'new-number'; readonly number: Masked; readonly expirationDate: string }
  | { readonly outcome: 'new-date'; readonly expirationDate: string }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'closed' }
  | { readonly outcome: 'unreachable' }

/** A service that tells of cards that were replaced, such as those of the schemes. Never throws for what it does. */
export type AccountUpdater = (inquiry: Inquiry) => Promise<Finding>

/** Attempts name whom they ask. There is one account updater for all merchant accounts, and it is no service of theirs. */
export const ACCOUNT_UPDATER_ID = '00000000-0000-7000-8000-000000000001'
