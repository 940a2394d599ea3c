import { useEffect, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { hearOtherTabs } from '../api/session.ts'
import { Button, Dialog } from '../parts/controls.tsx'
import { PasswordForm } from './proofs.tsx'
import {
  askServer,
  canUsePasskeys,
  openProviderWindow,
  signWithPasskey,
  TryNotice,
  useTrying,
} from './trying.tsx'
import './sign-in.css'

type Options = Schemas['StepUpOptions']

/** Asks the person at the screen to prove again who they are, with what they sign in with. */
export function StepUp({
  onProven,
  onClose,
}: {
  readonly onProven: () => void
  readonly onClose: () => void
}) {
  const [options, setOptions] = useState<Options>()
  const opening = useTrying()
  const trying = useTrying()
  const ask = async () => {
    // A refusal means that the session has ended: `send` covers the page with sign-in.
    const found = await send('POST /auth/step-up/options', {})
    setOptions(found)
    return found
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the dialog opens
  useEffect(() => void opening.run(async () => void (await ask())), [])
  const prove = async (body: Schemas['CreateStepUp']) => {
    await askServer('POST /auth/step-up', { body })
    onProven()
  }
  const withPasskey = () =>
    trying.run(async () => {
      // Each challenge is answered once, so every try has its own.
      const { challenge_id, passkey } = await ask()
      if (passkey) await prove({ challenge_id, passkey: await signWithPasskey(passkey) })
    })
  useEffect(() => hearOtherTabs((news) => news === 'proved' && onProven()), [onProven])
  const atProvider = () =>
    trying.run(async () => {
      const beside = openProviderWindow()
      // Each question to the provider is answered once, so every try has its own.
      const { oidc } = await ask()
      if (oidc) beside.location.assign(oidc.authorization_url)
      else beside.close()
    })
  const hasPasskey = options !== undefined && options.passkey !== null && canUsePasskeys
  return (
    <Dialog title="Is it still you?" onClose={onClose} isLocked={trying.isBusy}>
      <div className="dialog-body step-up">
        <p className="door-text">This needs a fresh proof. It counts for the next ten minutes.</p>
        {hasPasskey && (
          <Button tone="main" icon="key" disabled={trying.isBusy} onClick={() => void withPasskey()}>
            Use your passkey
          </Button>
        )}
        {options?.oidc && (
          <Button tone="main" disabled={trying.isBusy} onClick={() => void atProvider()}>
            Confirm with {options.oidc.name}
          </Button>
        )}
        {hasPasskey && options.has_password && <p className="or">or with a password</p>}
        {options?.has_password && (
          <PasswordForm
            verb="Confirm"
            isBusy={trying.isBusy}
            error={trying.error}
            onSend={(proof) => trying.run(() => prove(proof))}
          />
        )}
        <TryNotice
          error={opening.error ?? trying.error}
          wrong="That was not it. Check what you entered, and try again."
        />
      </div>
    </Dialog>
  )
}
