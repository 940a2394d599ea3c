import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, CopyButton, Dialog } from '../parts/controls.tsx'
import type { Field } from '../parts/fields.tsx'
import { download } from '../parts/list/table.tsx'
import { Notice } from '../parts/page.tsx'
import { grantBody, useGrantFields } from '../users/invite.tsx'

type Key = Schemas['APIKeyPair']

export const NAME: Field = {
  name: 'display_name',
  label: 'Name',
  kind: 'text',
  isRequired: true,
  placeholder: 'Shop backend',
}

const KIND: readonly Field[] = [
  {
    name: 'algorithm',
    label: 'Algorithm',
    kind: 'choice',
    options: [
      { value: 'ECDSA', label: 'ECDSA, P-521' },
      { value: 'RSA', label: 'RSA' },
    ],
    hint: 'Leave empty for ECDSA, or for the algorithm of your own key.',
  },
  {
    name: 'public_key',
    label: 'Your own public key',
    kind: 'long-text',
    hint: 'PEM format. Leave empty to generate a pair: you see its private key once.',
  },
]

type Props = { readonly onMade: (made: Key) => void; readonly onClose: () => void }

export function NewKey({ onMade, onClose }: Props) {
  const grants = useGrantFields('api-key-pair')
  return (
    <Ask
      title="New API key"
      verb="Create key"
      says="Your backend signs its tokens with the private key. Only the public key is stored here."
      fields={[NAME, ...grants, ...KIND]}
      send={(body, idempotencyKey) =>
        send('POST /api-key-pairs', { body: grantBody<Schemas['CreateAPIKeyPair']>(body), idempotencyKey })
      }
      outcome={({ display_name }) => ({ kind: 'done', title: `“${display_name}” was created` })}
      onDone={onMade}
      onClose={onClose}
    />
  )
}

/** The private key, once. It lives in a variable of the page, and goes with the dialog. */
export function PrivateKey({ made, onClose }: { readonly made: Key; readonly onClose: () => void }) {
  const { private_key: key, display_name } = made
  return (
    <Dialog title={`Private key of ${display_name}`} onClose={onClose} isWide>
      <div className="dialog-body secret">
        {key === null ? (
          <Notice tone="info" title="Only you have the private key">
            Only the public key is stored here. A private key generated here is shown once: if you did not
            save it, create a new key.
          </Notice>
        ) : (
          <>
            <p>
              Save it now: it is shown only this once, and cannot be shown again. The guide{' '}
              <a href="/docs/guide/authenticate" className="text-link">
                Authenticate
              </a>{' '}
              shows how a program signs with it.
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
            <pre className="mono secret-text private-key" tabIndex={0}>
              {key}
            </pre>
            <div className="actions">
              <Button
                tone="main"
                icon="download"
                onClick={() => download(`${fileName(display_name)}.pem`, 'application/x-pem-file', key)}
              >
                Download
              </Button>
              <CopyButton tone="plain" text={key} label="Copy key" />
            </div>
          </>
        )}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  )
}

function fileName(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'private-key'
  )
}
