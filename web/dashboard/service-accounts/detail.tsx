import { useState } from 'react'
import { useAddress } from '../address.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, LinkButton } from '../parts/controls.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, When } from '../parts/values.tsx'
import { Credentials } from './credentials.tsx'
import type { Account, Kind } from './kind.ts'
import { ActiveMark } from './list.tsx'
import { WebhookAddress } from './webhook-address.tsx'

type Props<One extends Account> = { readonly kind: Kind<One> }
type OneProps<One extends Account> = Props<One> & { readonly account: One }

export function AccountDetail<One extends Account>({ kind }: Props<One>) {
  const { params } = useAddress()
  const account = kind.useOne(params['id'] ?? '')
  return <Loaded of={account}>{(it) => <Detail key={it.id} kind={kind} account={it} />}</Loaded>
}

function Detail<One extends Account>({ kind, account }: OneProps<One>) {
  const may = useMay()
  const definitions = kind.useDefinitions(may(`${kind.definitionScope}.read`)).data ?? []
  const id = kind.definitionOf(account)
  const definition = definitions.find((one) => one.id === id)
  return (
    <Page
      title={account.display_name}
      back={{ to: kind.path, label: kind.title }}
      under={
        <>
          <ActiveMark active={account.active} />
          <span>{definition?.display_name ?? id}</span>
        </>
      }
      actions={
        may(`${kind.scope}.write`) && (
          <Actions kind={kind} account={account} canEdit={definition !== undefined} />
        )
      }
    >
      <Columns
        main={
          <>
            {definition && (
              <Credentials
                title={`Account at ${definition.display_name}`}
                known={definition.fields}
                kept={account.fields}
                secrets={account.secret_fields}
              />
            )}
            {account.webhook_url && kind.webhookHint && (
              <WebhookAddress url={account.webhook_url} hint={kind.webhookHint} />
            )}
          </>
        }
        side={
          <Section title="Details">
            <Facts
              facts={[
                ['Id', <Id key="id" value={account.id} isShort />],
                ...kind.facts(account),
                ['Created', <When key="created" at={account.created_at} />],
                ['Updated', <When key="changed" at={account.updated_at} />],
              ]}
            />
          </Section>
        }
      />
    </Page>
  )
}

function Actions<One extends Account>({
  kind,
  account,
  canEdit,
}: OneProps<One> & { readonly canEdit: boolean }) {
  const [act, setAct] = useState<'switch' | 'delete'>()
  const close = () => setAct(undefined)
  return (
    <>
      <Button onClick={() => setAct('delete')}>Delete</Button>
      <Button onClick={() => setAct('switch')}>{account.active ? 'Deactivate' : 'Activate'}</Button>
      {canEdit && (
        <LinkButton tone="main" to={`${kind.path}/${account.id}/edit`}>
          Edit
        </LinkButton>
      )}
      {act === 'switch' && <Switch kind={kind} account={account} onClose={close} />}
      {act === 'delete' && <Delete kind={kind} account={account} onClose={close} />}
    </>
  )
}

type ActProps<One extends Account> = OneProps<One> & { readonly onClose: () => void }

function Switch<One extends Account>({ kind, account, onClose }: ActProps<One>) {
  const { id, display_name: name, active } = account
  const verb = active ? 'Deactivate' : 'Activate'
  return (
    <Ask
      title={`${verb} ${name}`}
      verb={verb}
      says={active ? kind.whenInactive : kind.whenActive}
      send={() => kind.update(id, { active: !active })}
      outcome={() => ({ kind: 'done', title: `${name} is ${active ? 'inactive' : 'active'}` })}
      onClose={onClose}
    />
  )
}

function Delete<One extends Account>({ kind, account, onClose }: ActProps<One>) {
  const { go } = useAddress()
  const { id, display_name: name } = account
  return (
    <Ask
      title={`Delete ${name}`}
      verb="Delete"
      isDangerous
      says={kind.whenDeleted}
      send={() => kind.remove(id)}
      outcome={() => ({ kind: 'done', title: `${name} was deleted` })}
      onDone={() => go(kind.path)}
      deletedId={id}
      onClose={onClose}
    />
  )
}
