import { useEffect, useRef, useState } from 'preact/hooks'
import {
  type CardErrors,
  CardFields,
  CodeField,
  codeErrors,
  EMPTY_CARD,
  errorsIn,
  type TypedCard,
  toMethod,
} from './card-fields.tsx'
import type { Desk } from './desk.ts'
import { type GiftCard, GiftCards, sharesOf } from './gift-cards.tsx'
import type { Answer } from './talk.ts'
import { usePayment, type Watch } from './use-payment.ts'
import { WalletButtons } from './wallet-buttons.tsx'
import type { Result } from './wallets.ts'
import { type Way, Ways, waysOf } from './ways.tsx'
import { fill } from './words.ts'

type Props = { readonly desk: Desk; readonly watch: Watch }

export function PayForm({ desk, watch }: Props) {
  const { order, words, money } = desk
  const [saved, setSaved] = useState(order.saved_cards)
  const ways = waysOf(order, saved)
  const [way, setWay] = useState<Way | undefined>(ways[0])
  const [card, setCard] = useState(EMPTY_CARD)
  const [gifts, setGifts] = useState<readonly GiftCard[]>([])
  const [isSaved, setSave] = useState(false)
  const { errors, note, isBusy, complain, send } = usePayment(desk, watch)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [errors])

  const shares = sharesOf(gifts, order.amount)
  const rest = order.amount - shares.reduce((sum, share) => sum + share, 0)
  // Gift cards that pay for everything leave nothing to choose.
  const chosen = gifts.length > 0 && rest === 0 ? undefined : way

  async function submit(): Promise<void> {
    const wrong = errorsOf(desk, chosen, card)
    if (Object.keys(wrong).length > 0) return complain(wrong)
    await sendWith(chosen && methodOf(desk, chosen, card), chosen?.kind === 'card' && isSaved)
  }

  async function sendWith(payment_method: object | undefined, save: boolean): Promise<Answer | undefined> {
    const gift_cards = gifts.map(({ source }, index) => ({ ...source, amount: shares[index] ?? 0 }))
    const answer = await send({
      ...(payment_method && { payment_method }),
      ...(gift_cards.length > 0 && { gift_cards }),
      save,
    })
    if (answer?.kind !== 'state') return answer
    // A code is sent once, and what is on a gift card may have changed.
    setCard((typed) => ({ ...typed, code: '' }))
    setGifts([])
    return answer
  }

  function drop(id: string): void {
    const left = saved.filter((one) => one.id !== id)
    setSaved(left)
    setWay(waysOf(order, left)[0])
  }

  if (ways.length === 0 && !order.takes_gift_cards && order.wallets.length === 0) {
    return <p class="alert">{words.noWay}</p>
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <h1 class="visually-hidden">{fill(words.pay, { amount: money(order.amount) })}</h1>
      {order.is_preview && <p class="preview">{words.preview}</p>}
      <div role="alert">{note && <p class="alert">{note}</p>}</div>
      {gifts.length === 0 && (
        <WalletButtons
          desk={desk}
          onToken={async (method) => resultOf(await sendWith(method, false))}
          onTrouble={() => complain({})}
        />
      )}
      {chosen && <Ways desk={desk} ways={ways} chosen={chosen} onChoice={setWay} onRemoved={drop} />}
      <Details desk={desk} way={chosen} {...{ card, errors, isSaved }} onCard={setCard} onSave={setSave} />
      {order.takes_gift_cards && <GiftCards desk={desk} cards={gifts} onCards={setGifts} />}
      <button class="pay" type="submit" aria-disabled={isBusy} aria-busy={isBusy}>
        {isBusy ? words.working : labelFor(desk, chosen, rest)}
      </button>
      {chosen && chosen.kind !== 'method' && <p class="hint">{words.secure}</p>}
    </form>
  )
}

/** What a wallet is told of its payment. One that waits for the buyer or the bank has not failed. */
function resultOf(answer: Answer | undefined): Result {
  if (answer?.kind === 'lost') return 'unknown'
  const own = answer?.kind === 'state' ? answer.state.own : null
  return own && own.outcome !== 'failed' ? 'success' : 'fail'
}

function errorsOf({ order, words }: Desk, way: Way | undefined, card: TypedCard): CardErrors {
  if (way?.kind === 'card') return errorsIn(card, words, new Date())
  return way?.kind === 'saved' && order.asks_code ? codeErrors(card.code, way.card.scheme, words) : {}
}

function methodOf({ order }: Desk, way: Way, card: TypedCard): object {
  if (way.kind === 'method') return { method: way.method.method }
  if (way.kind === 'card') return toMethod(card)
  return { method: 'id', id: way.card.id, ...(order.asks_code && { security_code: card.code }) }
}

function labelFor({ words, order, money }: Desk, way: Way | undefined, rest: number): string {
  if (way?.kind === 'method') return fill(words.continueTo, { name: way.method.label })
  return fill(words.pay, { amount: money(way ? rest : order.amount) })
}

type DetailsProps = {
  readonly desk: Desk
  readonly way: Way | undefined
  readonly card: TypedCard
  readonly errors: CardErrors
  readonly isSaved: boolean
  readonly onCard: (card: TypedCard) => void
  readonly onSave: (isSaved: boolean) => void
}

/** What the chosen way to pay asks for. */
function Details({ desk: { order, words }, way, card, errors, isSaved, onCard, onSave }: DetailsProps) {
  if (way?.kind === 'saved' && order.asks_code) {
    const { code } = card
    return (
      <CodeField
        words={words}
        code={code}
        error={errors.code}
        onCode={(next) => onCard({ ...card, code: next })}
      />
    )
  }
  if (way?.kind !== 'card') return null
  return (
    <>
      <CardFields words={words} card={card} errors={errors} onCard={onCard} />
      {order.save === 'ask' && (
        <label class="check">
          <input
            type="checkbox"
            name="save"
            checked={isSaved}
            onChange={({ currentTarget }) => onSave(currentTarget.checked)}
          />
          {words.save}
        </label>
      )}
      {order.save === 'always' && <p class="hint">{words.stored}</p>}
    </>
  )
}
