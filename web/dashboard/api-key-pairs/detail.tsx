import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Requests } from '../api-logs/requests.tsx'
import { Ask } from '../parts/ask.tsx'
import { Button, Link } from '../parts/controls.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, When } from '../parts/values.tsx'
import { grantBody, grantsOf, useGrantFields } from '../users/invite.tsx'
import { KeyStatus } from './list.tsx'
import { NAME } from './new.tsx'
import { accountsText } from './words.ts'

type Key = Schemas['APIKeyPair']
type ActProps = { readonly of: Key; readonly onClose: () => void }

const ACTS = { edit: Edit, switch: Switch, delete: Delete } as const

export function KeyDetail() {
  const { params } = useAddress()
  const key = useRead('GET /api-key-pairs/{api_key_pair_id}', {
    path: { api_key_pair_id: params['id'] ?? '' },
  })
  return <Loaded of={key}>{(it) => <Detail of={it} />}</Loaded>
}

function Detail({ of: it }: { readonly of: Key }) {
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
            <Roles of={it} />
            {may('api-logs.read') && <Requests callerId={it.id} />}
          </>
        }
        side={
          <Section title="Details">
            <Facts
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
          </Section>
        }
      />
      {Act && <Act of={it} onClose={() => setAct(undefined)} />}
    </Page>
  )
}

function Roles({ of: { roles } }: { readonly of: Key }) {
  return (
    <Section title="Roles">
      <ul className="entries">
        {roles.map(({ id, name, description }) => (
          <li key={id}>
            <div>
              <p>
                <Link to={`/settings/roles/${id}`} className="text-link">
                  {name}
                </Link>
              </p>
              <small>{description}</small>
            </div>
          </li>
        ))}
      </ul>
    </Section>
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
      outcome={({ display_name }) => ({ kind: 'done', title: `“${display_name}” was changed` })}
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
      outcome={() => ({ kind: 'done', title: active ? `“${name}” is disabled` : `“${name}” is active` })}
      onClose={onClose}
    />
  )
}

function Delete({ of: { id, display_name: name }, onClose }: ActProps) {
  const { go } = useAddress()
  return (
    <Ask
      title={`Delete ${name}`}
      verb="Delete"
      isDangerous
      says="Programs that use it are refused at once, for good. To see what would break, disable it first."
      send={() => send('DELETE /api-key-pairs/{api_key_pair_id}', { path: { api_key_pair_id: id } })}
      outcome={() => ({ kind: 'done', title: `“${name}” was deleted` })}
      onDone={() => go('/developers/keys')}
      deletedId={id}
      onClose={onClose}
    />
  )
}
