import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../parts/controls.tsx'
import { Notice } from '../parts/page.tsx'
import { Door } from '../shell/door.tsx'
import { NewPassword } from './new-password.tsx'
import { canUsePasskeys, deviceName, makePasskey } from './passkey.ts'
import { type Trying, TryNotice } from './trying.tsx'
import { words } from './words.ts'

export type ChosenProof = Pick<Schemas['Setup'], 'passkey' | 'passkey_name' | 'password' | 'code'>

type Props = {
  readonly enrolment: Schemas['Enrolment']
  readonly trying: Trying
  readonly onChosen: (choose: () => Promise<ChosenProof>) => Promise<void>
}

/** A passkey first. A password with an authenticator app for those who cannot. */
export function ChooseProof({ enrolment, trying, onChosen }: Props) {
  const { passkey } = enrolment
  const canPasskey = passkey !== null && canUsePasskeys
  const [wantsPassword, setWantsPassword] = useState(!canPasskey)
  const text = words.prove
  if (wantsPassword)
    return (
      <Door title={words.password.title}>
        {!canPasskey && <Notice tone="info" title={text.noPasskeys} />}
        <NewPassword
          enrolment={enrolment}
          trying={trying}
          onSend={(given) => onChosen(() => Promise.resolve(given))}
        />
        {canPasskey && (
          <Button tone="quiet" onClick={() => setWantsPassword(false)}>
            {text.otherWay}
          </Button>
        )}
      </Door>
    )
  return (
    <Door title={text.title}>
      <div className="way">
        <h2>{text.passkeyTitle}</h2>
        <p>{text.passkeyText}</p>
        <Button
          tone="main"
          icon="key"
          disabled={trying.isBusy}
          onClick={() =>
            void onChosen(async () => ({
              passkey: await makePasskey(passkey ?? {}),
              passkey_name: deviceName(),
            }))
          }
        >
          {text.passkeyVerb}
        </Button>
        <TryNotice error={trying.error} wrong="The passkey could not be checked. Try again." />
      </div>
      <div className="way">
        <h2>{text.passwordTitle}</h2>
        <p>{text.passwordText}</p>
        <Button disabled={trying.isBusy} onClick={() => setWantsPassword(true)}>
          {text.passwordVerb}
        </Button>
      </div>
    </Door>
  )
}
