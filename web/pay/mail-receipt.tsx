import { useState } from 'preact/hooks'
import type { Desk } from './desk.ts'
import { Field } from './field.tsx'
import { mailReceipt } from './talk.ts'
import { claim } from './use-order.ts'
import { fill } from './words.ts'

type Props = { readonly desk: Desk; readonly onOpen: () => void }

/** Sends the receipt to an address that the buyer types. */
export function MailReceipt({ desk: { words, order }, onOpen }: Props) {
  /** Undefined: the buyer has not asked for the field. */
  const [address, setAddress] = useState<string>()
  /** Of the answer. Zero: none was asked for; one: it is on its way. */
  const [status, setStatus] = useState(0)
  if (address === undefined) {
    return (
      <button
        type="button"
        class="second"
        onClick={() => {
          setAddress('')
          onOpen()
        }}
      >
        {words.receiptByMail}
      </button>
    )
  }
  const to = address.trim()
  if (status === 204) return <p role="status">{fill(words.receiptSent, { address: to })}</p>
  async function send(): Promise<void> {
    if (status === 1) return
    setStatus(1)
    setStatus((await mailReceipt(order.path, claim(order.path), to)) || 429)
  }
  return (
    <form
      class="mail"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Field
        name="email"
        label={words.mailAddress}
        value={address}
        onValue={(text) => {
          setAddress(text)
          setStatus(0)
        }}
        error={status < 2 ? undefined : status === 400 ? words.wrongMail : words.tooManyText}
        autocomplete="email"
        inputMode="email"
        maxLength={254}
      />
      <button class="second" type="submit" aria-disabled={status === 1}>
        {words.receiptByMail}
      </button>
    </form>
  )
}
