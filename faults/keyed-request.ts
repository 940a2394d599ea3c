import { setTimeout as sleep } from 'node:timers/promises'
import { type Place, send } from '../lab/product.ts'

const PATIENCE_MS = 120_000
const PAUSE_MS = 30

export type KeyedRequest = {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly route: string
  readonly body?: object | undefined
  /** Empty for questions. */
  readonly key: string
  /** The merchant account that it acts on, if not the first one of the key. */
  readonly account?: string
}

export type Answer = {
  readonly status: number
  readonly text: string
  /** The stored answer to the first request with the key. */
  readonly isReplay: boolean
}

/** `cut`: sent, and never answered. `refused`: no connection. */
export type Sent = Answer | 'cut' | 'refused'

export async function sendOnce(
  { url, token }: Place,
  { method = 'POST', route, body, key, account }: KeyedRequest,
): Promise<Sent> {
  try {
    const at = { url, token, ...(account && { account }) }
    const keyed = key === '' ? {} : { 'idempotency-key': key }
    const response = await send(at, `${method} ${route}`, body, keyed)
    const isReplay = response.headers.get('idempotent-replayed') === 'true'
    return { status: response.status, text: await response.text(), isReplay }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
    return cause?.code === 'ECONNREFUSED' ? 'refused' : 'cut'
  }
}

type Manner = { readonly pauseMs?: number; readonly onSent?: (sent: Sent) => void }

/** As clients do: the same request with the same key, until there is an answer. */
export async function repeat(
  place: Place,
  request: KeyedRequest,
  { pauseMs = PAUSE_MS, onSent = () => {} }: Manner = {},
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with the database, field by field
): Promise<any> {
  const start = performance.now()
  for (;;) {
    const sent = await sendOnce(place, request)
    onSent(sent)
    const answer = typeof sent === 'string' ? undefined : sent
    if (answer && answer.status < 300) return JSON.parse(answer.text || '{}')
    // Another request holds the key, an earlier outcome is unknown, or the service is overloaded.
    const isPassing = !answer || [409, 425, 503, 504].includes(answer.status)
    if (!isPassing || performance.now() - start > PATIENCE_MS) {
      throw new Error(`${request.route} was answered ${answer?.status}: ${answer?.text}`)
    }
    await sleep(pauseMs)
  }
}
