import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { download } from '../parts/download.ts'
import type { Field } from '../parts/fields.tsx'
import { Notice } from '../parts/notice.tsx'
import { useGrantFields } from '../users/invite.tsx'

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
    hint: 'Empty: ECDSA, or that of your own key.',
  },
  {
    name: 'public_key',
    label: 'Your own public key',
    kind: 'long-text',
    hint: 'In PEM. Leave it empty, and a pair is made: you see its private key once.',
  },
]

type Props = { readonly onMade: (made: Key) => void; readonly onClose: () => void }

export function NewKey({ onMade, onClose }: Props) {
  const grants = useGrantFields('api-key-pair')
  return (
    <Ask
      title="New API key"
      verb="Make the key"
      says="A program signs its tokens with the private key. The service keeps the public one alone."
      fields={[NAME, ...grants, ...KIND]}
      send={(body, idempotencyKey) =>
        send('POST /api-key-pairs', { body: body as Schemas['CreateAPIKeyPair'], idempotencyKey })
      }
      outcome={({ display_name }) => ({ kind: 'done', title: `“${display_name}” was made` })}
      onDone={onMade}
      onClose={onClose}
    />
  )
}

/** The private key, once. It lives in a variable of the page, and goes with the dialog. */
export function PrivateKey({ made, onClose }: { readonly made: Key; readonly onClose: () => void }) {
  const { private_key: key, display_name } = made
  return (
    <Dialog title={`The private key of ${display_name}`} onClose={onClose} isWide>
      <div className="dialog-body secret">
        {key === null ? (
          <Notice tone="info" title="The private key is yours alone">
            The service has only the public key that you sent. A key that was made here is shown once: if you
            have not saved it, make another.
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
              <CopyButton tone="plain" text={key} label="Copy the key" />
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
