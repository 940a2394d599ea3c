import { useEffect, useState } from 'preact/hooks'
import { CARD_SCHEMES } from '../../server/src/domain/card-scheme.ts'
import type { PageState } from '../../server/src/domain/pay-page.ts'
import type { Desk } from './desk.ts'
import { Notice } from './notice.tsx'
import { fill } from './words.ts'

type Props = {
  readonly desk: Desk
  readonly state: PageState
  readonly isLost: boolean
}

/** Everything that is no form: waiting, paid, over. A payment whose outcome is unknown waits, and never has failed. */
export function Outcome({ desk, state, isLost }: Props) {
  const { words } = desk
  if (isLost) {
    return (
      <Notice kind="wait" title={words.lost} text={words.lostText}>
        <span class="spinner" aria-hidden="true" />
      </Notice>
    )
  }
  switch (state.status) {
    case 'paid':
      return <Paid desk={desk} state={state} />
    case 'expired':
      return (
        <Notice kind="bad" title={words.expired} text={words.expiredText}>
          <BackToShop desk={desk} url={desk.order.merchant.url} />
        </Notice>
      )
    case 'closed':
      return (
        <Notice kind="bad" title={words.closed} text={words.closedText}>
          <BackToShop desk={desk} url={state.own?.return_url ?? desk.order.merchant.url} />
        </Notice>
      )
    default:
      return <Waiting desk={desk} state={state} />
  }
}

function Waiting({ desk: { words }, state }: { readonly desk: Desk; readonly state: PageState }) {
  const url = state.own?.approval_url ?? null
  if (url === null) {
    return (
      <Notice kind="wait" title={words.processing} text={words.processingText}>
        <span class="spinner" aria-hidden="true" />
      </Notice>
    )
  }
  return (
    <Notice kind="wait" title={words.approve} text={words.approveText}>
      <a class="button" href={url} rel="noreferrer">
        {words.approve}
      </a>
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
  return (
    <Notice kind="good" title={words.paid} text={own ? words.paidText : words.paidBefore}>
      <dl class="receipt">
        <dt>
          <bdi>{order.merchant.name}</bdi>
        </dt>
        <dd class="number">{money(order.amount)}</dd>
        {own && own.gift_card_amount > 0 && (
          <>
            <dt>{words.giftCards}</dt>
            <dd class="number">{money(own.gift_card_amount)}</dd>
          </>
        )}
        {own?.label && (
          <>
            <dt>{words.card}</dt>
            <dd class="number" dir="ltr">
              {own.scheme && CARD_SCHEMES[own.scheme]} •••• {own.label}
            </dd>
          </>
        )}
        {own && (
          <>
            <dt>{words.reference}</dt>
            <dd class="id" dir="ltr">
              {own.id}
            </dd>
          </>
        )}
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
    </Notice>
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
