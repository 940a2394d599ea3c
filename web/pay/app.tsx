import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { OwnPayment, PageState } from '../../server/src/domain/pay-page.ts'
import { showChallenge } from './challenge.ts'
import type { Desk } from './desk.ts'
import { PayForm } from './form.tsx'
import { moneyIn } from './money.ts'
import { OrderSummary } from './order.tsx'
import { Outcome, waitingText } from './outcome.tsx'
import { useOrder } from './use-order.ts'
import type { Watch } from './use-payment.ts'
import { fill } from './words.ts'

type Props = Omit<Desk, 'money'>

export function App({ order: first, ...rest }: Props) {
  const { locale, frame } = rest
  const { order, state, isLost, told, tell, show, lose, giveUp } = useOrder(first)
  const money = useMemo(() => moneyIn(order, locale), [order, locale])
  const desk: Desk = { order, money, ...rest }
  const [isBack] = useState(() => new URLSearchParams(location.search).has('transaction_status'))
  const [begun, setBegun] = useBegun()

  useEffect(() => {
    keepInAddress(state)
    frame?.tell(state, isLost)
  }, [state, isLost, frame])
  useEffect(() => {
    document.title = `${titleOf(state, desk)} – ${order.merchant.name}`
  })
  const own = state.status === 'processing' && !isLost ? state.own : null
  const isBegun = own !== null && own.id === begun
  const asked = isBegun || !isBack ? own : null
  const about = waitingText(desk, state)
  const { isFramed, place } = useApproval(desk, { asked, isBegun, about, giveUp })

  const isOpen = state.status === 'open'
  const isForm = isOpen && !isLost
  const watch: Watch = {
    state,
    told,
    onSend: () => tell(undefined),
    onState: (next) => {
      setBegun(next.own?.id)
      return show(next)
    },
    onLost: lose,
  }
  return (
    <div class={isForm ? 'page' : 'page narrow'}>
      {isForm && <OrderSummary desk={desk} />}
      <main>
        {!isForm && !isFramed && <Outcome {...{ desk, state, isLost, isBegun, told }} onCancel={giveUp} />}
        {isFramed && <section ref={place} class="challenge" />}
        {(isOpen || state.status === 'processing') && (
          // Kept while a payment is under way: if it fails, number and date are still there.
          <div hidden={!isForm}>
            <PayForm desk={desk} watch={watch} />
          </div>
        )}
        <Footer desk={desk} isForm={isForm} />
      </main>
    </div>
  )
}

/** The payment that a click on this page has begun: it alone may lead the window elsewhere. */
function useBegun() {
  const [begun, setBegun] = useState<string>()
  useEffect(() => {
    // The buyer came back with the browser's button, and this page was only asleep.
    const wake = ({ persisted }: PageTransitionEvent) => persisted && setBegun(undefined)
    addEventListener('pageshow', wake)
    return () => removeEventListener('pageshow', wake)
  }, [])
  return [begun, setBegun] as const
}

type Approval = {
  readonly asked: OwnPayment | null
  readonly isBegun: boolean
  readonly about: string
  readonly giveUp: () => Promise<void>
}

/** Shows the bank's page in a frame, or leads the window there after a click of the buyer. */
function useApproval({ words, frame }: Desk, { asked, isBegun, about, giveUp }: Approval) {
  const place = useRef<HTMLElement>(null)
  const latest = useRef({ about, giveUp })
  latest.current = { about, giveUp }
  useEffect(() => {
    const url = asked?.approval_url
    if (!url) return
    const leave = () => {
      if (isBegun) (frame ?? location).assign(url)
    }
    const section = place.current
    if (!section) return leave()
    const onCancel = () => latest.current.giveUp()
    showChallenge(section, { words, own: asked, about: latest.current.about, onCancel })
  }, [asked, isBegun, frame, words])
  return { isFramed: Boolean(asked?.approval_frame_url), place }
}

/** So that loading the page again shows the same. Anything else that was put into the address is taken out of it. */
function keepInAddress({ own }: PageState): void {
  const before = new URLSearchParams(location.search)
  const query = new URLSearchParams()
  const id = own?.id ?? before.get('transaction_id')
  const status = before.get('transaction_status')
  if (id) query.set('transaction_id', id)
  if (id && status) query.set('transaction_status', status)
  history.replaceState(null, '', String(query) ? `?${query}` : location.pathname)
}

function titleOf({ status }: PageState, { words, order, money }: Desk): string {
  switch (status) {
    case 'open':
      return order.amount === 0 ? words.confirm : fill(words.pay, { amount: money(order.amount) })
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
  desk: { order, words, locale, frame },
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
      {isForm && merchant.url && !frame && (
        <a href={merchant.url} rel="noreferrer">
          {fill(words.backTo, { merchant: merchant.name })}
        </a>
      )}
    </footer>
  )
}
