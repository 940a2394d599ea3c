import type { StoredToken } from './store.ts'

export type Operation = 'suspend' | 'resume'

const AFTER = { suspend: 'suspended', resume: 'active' } as const

export function after(operation: Operation): (typeof AFTER)[Operation] {
  return AFTER[operation]
}

/** What a token service's notification changes. A deleted token stays deleted. */
export function afterNotice(
  { status }: Pick<StoredToken, 'status'>,
  said: 'active' | 'suspended' | 'deleted' | null,
): StoredToken['status'] {
  return status === 'deleted' ? status : (said ?? status)
}
