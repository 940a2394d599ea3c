import { useState } from 'react'
import { send } from '../api/client.ts'
import { proveAgain } from '../api/session.ts'
import { Button, CopyButton, Dialog } from '../parts/controls.tsx'
import { Notice } from '../parts/page.tsx'
import { notify } from '../shell/notices.tsx'

type Props = { readonly secret: string | null; readonly onClose: () => void }

/** Signing secret. It lives in a variable of the page, and goes with the dialog. */
export function SecretDialog({ secret, onClose }: Props) {
  return (
    <Dialog title="Signing secret" onClose={onClose}>
      <div className="dialog-body secret">
        {secret === null ? (
          <Notice tone="info" title="Your roles do not allow you to see the secret">
            Ask an administrator for it.
          </Notice>
        ) : (
          <>
            <p>
              Your server verifies each request with it: the guide{' '}
              <a href="/docs/guide/webhooks#verify" className="text-link">
                Webhooks
              </a>{' '}
              shows how. Keep it as you keep a password.
            </p>
            <p className="mono secret-text">{secret}</p>
            <CopyButton tone="plain" text={secret} label="Copy the secret" />
          </>
        )}
      </div>
      <div className="dialog-actions">
        <Button tone="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

/** Asks for the secret when a person wants to see it. */
export function ShowSecret({ subscriptionId }: { readonly subscriptionId: string }) {
  const [shown, setShown] = useState<{ readonly secret: string | null }>()
  const show = async () => {
    const path = { subscription_id: subscriptionId }
    try {
      const read = () => send('GET /webhook-subscriptions/{subscription_id}', { path })
      const found = await read()
      // The server leaves it out while the last proof of the person is old.
      if (found.secret !== null) setShown(found)
      else if (await proveAgain()) setShown(await read())
    } catch {
      notify({ title: 'The secret could not be read', text: 'Try again in a moment.' })
    }
  }
  return (
    <>
      <button type="button" className="text-link" onClick={() => void show()}>
        Show it
      </button>
      {shown && <SecretDialog secret={shown.secret} onClose={() => setShown(undefined)} />}
    </>
  )
}
