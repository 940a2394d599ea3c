/** The last known link of the audit chain: enough to notice that it was removed or replaced. */
export type Head = { readonly position: number; readonly hash: Buffer }

/** The form in which it is printed, logged, noted elsewhere and given to a later check. */
export function textOf(head: Head | undefined): string {
  return `${head?.position ?? 0}:${head?.hash.toString('hex') ?? ''}`
}

/** The empty head, `0:`, is part of every chain. It reads as undefined. */
export function readHead(text: string): Head | undefined | 'unreadable' {
  if (text === '0:') return undefined
  const [, position, hash = ''] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text) ?? []
  return position === undefined
    ? 'unreadable'
    : { position: Number(position), hash: Buffer.from(hash, 'hex') }
}

/** The chain is not the one that this process, or this machine, knows. */
export class ChangedChainError extends Error {
  constructor(reason: string) {
    super(
      `The audit log is not sealed any more: ${reason}. Entries are still recorded. Find out who changed the database. ` +
        'If it was restored on purpose, run: switchyard verify --accept, then restart every process.',
    )
    this.name = 'ChangedChainError'
  }
}
