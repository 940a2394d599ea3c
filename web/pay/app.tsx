import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PageState } from '../../server/src/domain/pay-page.ts'
import { latestAttempt } from './attempt.ts'
import type { Desk } from './desk.ts'
import { PayForm } from './form.tsx'
import { moneyIn } from './money.ts'
import { OrderSummary } from './order.tsx'
import { Outcome } from './outcome.tsx'
import { readState } from './talk.ts'
import { fill } from './words.ts'

type Props = Omit<Desk, 'money'>

/**
 * A payment that was sent is on record by then, also if the server asks others about it first. If it comes even later, the
 * server takes it instead of the next one, and never both.
 */
const ARRIVES_WITHIN_MS = 30_000

/** Longer and longer: a payment is mostly decided within seconds, or else within minutes. */
const POLL_MS = { first: 1_500, last: 12_000 } as const

export function App({ order, words, locale, frame }: Props) {
  const money = useMemo(() => moneyIn(order, locale), [order, locale])
  const desk: Desk = { order, words, locale, money, frame }
  const [state, setState] = useState<PageState>(order.state)
  const [isLost, setLost] = useState(false)
  const [isUnsent, setUnsent] = useState(false)
  const lostAt = useRef(0)
  const [isBack] = useState(() => new URLSearchParams(location.search).has('transaction_status'))
  const isWaiting = isLost || state.status === 'processing'

  useEffect(() => {
    keepInAddress(state)
    frame?.tell(state, isLost)
  }, [state, isLost, frame])
  useEffect(() => {
    document.title = `${titleOf(state, desk)} – ${order.merchant.name}`
  })
  const asked = state.status === 'processing' && !isLost && !isBack ? state.own : null
  const challenge = useRef<HTMLElement>(null)
  useEffect(() => {
    const url = asked?.approval_url
    if (!url) return
    const leave = () => (frame ?? location).assign(url)
    const place = challenge.current
    if (!place) return leave()
    const attempt = latestAttempt(order.path)
    import('./challenge.ts').then(
      ({ showChallenge }) => showChallenge(place, { words, own: asked, path: order.path, attempt }),
      leave,
    )
  }, [asked, frame, order, words])
  const taker = useRef(take)
  taker.current = take
  useEffect(
    () => (isWaiting ? follow(order.path, (next) => taker.current(next)) : undefined),
    [isWaiting, order.path],
  )

  // Paid in this tab before, and opened again: the receipt is for the browser that knows the secret.
  useEffect(() => {
    if (order.state.status === 'open' || order.state.own || latestAttempt(order.path) === null) return
    void readState(order.path, claim(order.path)).then((known) => known?.own && setState(known))
  }, [order])

  function lose(): void {
    lostAt.current = Date.now()
    setUnsent(false)
    setLost(true)
  }

  function take(next: PageState): void {
    const isFree = !next.own && next.status === 'open' && next.tries === state.tries
    const isOver = !isFree || Date.now() - lostAt.current > ARRIVES_WITHIN_MS
    if (isLost && isOver) {
      setLost(false)
      setUnsent(isFree)
    }
    setState(next)
  }

  const isOpen = state.status === 'open'
  const isFramed = asked?.approval_frame_url
  return (
    <div class={isOpen && !isLost ? 'page' : 'page narrow'}>
      {isOpen && !isLost && <OrderSummary desk={desk} />}
      <main>
        {(!isOpen || isLost) && !isFramed && <Outcome desk={desk} state={state} isLost={isLost} />}
        {isFramed && <section ref={challenge} class="challenge" />}
        {isOpen && (
          <div hidden={isLost}>
            <PayForm desk={desk} watch={{ state, isUnsent, onState: setState, onLost: lose }} />
          </div>
        )}
        <Footer desk={desk} isForm={isOpen} />
      </main>
    </div>
  )
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
function claim(path: string): URLSearchParams {
  const query = new URLSearchParams()
  const id = new URLSearchParams(location.search).get('transaction_id')
  const attempt = latestAttempt(path)
  if (id) query.set('transaction_id', id)
  if (attempt) query.set('attempt', attempt)
  return query
}

/** So that loading the page again shows the same. Anything else that was put into the address is taken out of it. */
function keepInAddress({ own }: PageState): void {
  const before = new URLSearchParams(location.search)
  const query = new URLSearchParams()
  const id = own?.id ?? before.get('transaction_id')
  const status = before.get('transaction_status')
  if (id) query.set('transaction_id', id)
  if (id && status) query.set('transaction_status', status)
  history.replaceState(null, '', query.size > 0 ? `?${query}` : location.pathname)
}

function titleOf({ status }: PageState, { words, order, money }: Desk): string {
  switch (status) {
    case 'open':
      return fill(words.pay, { amount: money(order.amount) })
    case 'processing':
      return words.processing
    case 'paid':
      return words.paid
    case 'expired':
      return words.expired
    case 'closed':
      return words.closed
  }
}

function Footer({
  desk: { order, words, locale },
  isForm,
}: {
  readonly desk: Desk
  readonly isForm: boolean
}) {
  const { merchant } = order
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <footer>
      {isForm && <span>{fill(words.until, { time: time.format(new Date(order.expires_at)) })}</span>}
      {merchant.terms_url && (
        <a href={merchant.terms_url} rel="noreferrer noopener" target="_blank">
          {words.terms}
        </a>
      )}
      {isForm && merchant.url && (
        <a href={merchant.url} rel="noreferrer">
          {fill(words.backTo, { merchant: merchant.name })}
        </a>
      )}
    </footer>
  )
}
