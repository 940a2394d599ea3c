import { useState } from 'react'
import { Button } from '../parts/controls.tsx'
import { type Field, Fields, firstTyped, readValues, type Typed } from '../parts/fields.tsx'
import { fieldFaults } from './trying.tsx'

type Proof = { email_address?: string; password: string; code: string }

type Props = {
  readonly verb: string
  readonly asksEmail?: boolean
  readonly isBusy: boolean
  readonly error: unknown
  readonly onSend: (proof: Proof) => Promise<void>
}

const EMAIL: Field = {
  name: 'email_address',
  label: 'E-mail address',
  kind: 'email',
  isRequired: true,
  autoComplete: 'username webauthn',
}
const PROOF: readonly Field[] = [
  { name: 'password', label: 'Password', kind: 'secret', isRequired: true, autoComplete: 'current-password' },
  {
    name: 'code',
    label: 'Code',
    kind: 'text',
    isRequired: true,
    autoComplete: 'one-time-code',
    hint: 'Of your authenticator app, or a recovery code.',
  },
]

/** A password, which counts only together with a code. */
export function PasswordForm({ verb, asksEmail = false, isBusy, error, onSend }: Props) {
  const fields = asksEmail ? [EMAIL, ...PROOF] : PROOF
  const [typed, setTyped] = useState<Typed>(() => firstTyped(fields, {}))
  const [tried, setTried] = useState(false)
  const { values, faults } = readValues(fields, typed)
  const send = async () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return
    await onSend(values as Proof)
    // A code counts once.
    setTried(false)
    setTyped((old) => ({ ...old, code: '' }))
  }
  return (
    <form
      className="door-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Fields
        fields={fields}
        typed={typed}
        faults={{ ...(tried && faults), ...fieldFaults(fields, error) }}
        isLocked={isBusy}
        onType={(name, value) => setTyped((old) => ({ ...old, [name]: value }))}
      />
      <Button type="submit" disabled={isBusy}>
        {isBusy ? 'One moment…' : verb}
      </Button>
    </form>
  )
}
