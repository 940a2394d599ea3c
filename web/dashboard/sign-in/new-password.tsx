import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../parts/controls.tsx'
import { type Field, Fields, firstTyped, readValues, type Typed } from '../parts/fields.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import { Id } from '../parts/values.tsx'
import { fieldFaults, type Trying, TryNotice } from './trying.tsx'
import { words } from './words.ts'

/** PCI DSS 8.3.6. The server checks it, too. */
const LEAST = 12

const FIELDS: readonly Field[] = [
  {
    name: 'password',
    label: 'Password',
    kind: 'secret',
    isRequired: true,
    hint: words.password.rule,
  },
  {
    name: 'code',
    label: 'Code that the app shows now',
    kind: 'text',
    isRequired: true,
    autoComplete: 'one-time-code',
  },
]

type Props = {
  readonly enrolment: Pick<Schemas['Enrolment'], 'authenticator' | 'email_address'>
  readonly trying: Trying
  readonly onSend: (given: { password: string; code: string }) => Promise<void>
}

/** A new password, and the app that goes with it. The code shows that the app has the right key. */
export function NewPassword({ enrolment: { authenticator, email_address }, trying, onSend }: Props) {
  const [typed, setTyped] = useState<Typed>(() => firstTyped(FIELDS, {}))
  const [tried, setTried] = useState(false)
  const { values, faults } = readValues(FIELDS, typed)
  const password = String(values['password'] ?? '')
  const isWeak = password.length < LEAST || !/\p{L}/u.test(password) || !/\p{Nd}/u.test(password)
  const found = {
    ...faults,
    ...(isWeak && { password: `Type at least ${LEAST} characters, with letters and digits.` }),
  }
  const send = async () => {
    setTried(true)
    if (Object.keys(found).length === 0) await onSend(values as { password: string; code: string })
  }
  const text = words.password
  return (
    <form
      className="door-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {/* Password managers store the new password under this name. */}
      <input type="hidden" name="username" autoComplete="username" value={email_address} />
      <div className="app-key">
        <QrCode text={authenticator.url} label="QR code with the key for your authenticator app" />
        <div>
          <p>{text.scan}</p>
          <p className="hint">{text.type}</p>
          <Id value={grouped(authenticator.secret)} />
        </div>
      </div>
      <Fields
        fields={FIELDS}
        typed={typed}
        faults={{ ...(tried && found), ...fieldFaults(FIELDS, trying.error) }}
        isLocked={trying.isBusy}
        onType={(name, value) => setTyped((old) => ({ ...old, [name]: value }))}
      />
      <TryNotice
        error={trying.error}
        wrong="This is not the code that the app shows now. Wait for the next one, and check the clock of your phone."
      />
      <Button type="submit" tone="main" disabled={trying.isBusy}>
        {trying.isBusy ? 'One moment…' : text.verb}
      </Button>
    </form>
  )
}

function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}
