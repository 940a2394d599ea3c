import { useEffect, useRef, useState } from 'preact/hooks'
import type { OrderFacts, PageState } from '../../server/src/domain/pay-page.ts'
import { latestAttempt } from './attempt.ts'
import { cancelPayment, readOrder, readState } from './talk.ts'
import type { Words } from './words.ts'

/**
 * A payment that was sent is on record by then, also if the server asks others about it first. If it comes even later, the
 * server takes it instead of the next one, and never both.
 */
const ARRIVES_WITHIN_MS = 30_000

/** Longer and longer: a payment is mostly decided within seconds, or else within minutes. */
const POLL_MS = { first: 1_500, last: 12_000 } as const

/** The order and how it stands, followed while a payment is under way. */
export function useOrder(first: OrderFacts) {
  const [order, setOrder] = useState(first)
  const [state, setState] = useState<PageState>(first.state)
  const [isLost, setLost] = useState(false)
  const [told, setTold] = useState<keyof Words>()
  const lostAt = useRef(0)
  const isWaiting = isLost || state.status === 'processing'
  const taker = useRef(take)
  taker.current = take
  useEffect(
    () => (isWaiting ? follow(order.path, (next) => taker.current(next)) : undefined),
    [isWaiting, order.path],
  )

  // Begun in this browser before, and opened again: receipt and approval are for the browser that knows the secret.
  useEffect(() => {
    if (first.state.status === 'open' || first.state.own || latestAttempt(first.path) === null) return
    void readState(first.path, claim(first.path)).then((known) => known?.own && taker.current(known))
  }, [first])

  function take(next: PageState): void {
    const isFree = !next.own && next.status === 'open' && next.tries === state.tries
    const isOver = !isFree || Date.now() - lostAt.current > ARRIVES_WITHIN_MS
    if (isLost && isOver) {
      setLost(false)
      setTold(isFree ? 'notSent' : undefined)
    }
    void show(next)
  }

  /** What the page shows is what is due. An order that was changed is read again, and the buyer decides again. */
  async function show(next: PageState): Promise<void> {
    if (next.amount === order.amount && next.currency === order.currency) return setState(next)
    const now = await readOrder(order.path, claim(order.path))
    if (!now) return location.reload()
    if (now.state.status === 'open') setTold('changed')
    setOrder(now)
    setState(now.state)
  }

  /** The answer to a form was lost. */
  function lose(): void {
    lostAt.current = Date.now()
    setLost(true)
  }

  /** The buyer wants to pay another way than the one that waits for approval. */
  async function giveUp(): Promise<void> {
    const next = await cancelPayment(order.path, claim(order.path))
    setTold(next && next.status !== 'processing' ? undefined : 'notCancelled')
    if (next) await show(next)
  }

  return { order, state, isLost, told, tell: setTold, show, lose, giveUp }
}

/** The connection is back, or the buyer has decided in the frame of the bank. */
const ASK_NOW = ['online', 'decided']

/** Asks how the order stands, until the effect ends. */
function follow(path: string, take: (state: PageState) => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  let wait: number = POLL_MS.first
  let isOver = false
  const ask = async () => {
    const next = await readState(path, claim(path))
    if (isOver) return
    if (next) take(next)
    wait = Math.min(wait * 1.5, POLL_MS.last)
    timer = setTimeout(ask, wait)
  }
  const askNow = () => {
    clearTimeout(timer)
    void ask()
  }
  timer = setTimeout(ask, wait)
  for (const name of ASK_NOW) addEventListener(name, askNow)
  return () => {
    isOver = true
    clearTimeout(timer)
    for (const name of ASK_NOW) removeEventListener(name, askNow)
  }
}

/** By what the server knows which payment is this browser's. */
export function claim(path: string): URLSearchParams {
  const query = new URLSearchParams()
  const id = new URLSearchParams(location.search).get('transaction_id')
  const attempt = latestAttempt(path)
  if (id) query.set('transaction_id', id)
  if (attempt) query.set('attempt', attempt)
  return query
}
