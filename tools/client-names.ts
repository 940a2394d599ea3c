// Names the operations of the client: POST /transactions/{transaction_id}/refunds → transactions.refunds.create

export type ClientName = {
  /** The folders of the path, as in `['transactions', 'refunds']`. */
  readonly place: readonly string[]
  readonly method: string
}

/** Names that their path would make misleading, or give twice. */
const EXCEPTIONS: Readonly<Record<string, ClientName>> = {
  create_full_transaction_refund: { place: ['transactions', 'refunds'], method: 'createAll' },
  create_paze_mobile_session: { place: ['digital-wallets', 'paze', 'mobile-session'], method: 'create' },
  review_paze_mobile_session: { place: ['digital-wallets', 'paze', 'mobile-session'], method: 'review' },
  complete_paze_mobile_session: { place: ['digital-wallets', 'paze', 'mobile-session'], method: 'complete' },
  send_test_webhook: { place: ['webhook-subscriptions'], method: 'sendTest' },
  verify_audit_logs: { place: ['audit-logs'], method: 'verify' },
}

/** Ids of operations have several verbs for one idea. The client has one. */
const VERBS: Readonly<Record<string, string>> = {
  add: 'create',
  configure: 'create',
  activate: 'create',
  issue: 'create',
  edit: 'update',
  certify: 'update',
}

/** The path names the place. Its last word is the method itself if the id of the operation begins with it. */
export function clientNameOf(operationId: string, path: string): ClientName {
  const exception = EXCEPTIONS[operationId]
  if (exception) return exception
  const place = path.split('/').filter((word) => word !== '' && !word.startsWith('{'))
  const verb = operationId.split('_')[0] ?? ''
  const last = place.at(-1) ?? ''
  if (!path.endsWith('}') && last.split('-')[0] === verb) {
    return { place: place.slice(0, -1), method: camel(last) }
  }
  return { place, method: VERBS[verb] ?? verb }
}

/** `payment-methods` and `payment_methods` → `paymentMethods` */
export function camel(name: string): string {
  return name.replaceAll(/[-_]([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
}
