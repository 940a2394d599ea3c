import type { StoredMethod } from './store.ts'

/** What the audit log calls a payment method: its scheme or its method, and its label. */
export function nameOf({ scheme, method, label }: Pick<StoredMethod, 'scheme' | 'method' | 'label'>): string {
  return [scheme ?? method, label ?? []].flat().join(' ')
}
