import { useEffect, useRef, useState } from 'preact/hooks'
import type { GiftCardBalance } from '../../server/src/domain/pay-page.ts'
import { digitsOf } from '../../server/src/domain/typed-card.ts'
import type { Desk } from './desk.ts'
import { Field } from './field.tsx'
import { giftCardBalance, storedGiftCards } from './talk.ts'
import { fill } from './words.ts'

/** A gift card that the buyer pays with: one that is stored, by its id, or one that was typed. */
export type GiftCard = {
  readonly last4: string
  readonly balance: number
  readonly source: { readonly id: string } | { readonly number: string; readonly pin: string }
}

type Props = {
  readonly desk: Desk
  readonly cards: readonly GiftCard[]
  readonly onCards: (cards: readonly GiftCard[]) => void
}

/** How much each card pays: the first ones as much as they can. */
export function sharesOf(cards: readonly GiftCard[], amount: number): number[] {
  let rest = amount
  return cards.map(({ balance }) => {
    const share = Math.min(balance, rest)
    rest -= share
    return share
  })
}

export function GiftCards({ desk, cards, onCards }: Props) {
  const { words, order, money } = desk
  const [stored, setStored] = useState<readonly GiftCardBalance[] | null>(null)
  const shares = sharesOf(cards, order.amount)
  const paid = shares.reduce((sum, share) => sum + share, 0)

  async function open(isOpen: boolean): Promise<void> {
    if (isOpen && stored === null && order.has_buyer) setStored(await storedGiftCards(order.path))
  }

  const add = (card: GiftCard) => onCards([...cards, card])
  const unused = (stored ?? []).filter(
    (card) =>
      (card.balance ?? 0) > 0 &&
      card.currency === order.currency &&
      !cards.some(({ source }) => 'id' in source && source.id === card.id),
  )
  return (
    <section class="gifts">
      {cards.length > 0 && (
        <ul aria-label={words.giftCards}>
          {cards.map((card, index) => (
            <li key={card}>
              <span dir="ltr">•••• {card.last4}</span>
              <span class="number">{fill(words.pays, { amount: money(shares[index] ?? 0) })}</span>
              <button
                type="button"
                class="link"
                aria-label={`${words.remove} •••• ${card.last4}`}
                onClick={() => onCards(cards.filter((one) => one !== card))}
              >
                {words.remove}
              </button>
            </li>
          ))}
          <li class="total">
            <span>{words.rest}</span>
            <b class="number">{money(order.amount - paid)}</b>
          </li>
        </ul>
      )}
      {paid < order.amount && cards.length < 10 && (
        <details onToggle={({ currentTarget }) => void open(currentTarget.open)}>
          <summary>{words.addGiftCard}</summary>
          {unused.map((card) => (
            <button
              key={card.id}
              type="button"
              class="row"
              onClick={() =>
                add({ last4: card.last4, balance: card.balance ?? 0, source: { id: card.id ?? '' } })
              }
            >
              <span dir="ltr">•••• {card.last4}</span>
              <span class="number">{fill(words.has, { amount: money(card.balance ?? 0) })}</span>
            </button>
          ))}
          <NewGiftCard desk={desk} cards={cards} onCard={add} />
        </details>
      )}
    </section>
  )
}

type NewProps = {
  readonly desk: Desk
  readonly cards: readonly GiftCard[]
  readonly onCard: (card: GiftCard) => void
}

function NewGiftCard({ desk: { order, words }, cards, onCard }: NewProps) {
  const [number, setNumber] = useState('')
  const [pin, setPin] = useState('')
  const [error, setError] = useState<{ readonly at: 'number' | 'pin'; readonly text: string }>()
  const [isBusy, setBusy] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  // The field that the message is about gets the focus, so that it is heard.
  useEffect(() => {
    if (error) place.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  const refuse = (text: string, at: 'number' | 'pin' = 'number') => setError({ at, text })

  async function apply(): Promise<void> {
    const digits = digitsOf(number)
    const isTwin = cards.some(({ source }) => 'number' in source && source.number === digits)
    if (!/^\d{16,19}$/.test(digits) || isTwin) return refuse(words.wrongGiftCard)
    if (pin === '') return refuse(words.wrongGiftCard, 'pin')
    setBusy(true)
    const found = await giftCardBalance(order.path, { number: digits, pin })
    setBusy(false)
    if (found?.balance == null) return refuse(words.wrongGiftCard)
    if (found.currency !== order.currency) return refuse(words.otherCurrency)
    if (found.balance === 0) return refuse(words.emptyGiftCard)
    setNumber('')
    setPin('')
    setError(undefined)
    onCard({ last4: found.last4, balance: found.balance, source: { number: digits, pin } })
  }

  return (
    <div ref={place} class="gift-form">
      <Field
        name="gift-number"
        label={words.giftNumber}
        value={number}
        onValue={setNumber}
        onEnter={() => void apply()}
        error={error?.at === 'number' ? error.text : undefined}
        maxLength={30}
      />
      <Field
        name="gift-pin"
        label={words.pin}
        value={pin}
        onValue={setPin}
        onEnter={() => void apply()}
        error={error?.at === 'pin' ? error.text : undefined}
        maxLength={100}
        inputMode="text"
      />
      <button type="button" class="second" aria-disabled={isBusy} onClick={() => void (isBusy || apply())}>
        {words.apply}
      </button>
    </div>
  )
}
