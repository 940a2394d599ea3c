import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { readAgain, send, useRead } from '../api/client.ts'
import { useMe } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Dialog } from '../parts/controls.tsx'
import type { Field } from '../parts/fields.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { When } from '../parts/values.tsx'
import { NewPassword } from '../sign-in/new-password.tsx'
import { CodeList } from '../sign-in/recovery-codes.tsx'
import { TryNotice, useTrying } from '../sign-in/trying.tsx'
import { words as signInWords } from '../sign-in/words.ts'
import { words } from './words.ts'
import '../sign-in/sign-in.css'

type State = Schemas['PasswordState']
type Authenticator = Schemas['PasswordOptions']['authenticator']

const NEW_PASSWORD: readonly Field[] = [
  {
    name: 'password',
    label: 'New password',
    kind: 'secret',
    isRequired: true,
    autoComplete: 'new-password',
    hint: signInWords.password.rule,
  },
]

/** A password with an authenticator app, and the codes for the day on which the app is lost. */
export function Password() {
  const state = useRead('GET /auth/password', {})
  const [act, setAct] = useState<'change' | 'app' | 'codes' | 'remove'>()
  const { has_passkey } = useMe()
  const close = () => setAct(undefined)
  const text = words.password
  return (
    <Section title={text.title}>
      <Loaded of={state}>
        {(it) => (
          <>
            <About state={it} />
            <div className="acts">
              {it.is_set && <Button onClick={() => setAct('change')}>{text.change}</Button>}
              <Button onClick={() => setAct('app')}>{it.is_set ? text.newApp : text.set}</Button>
              {it.is_set && <Button onClick={() => setAct('codes')}>{text.newCodes}</Button>}
              {it.is_set && has_passkey && <Button onClick={() => setAct('remove')}>{text.remove}</Button>}
            </div>
          </>
        )}
      </Loaded>
      {act === 'change' && <Change onClose={close} />}
      {act === 'app' && <NewApp onClose={close} />}
      {act === 'codes' && <NewCodes onClose={close} />}
      {act === 'remove' && <Remove onClose={close} />}
    </Section>
  )
}

function About({ state }: { readonly state: State }) {
  const text = words.password
  if (!state.is_set || state.changed_at === null) return <p className="quiet-text">{text.none}</p>
  const left = state.recovery_codes_left
  return (
    <p className="quiet-text">
      {text.changed} <When at={state.changed_at} />. {left === 1 ? text.oneLeft : `${left} ${text.left}`}
    </p>
  )
}

type ActProps = { readonly onClose: () => void }

function Change({ onClose }: ActProps) {
  const text = words.password
  return (
    <Ask
      title={text.change}
      verb={text.change}
      says={text.changeSays}
      fields={NEW_PASSWORD}
      send={(body) => send('PUT /auth/password', { body: body as Schemas['SetPassword'] })}
      outcome={() => ({ kind: 'done', title: text.wasChanged, text: text.othersEnded })}
      onClose={onClose}
    />
  )
}

function NewCodes({ onClose }: ActProps) {
  const text = words.password
  return (
    <Ask
      title={text.newCodes}
      verb={text.makeCodes}
      says={text.codesSay}
      send={(_body, idempotencyKey) => send('POST /auth/recovery-codes', { idempotencyKey })}
      outcome={({ recovery_codes }) =>
        recovery_codes
          ? { kind: 'shown', title: text.keepThem, text: <CodeList codes={recovery_codes} /> }
          : { kind: 'shown', title: text.codesLost }
      }
      onClose={onClose}
    />
  )
}

function Remove({ onClose }: ActProps) {
  const text = words.password
  return (
    <Ask
      title={text.remove}
      verb={text.remove}
      isDangerous
      says={text.removeSays}
      send={() => send('DELETE /auth/password', {})}
      outcome={() => ({ kind: 'done', title: text.wasRemoved, text: text.othersEnded })}
      onClose={onClose}
    />
  )
}

/** A first password, or a new app for a lost one. */
function NewApp({ onClose }: ActProps) {
  const { email_address } = useMe()
  const [options, setOptions] = useState<{ id: string; authenticator: NonNullable<Authenticator> }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const trying = useTrying()
  const text = words.password
  const begin = () =>
    trying.run(async () => {
      const { challenge_id, authenticator } = await send('POST /auth/password/options', {})
      if (authenticator) setOptions({ id: challenge_id, authenticator })
    })
  const finish = (given: { password: string; code: string }) =>
    trying.run(async () => {
      const body = { ...given, challenge_id: options?.id ?? '' }
      const { recovery_codes } = await send('PUT /auth/password', { body })
      setCodes(recovery_codes ?? [])
      await readAgain()
    })
  return (
    <Dialog title={codes ? text.keepThem : text.appTitle} onClose={onClose} isLocked={trying.isBusy}>
      <div className="dialog-body step-up">
        {codes && <CodeList codes={codes} />}
        {!codes && !options && (
          <>
            <p className="door-text">{text.appSays}</p>
            <Button tone="main" disabled={trying.isBusy} onClick={() => void begin()}>
              {text.next}
            </Button>
            <TryNotice error={trying.error} wrong={text.wrong} />
          </>
        )}
        {!codes && options && (
          <NewPassword
            enrolment={{ email_address, authenticator: options.authenticator }}
            trying={trying}
            onSend={finish}
          />
        )}
      </div>
    </Dialog>
  )
}
