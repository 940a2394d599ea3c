import type { Masked } from '#vault'

export type Inquiry = { readonly number: Masked; readonly expirationDate: string }

/** What the schemes know about a card. `unreachable` means no answer: ask again later. */
export type Finding =
  | { readonly outcome: 'new-number'; readonly number: Masked; readonly expirationDate: string }
  | { readonly outcome: 'new-date'; readonly expirationDate: string }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'closed' }
  | { readonly outcome: 'unreachable' }

/** A service that knows replaced cards, such as those of the schemes. It never throws. */
export type AccountUpdater = (inquiry: Inquiry) => Promise<Finding>

/**
 * Attempts name the service that they ask. There is one account updater for all merchant accounts, which is
 * no service account.
 */
export const ACCOUNT_UPDATER_ID = '00000000-0000-7000-8000-000000000001'
