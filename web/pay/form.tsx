import { useEffect, useRef, useState } from 'preact/hooks'
import type { EnteredField } from '../../server/src/domain/pay-page.ts'
import {
  CardFields,
  CodeField,
  codeErrors,
  EMPTY_CARD,
  errorsIn,
  type FieldErrors,
  type TypedCard,
  toMethod,
} from './card-fields.tsx'
import type { Desk } from './desk.ts'
import { Field } from './field.tsx'
import { type GiftCard, GiftCards, sharesOf } from './gift-cards.tsx'
import type { Answer } from './talk.ts'
import { usePayment, type Watch } from './use-payment.ts'
import type { Result } from './wallets.ts'
import { nameOf, type Way, Ways, waysOf } from './ways.tsx'
import { fill } from './words.ts'

type Props = { readonly desk: Desk; readonly watch: Watch }

export function PayForm({ desk, watch }: Props) {
  const { order, words } = desk
  const [saved, setSaved] = useState(order.saved_cards)
  const ways = waysOf(order, saved)
  const [wanted, setWanted] = useState<Way>()
  // An order that was changed may not offer it any more.
  const way = ways.find((one) => wanted && nameOf(one) === nameOf(wanted)) ?? ways[0]
  const { card, setCard, entered, setEntered, contact, setContact, errorsFor } = useTyped(desk)
  const [gifts, setGifts] = useState<readonly GiftCard[]>([])
  const [isSaved, setSave] = useState(false)
  const Wallets = useWallets(desk)
  const { errors, note, heard, isBusy, complain, tell, send } = usePayment(desk, watch)
  const form = useRef<HTMLFormElement>(null)

  const shares = sharesOf(gifts, order.amount)
  const rest = order.amount - shares.reduce((sum, share) => sum + share, 0)
  // Gift cards that pay for everything leave nothing to choose.
  const chosen = gifts.length > 0 && rest === 0 ? undefined : way

  async function submit(): Promise<Answer | undefined> {
    const wrong = errorsFor(chosen)
    if (Object.keys(wrong).length > 0) return void complain(wrong)
    const save = chosen?.kind === 'card' && isSaved
    return sendWith(chosen && methodOf(desk, chosen, { card, entered }), { save })
  }

  async function sendWith(
    payment_method: object | undefined,
    { save = false, said = contact }: { readonly save?: boolean; readonly said?: typeof contact },
  ): Promise<Answer | undefined> {
    const gift_cards = gifts.map(({ source }, index) => ({ ...source, amount: shares[index] ?? 0 }))
    const answer = await send({
      ...(payment_method && { payment_method }),
      ...(gift_cards.length > 0 && { gift_cards }),
      contact: desk.contact?.part.detailsOf(desk, said),
      save,
    })
    // A code is used once.
    if (answer?.kind === 'state' && answer.state.tries !== watch.state.tries) {
      setCard((typed) => ({ ...typed, code: '' }))
      setEntered({})
    }
    return answer
  }

  function drop(id: string): void {
    const left = saved.filter((one) => one.id !== id)
    setSaved(left)
    // What had the focus is gone with the card.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[name=way]:checked, [name=number]')?.focus())
  }

  /** A field that is empty may still be filled in. */
  function leave(field: keyof FieldErrors): void {
    tell(field, { ...contact, ...entered, ...card }[field] ? errorsFor(chosen)[field] : undefined)
  }

  useEffect(() => desk.frame?.watch?.({ way: chosen, card, errors: errorsFor(chosen), submit }))

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
      <h1 class="visually-hidden">{labelOf(desk, order.amount, isSaved)}</h1>
      {order.is_preview && <p class="preview">{words.preview}</p>}
      <div role="alert">{note && <p class="alert">{note}</p>}</div>
      <p class="visually-hidden" role="status">
        {heard}
      </p>
      {gifts.length === 0 && Wallets && (
        <Wallets
          desk={desk}
          onToken={async (method, sheet) => {
            const said = desk.contact?.part.fromSheet(sheet) ?? contact
            setContact(said)
            return resultOf(await sendWith(method, { said }))
          }}
          onTrouble={() => complain({})}
        />
      )}
      {desk.contact && (
        <desk.contact.part.Contact
          {...{ desk, errors, typed: contact, onTyped: setContact, onLeave: leave }}
          words={desk.contact.words}
        />
      )}
      {chosen && (
        <Ways desk={desk} ways={ways} chosen={chosen} onChoice={setWanted} onRemoved={drop}>
          <Details
            desk={desk}
            way={chosen}
            {...{ card, entered, errors, isSaved, onCard: setCard, onEntered: setEntered }}
            onLeave={leave}
            onSave={setSave}
          />
        </Ways>
      )}
      {order.takes_gift_cards && <GiftCards desk={desk} cards={gifts} onCards={setGifts} />}
      <button class="pay" type="submit" aria-disabled={isBusy} aria-busy={isBusy}>
        {isBusy ? words.working : labelFor(desk, chosen, rest, isSaved)}
      </button>
      {chosen && chosen.kind !== 'method' && <p class="hint">{words.secure}</p>}
    </form>
  )
}

/** What the buyer has typed, and what is wrong with it. */
function useTyped(desk: Desk) {
  const [card, setCard] = useState(EMPTY_CARD)
  const [entered, setEntered] = useState<Entered>({})
  const [contact, setContact] = useState(() => desk.contact?.part.begin(desk.order) ?? {})
  const errorsFor = (way: Way | undefined): FieldErrors => ({
    ...desk.contact?.part.errorsIn(desk, desk.contact.words, contact),
    ...errorsOf(desk, way, { card, entered }),
  })
  return { card, setCard, entered, setEntered, contact, setContact, errorsFor }
}

/** Their buttons are loaded only if the order can be paid with one. */
function useWallets({ order }: Desk) {
  const [part, setPart] = useState<typeof import('./wallet-buttons.tsx')>()
  const hasWallets = order.wallets.length > 0
  useEffect(() => {
    if (hasWallets) import('./wallet-buttons.tsx').then(setPart, () => {})
  }, [hasWallets])
  return part?.WalletButtons
}

/** What a wallet is told of its payment. One that waits for the buyer or the bank has not failed. */
function resultOf(answer: Answer | undefined): Result {
  if (answer?.kind === 'lost') return 'unknown'
  const own = answer?.kind === 'state' ? answer.state.own : null
  return own && own.outcome !== 'failed' ? 'success' : 'fail'
}

type Entered = Partial<Record<EnteredField['name'], string>>
type Typed = { readonly card: TypedCard; readonly entered: Entered }

function errorsOf({ order, words }: Desk, way: Way | undefined, { card, entered }: Typed): FieldErrors {
  if (way?.kind === 'method') {
    const wrong = way.method.fields.filter(
      ({ name, pattern }) => !new RegExp(pattern).test(entered[name] ?? ''),
    )
    return Object.fromEntries(wrong.map(({ name }) => [name, words.wrongField]))
  }
  if (way?.kind === 'card') return errorsIn(card, words, new Date())
  return way?.kind === 'saved' && order.asks_code ? codeErrors(card.code, way.card.scheme, words) : {}
}

function methodOf({ order }: Desk, way: Way, { card, entered }: Typed): object {
  if (way.kind === 'method') {
    const { method, fields } = way.method
    const values = fields.map(({ name }) => [name, entered[name]])
    return { method, ...(fields.length > 0 && { fields: Object.fromEntries(values) }) }
  }
  if (way.kind === 'card') return toMethod(card)
  return { method: 'id', id: way.card.id, ...(order.asks_code && { security_code: card.code }) }
}

function labelFor(desk: Desk, way: Way | undefined, rest: number, isSaved: boolean): string {
  if (way?.kind === 'method') return fill(desk.words.continueTo, { name: way.method.label })
  return labelOf(desk, way ? rest : desk.order.amount, isSaved)
}

/** Where nothing is to pay, a card is checked, and mostly to be stored. */
function labelOf({ words, order, money }: Desk, amount: number, isSaved: boolean): string {
  if (amount > 0) return fill(words.pay, { amount: money(amount) })
  return isSaved || order.save === 'always' ? words.saveCard : words.confirm
}

type DetailsProps = {
  readonly desk: Desk
  readonly way: Way | undefined
  readonly card: TypedCard
  readonly entered: Entered
  readonly errors: FieldErrors
  readonly isSaved: boolean
  readonly onCard: (card: TypedCard) => void
  readonly onEntered: (entered: Entered) => void
  readonly onLeave: (field: keyof FieldErrors) => void
  readonly onSave: (isSaved: boolean) => void
}

/** What the chosen way to pay asks for. */
function Details({ desk: { order, words }, way, card, entered, errors, isSaved, ...on }: DetailsProps) {
  const { onCard, onEntered, onLeave, onSave } = on
  if (way?.kind === 'saved' && order.asks_code) {
    const { code } = card
    return (
      <CodeField
        words={words}
        code={code}
        scheme={way.card.scheme}
        error={errors.code}
        onLeave={() => onLeave('code')}
        onCode={(next) => onCard({ ...card, code: next })}
      />
    )
  }
  if (way?.kind === 'method') {
    return (
      <>
        {way.method.fields.map(({ name, length_max, is_numeric }) => (
          <Field
            key={name}
            name={name}
            label={words[name]}
            value={entered[name] ?? ''}
            onValue={(text) => onEntered({ ...entered, [name]: text })}
            error={errors[name]}
            maxLength={length_max}
            inputMode={is_numeric ? 'numeric' : 'text'}
            onLeave={() => onLeave(name)}
          />
        ))}
      </>
    )
  }
  if (way?.kind !== 'card') return null
  return (
    <>
      <CardFields {...{ words, card, errors, onCard, onLeave }} />
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
