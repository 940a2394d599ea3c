/** Where rules apply. */
export const FLOWS = ['checkout', 'card-transaction', 'non-card-transaction', 'redirect-transaction'] as const
export type Flow = (typeof FLOWS)[number]

/** What rules decide. */
export const ACTIONS = ['select-payment-options', 'decline-early', 'skip-3ds', 'route-transaction'] as const
export type Action = (typeof ACTIONS)[number]

/** Which actions each flow has, in the order in which they are decided. */
export const ACTIONS_OF: Readonly<Record<Flow, readonly Action[]>> = {
  checkout: ['select-payment-options'],
  'card-transaction': ['decline-early', 'skip-3ds', 'route-transaction'],
  'non-card-transaction': ['decline-early'],
  'redirect-transaction': ['route-transaction'],
}

/** Where a rule stands: rules of one place are tried from top to bottom, and the first that matches decides. */
export type Place = { readonly flow: Flow; readonly action: Action }
