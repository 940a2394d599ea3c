export const STATUSES = ['pending', 'running', 'succeeded', 'failed'] as const
export type BackTestStatus = (typeof STATUSES)[number]

export const OPEN: readonly BackTestStatus[] = ['pending', 'running']
export const PENDING = 'pending' as const
export const RUNNING = 'running' as const
export const SUCCEEDED = 'succeeded' as const
export const FAILED = 'failed' as const
