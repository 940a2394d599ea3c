import type { StoredToken } from './store.ts'

export type TokenOperation = 'suspend' | 'resume'

const AFTER = { suspend: 'suspended', resume: 'active' } as const

export function after(operation: TokenOperation): (typeof AFTER)[TokenOperation] {
  return AFTER[operation]
}

/** What a token service's notification changes. A deleted token stays deleted. */
export function afterNotice(
  { status }: Pick<StoredToken, 'status'>,
  said: 'active' | 'suspended' | 'deleted' | null,
): StoredToken['status'] {
  return status === 'deleted' ? status : (said ?? status)
}
