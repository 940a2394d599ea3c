/** What the processes of one service can be asked, all at once. */
export type Question = 'metrics' | 'warnings'

export type ToParent =
  | { readonly kind: 'hello' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question; readonly waitMs: number }
  | { readonly kind: 'answer'; readonly id: number; readonly text: string }
  | { readonly kind: 'change' }

export type ToChild =
  | { readonly kind: 'begin'; readonly task: unknown }
  | { readonly kind: 'stop' }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'answers'; readonly id: number; readonly texts: readonly string[] }
  | { readonly kind: 'change' }

/** Other libraries send messages between the same processes. */
const CHANNEL = 'switchyard'

export function wrapped<Message extends object>(message: Message): Message & { readonly channel: string } {
  return { channel: CHANNEL, ...message }
}

/** Undefined: a message of another library. */
export function unwrapped<Message>(message: unknown): Message | undefined {
  const { channel } = (message ?? {}) as { readonly channel?: unknown }
  return channel === CHANNEL ? (message as Message) : undefined
}
