/** The other processes of the same service. Their parent passes messages on. */
export class Siblings {
  /** How logs and metrics tell this process from the others. */
  readonly name: string
  readonly #answers = new Map<Question, () => Promise<string>>()
  readonly #waiting = new Map<number, (texts: readonly string[]) => void>()
  readonly #listeners: (() => void)[] = []
  #asked = 0

  constructor(name: string) {
    this.name = name
    process.on('message', (given) => {
      const message = unwrapped<ToChild>(given)
      if (message) void this.#hear(message)
    })
  }

  /** Says what this process answers when all are asked. */
  onQuestion(question: Question, answer: () => Promise<string>): void {
    this.#answers.set(question, answer)
  }

  /** What all processes say, this one and the parent included. One that does not answer in time is left out. */
  ask(question: Question, waitMs: number): Promise<readonly string[]> {
    this.#asked += 1
    const id = this.#asked
    const { promise, resolve } = Promise.withResolvers<readonly string[]>()
    this.#waiting.set(id, resolve)
    sendToParent({ kind: 'ask', id, question, waitMs })
    return promise
  }

  /** Something changed that the others may have cached. */
  tellChange(): void {
    sendToParent({ kind: 'change' })
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  async #hear(message: ToChild): Promise<void> {
    if (message.kind === 'change') for (const listener of this.#listeners) listener()
    if (message.kind === 'answers') {
      this.#waiting.get(message.id)?.(message.texts)
      this.#waiting.delete(message.id)
    }
    if (message.kind === 'question') {
      const { id, question } = message
      const text = await this.#answers
        .get(question)?.()
        .catch(() => '')
      sendToParent({ kind: 'answer', id, text: text ?? '' })
    }
  }
}

/** Asks the parent what this process is to do, and when to stop. */
export async function taskFromParent<Task>(onStop: () => void): Promise<Task> {
  const { promise, resolve } = Promise.withResolvers<Task>()
  process.on('message', (given) => {
    const message = unwrapped<ToChild>(given)
    if (message?.kind === 'begin') resolve(message.task as Task)
    if (message?.kind === 'stop') onStop()
  })
  sendToParent({ kind: 'hello' })
  return promise
}

export function tellReady(): void {
  sendToParent({ kind: 'ready' })
}

/** Ends when the parent has the reason. */
export async function tellFailure(reason: string): Promise<void> {
  await new Promise((resolve) => {
    sendToParent({ kind: 'failed', reason }, resolve)
  })
}

function sendToParent(message: ToParent, then: (error: Error | null) => void = () => {}): void {
  // Without its parent, this process is about to end.
  if (process.connected) process.send?.(wrapped(message), undefined, undefined, then)
  else then(null)
}

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
