import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { useServiceNow } from '../api/service-time.ts'
import { Requests } from '../api-logs/requests.tsx'
import { Ask, Deletion } from '../parts/ask.tsx'
import { Button, CopyButton, Dialog } from '../parts/controls.tsx'
import { type Field, field } from '../parts/fields.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column, download } from '../parts/list/table.tsx'
import { Columns, FactCard, Notice, type Of, Page, pageOf } from '../parts/page.tsx'
import { Id, type Mark, Marked, When } from '../parts/values.tsx'
import { accountsText, grantBody, grantsOf, RolesOf, rolesText, useGrantFields } from '../users/invite.tsx'

export const pages = { '/': KeyList, '/$id': pageOf('GET /api-key-pairs/{api_key_pair_id}', Detail) }

type Row = RowOf<'GET /api-key-pairs'>

function KeyList() {
  const may = useMay()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<Schemas['APIKeyPair']>()
  const add = may('api-key-pairs.write') && (
    <Button tone="main" icon="plus" onClick={() => setMaking(true)}>
      New API key
    </Button>
  )
  return (
    <Page title="API keys" actions={add}>
      <List
        name="api-keys"
        route="GET /api-key-pairs"
        columns={COLUMNS}
        to={({ id }) => `/developers/keys/${id}`}
        empty={{ title: 'No keys', text: 'Your backend needs a key to sign its access tokens.' }}
      />
      {isMaking && <Key onMade={setMade} onClose={() => setMaking(false)} />}
      {made && <PrivateKey made={made} onClose={() => setMade(undefined)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  column('display_name', 'Name', { look: 'clip', text: 'display_name' }),
  column('active', 'Status', {
    cell: (row) => <KeyStatus of={row} />,
    text: ({ active }) => (active ? 'Active' : 'Disabled'),
  }),
  column('roles', 'Roles', { from: 'tablet', text: rolesText }),
  column('merchant_accounts', 'Merchant accounts', { from: 'desktop', text: accountsText }),
  column('algorithm', 'Algorithm', { isExtra: true, text: 'algorithm' }),
  column('creator', 'Created by', { from: 'desktop', text: ({ creator }) => creator?.name }),
  column('last_used_at', 'Last used', {
    isNumber: true,
    cell: ({ last_used_at }) => (last_used_at ? <When at={last_used_at} /> : 'Never'),
    text: 'last_used_at',
    from: 'tablet',
  }),
]

function KeyStatus({ of: it }: { readonly of: Row }) {
  return <Marked of={standingOf(it, useServiceNow())} />
}

type Key = Schemas['APIKeyPair']
type ActProps = { readonly of: Key; readonly onClose: () => void }

const ACTS = { edit: Edit, switch: Switch, delete: Delete } as const

function Detail({ of: it }: Of<Key>) {
  const may = useMay()
  const [act, setAct] = useState<keyof typeof ACTS>()
  const Act = act && ACTS[act]
  return (
    <Page
      title={it.display_name}
      back={{ to: '/developers/keys', label: 'API keys' }}
      under={
        <>
          <KeyStatus of={it} />
          <span>{it.algorithm}</span>
        </>
      }
      actions={
        may('api-key-pairs.write') && (
          <>
            <Button onClick={() => setAct('switch')}>{it.active ? 'Disable' : 'Enable'}</Button>
            <Button onClick={() => setAct('delete')}>Delete</Button>
            <Button tone="main" onClick={() => setAct('edit')}>
              Edit
            </Button>
          </>
        )
      }
    >
      <Columns
        main={
          <>
            <RolesOf of={it} />
            {may('api-logs.read') && <Requests callerId={it.id} />}
          </>
        }
        side={
          <FactCard
            title="Details"
            facts={[
              ['Merchant accounts', accountsText(it)],
              ['Last used', it.last_used_at ? <When key="used" at={it.last_used_at} /> : 'Never'],
              ['Created by', it.creator?.name],
              ['Created', <When key="created" at={it.created_at} />],
              ['Updated', <When key="changed" at={it.updated_at} />],
              ['Thumbprint (kid)', <Id key="kid" value={it.thumbprint} isShort />],
              ['Id', <Id key="id" value={it.id} isShort />],
            ]}
          />
        }
      />
      {Act && <Act of={it} onClose={() => setAct(undefined)} />}
    </Page>
  )
}

function change(id: string, body: Schemas['UpdateAPIKeyPair']) {
  return send('PUT /api-key-pairs/{api_key_pair_id}', { path: { api_key_pair_id: id }, body })
}

function Edit({ of: it, onClose }: ActProps) {
  const grants = useGrantFields('api-key-pair')
  return (
    <Ask
      title={`Edit ${it.display_name}`}
      verb="Save"
      says="The change applies at once, also to tokens already signed."
      fields={[NAME, ...grants]}
      initial={{
        display_name: it.display_name,
        ...grantsOf(it),
      }}
      send={(body) => change(it.id, grantBody(body))}
      outcome={({ display_name }) => `“${display_name}” was changed`}
      onClose={onClose}
    />
  )
}

function Switch({ of: { id, display_name: name, active }, onClose }: ActProps) {
  return (
    <Ask
      title={active ? `Disable ${name}` : `Enable ${name}`}
      verb={active ? 'Disable' : 'Enable'}
      isDangerous={active}
      says={
        active
          ? 'Programs that use it are refused at once, until you enable it again.'
          : 'Programs with its private key can call the API again.'
      }
      send={() => change(id, { active: !active })}
      outcome={active ? `“${name}” is disabled` : `“${name}” is active`}
      onClose={onClose}
    />
  )
}

function Delete({ of: { id, display_name: name }, onClose }: ActProps) {
  return (
    <Deletion
      id={id}
      name={`“${name}”`}
      title={`Delete ${name}`}
      says="Programs that use it are refused at once, for good. To see what would break, disable it first."
      send={() => send('DELETE /api-key-pairs/{api_key_pair_id}', { path: { api_key_pair_id: id } })}
      list="/developers/keys"
      onClose={onClose}
    />
  )
}

const NAME: Field = field('text', 'display_name', 'Name', { isRequired: true, placeholder: 'Shop backend' })

const KIND: readonly Field[] = [
  field('choice', 'algorithm', 'Algorithm', {
    options: [
      { value: 'ECDSA', label: 'ECDSA, P-521' },
      { value: 'RSA', label: 'RSA' },
    ],
    hint: 'Leave empty for ECDSA, or for the algorithm of your own key.',
  }),
  field('long-text', 'public_key', 'Your own public key', {
    hint: 'PEM format. Leave empty to generate a pair: you see its private key once.',
  }),
]

type Props = { readonly onMade: (made: Key) => void; readonly onClose: () => void }

function Key({ onMade, onClose }: Props) {
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
      outcome={({ display_name }) => `“${display_name}” was created`}
      onDone={onMade}
      onClose={onClose}
    />
  )
}

/** The private key, once. It lives in a variable of the page, and goes with the dialog. */
function PrivateKey({ made, onClose }: { readonly made: Key; readonly onClose: () => void }) {
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

const DAY_MS = 86_400_000
/** A key that was not used for so long is perhaps forgotten. */
const QUIET_MS = 90 * DAY_MS

/** Whether it works, and whether anything uses it. */
function standingOf({ active, last_used_at, created_at }: Key, now: number): Mark {
  if (!active) return { tone: 'mute', label: 'Disabled' }
  const isQuiet = now - Date.parse(last_used_at ?? created_at) > QUIET_MS
  return isQuiet ? { tone: 'wait', label: 'Unused for 90 days' } : { tone: 'good', label: 'Active' }
}
