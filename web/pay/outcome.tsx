import { useEffect, useState } from 'preact/hooks'
import { CARD_SCHEMES } from '../../server/src/domain/card-scheme.ts'
import type { OwnPayment, PageState } from '../../server/src/domain/pay-page.ts'
import type { Desk } from './desk.ts'
import { MailReceipt } from './mail-receipt.tsx'
import { Notice } from './notice.tsx'
import type { Words } from './words.ts'
import { fill } from './words.ts'

type Props = {
  readonly desk: Desk
  readonly state: PageState
  readonly isLost: boolean
  /** A click on this page has begun the payment, and the window is about to leave. */
  readonly isBegun: boolean
  readonly told: keyof Words | undefined
  readonly onCancel: () => Promise<void>
}

/** Everything that is no form: waiting, paid, over. A payment whose outcome is unknown waits, and never has failed. */
export function Outcome(props: Props) {
  const { desk, state, isLost } = props
  const { words, order } = desk
  if (isLost) return <Wait desk={desk} title={words.lost} text={words.lostText} />
  switch (state.status) {
    case 'paid':
      return <Paid desk={desk} state={state} />
    case 'expired':
      return (
        <Notice kind="bad" title={words.expired} text={words.expiredText}>
          <Due desk={desk} />
          <BackToShop desk={desk} url={order.merchant.url} />
        </Notice>
      )
    case 'closed':
      return (
        <Notice kind="bad" title={words.closed} text={words.closedText}>
          <Due desk={desk} />
          <BackToShop desk={desk} url={state.own?.return_url ?? order.merchant.url} />
        </Notice>
      )
    default:
      return <Waiting {...props} />
  }
}

/** Who asks for how much. */
function Due({ desk: { order, money } }: { readonly desk: Desk }) {
  return (
    <p class="due">
      <bdi>{order.merchant.name}</bdi> <b class="number">{money(order.amount)}</b>
    </p>
  )
}

function Wait({ desk, title, text }: { readonly desk: Desk; readonly title: string; readonly text: string }) {
  return (
    <Notice kind="wait" title={title} text={text}>
      <Due desk={desk} />
      <span class="spinner" aria-hidden="true" />
    </Notice>
  )
}

/** Who asks for how much, and until when the payment waits for its buyer. */
export function waitingText({ words, order, money, locale }: Desk, { waits_until }: PageState): string {
  const due = `${order.merchant.name} · ${money(order.amount)}`
  return waits_until ? `${due}. ${fill(words.waitsUntil, { time: timeOf(locale, waits_until) })}` : due
}

function timeOf(locale: string, time: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(new Date(time))
}

/** Nothing leads the window elsewhere unless the buyer asks for it: a buyer who came back may want to pay another way. */
function Waiting({ desk, state, isBegun, told, onCancel }: Props) {
  const { words, order, locale } = desk
  const { own, waits_until } = state
  const [isBusy, setBusy] = useState(false)
  if (!own?.approval_url) {
    const time = waits_until && !own && timeOf(locale, waits_until)
    const text = time ? fill(words.elsewhere, { time }) : words.processingText
    return <Wait desk={desk} title={words.processing} text={text} />
  }
  const name = order.methods.find(({ method }) => method === own.method)?.label
  const title = name && !isBegun ? fill(words.resume, { name }) : words.approve
  async function cancel(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    await onCancel()
    setBusy(false)
  }
  return (
    <Notice kind="wait" title={title} text={waitingText(desk, state)}>
      {told && (
        <p class="alert" role="alert">
          {words[told]}
        </p>
      )}
      <a class="button" href={own.approval_url} rel="noreferrer">
        {name ? fill(words.continueTo, { name }) : words.approve}
      </a>
      <button type="button" class="second" aria-disabled={isBusy} onClick={() => void cancel()}>
        {words.another}
      </button>
    </Notice>
  )
}

const BACK_MS = 6_000

function Paid({ desk, state }: { readonly desk: Desk; readonly state: PageState }) {
  const { words, order, money, frame } = desk
  const { own } = state
  const url = own?.return_url ?? null
  // A shop that shows us in a frame hears of it, and decides.
  const [isStaying, setStaying] = useState(frame !== undefined)
  useEffect(() => {
    if (url === null || isStaying) return undefined
    const timer = setTimeout(() => location.assign(url), BACK_MS)
    return () => clearTimeout(timer)
  }, [url, isStaying])
  useEffect(() => {
    const stay = () => setStaying(true)
    addEventListener('beforeprint', stay)
    return () => removeEventListener('beforeprint', stay)
  }, [])
  return (
    <Notice kind="good" title={words.paid} text={own ? words.paidText : words.paidBefore}>
      <dl class="receipt">
        <dt>
          <bdi>{order.merchant.name}</bdi>
        </dt>
        <dd class="number">{money(order.amount)}</dd>
        {own && <OwnReceipt desk={desk} own={own} />}
      </dl>
      {url !== null && !isStaying && (
        <p class="quiet">
          {words.goingBack}{' '}
          <button type="button" class="link" onClick={() => setStaying(true)}>
            {words.stay}
          </button>
        </p>
      )}
      <BackToShop desk={desk} url={url ?? order.merchant.url} />
      {own && (
        <button type="button" class="second" onClick={() => print()}>
          {words.print}
        </button>
      )}
      {own && desk.sendsReceipts && <MailReceipt desk={desk} onOpen={() => setStaying(true)} />}
    </Notice>
  )
}

function OwnReceipt({ desk, own }: { readonly desk: Desk; readonly own: OwnPayment }) {
  const { words, order, money, locale } = desk
  const { gift_card_amount: gifts, scheme, label } = own
  const method = order.methods.find((one) => one.method === own.method)?.label
  const name = label ? `${scheme ? CARD_SCHEMES[scheme] : ''} •••• ${label}` : method
  const isSplit = gifts > 0 && gifts < order.amount
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const lines = [
    [words.giftCards, gifts > 0 && money(gifts)],
    isSplit ? [name ?? words.method, money(order.amount - gifts)] : [label ? words.card : words.method, name],
    [words.date, date.format(new Date(own.created_at))],
    [words.orderNumber, own.external_identifier],
  ] as const
  return (
    <>
      {lines.map(
        ([name, value]) =>
          value && (
            <>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd class="number">
                <bdi>{value}</bdi>
              </dd>
            </>
          ),
      )}
      <dt>{words.reference}</dt>
      <dd class="id" dir="ltr">
        {own.id}
      </dd>
    </>
  )
}

function BackToShop({ desk: { words, order }, url }: { readonly desk: Desk; readonly url: string | null }) {
  if (url === null) return null
  return (
    <a class="button" href={url} rel="noreferrer">
      {fill(words.backTo, { merchant: order.merchant.name })}
    </a>
  )
}
