import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { field } from '../parts/fields.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { Columns, FactCard, Loaded, type Of, Page, pageOf, Section } from '../parts/page.tsx'
import { Id, When } from '../parts/values.tsx'
import { SETTINGS, schemeText, THREE_DS } from './fields.ts'

export const pages = {
  '/': AccountList,
  '/$id': pageOf('GET /merchant-accounts/{merchant_account_id}', Detail),
}

type Row = RowOf<'GET /merchant-accounts'>

function AccountList() {
  const may = useMay()
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title="Merchant accounts"
      actions={
        may('merchant-accounts.write') && (
          <Button tone="main" icon="plus" onClick={() => setCreating(true)}>
            New account
          </Button>
        )
      }
    >
      <List
        name="merchant-accounts"
        route="GET /merchant-accounts"
        columns={COLUMNS}
        to={({ id }) => `/settings/accounts/${id}`}
        empty={{ title: 'No merchant accounts' }}
      />
      {isCreating && <Create onClose={() => setCreating(false)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  column('display_name', 'Name', { text: 'display_name' }),
  column('id', 'Id', { cell: ({ id }) => <code>{id}</code>, text: 'id' }),
  column('created_at', 'Created', { from: 'tablet', isTime: true, text: 'created_at' }),
]

function Create({ onClose }: { readonly onClose: () => void }) {
  const { go } = useAddress()
  return (
    <Ask
      title="New merchant account"
      verb="Create"
      says="Each account has its own payments, buyers and services. Users and keys can be limited to certain accounts."
      fields={[
        field('text', 'id', 'Id', {
          isRequired: true,
          hint: 'Lowercase letters, digits and hyphens. It cannot be changed later.',
        }),
        ...SETTINGS,
      ]}
      send={(body, idempotencyKey) =>
        send('POST /merchant-accounts', { body: body as Schemas['CreateMerchantAccount'], idempotencyKey })
      }
      outcome={({ display_name }) => `${display_name} was created`}
      onDone={({ id }) => go(`/settings/accounts/${id}`)}
      onClose={onClose}
    />
  )
}

type Account = Schemas['MerchantAccount']

function Detail({ of: account }: Of<Account>) {
  const may = useMay()
  const [isEditing, setEditing] = useState(false)
  const canChange = may('merchant-accounts.write')
  const { over_capture_amount: amount, over_capture_percentage: percentage } = account
  return (
    <Page
      title={account.display_name}
      back={{ to: '/settings/accounts', label: 'Merchant accounts' }}
      under={<Id value={account.id} />}
      actions={
        canChange && (
          <Button tone="main" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
    >
      <Columns
        main={<ThreeDS accountId={account.id} canChange={canChange} />}
        side={
          <FactCard
            title="Details"
            facts={[
              ['Over-capture', percentage !== null && `${percentage} %`],
              ['Over-capture, in cents', amount !== null && String(amount)],
              ['Account updater', account.account_updater_enabled ? 'Yes' : 'No'],
              ['Provision network tokens', account.async_network_tokens_enabled ? 'Yes' : 'No'],
              ['Created', <When key="created" at={account.created_at} />],
              ['Updated', <When key="changed" at={account.updated_at} />],
            ]}
          />
        }
      />
      {isEditing && (
        <Ask
          title={`Edit ${account.display_name}`}
          verb="Save"
          says="Applies to new payments."
          fields={SETTINGS}
          initial={account}
          send={(body) =>
            send('PUT /merchant-accounts/{merchant_account_id}', {
              path: { merchant_account_id: account.id },
              body: body as Schemas['UpdateMerchantAccount'],
            })
          }
          outcome={({ display_name }) => `${display_name} was changed`}
          onClose={() => setEditing(false)}
        />
      )}
    </Page>
  )
}

type Configuration = Schemas['ThreeDSConfiguration']
type Act = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete'; readonly of: Configuration }
type Props = { readonly accountId: string; readonly canChange: boolean }

/** How the account is known to the schemes that authenticate buyers. */
function ThreeDS({ accountId, canChange }: Props) {
  const path = { merchant_account_id: accountId }
  const configurations = useRead('GET /merchant-accounts/{merchant_account_id}/three-ds-configurations', {
    path,
  })
  const [act, setAct] = useState<Act>()
  return (
    <Section
      title="3-D Secure"
      actions={
        canChange && (
          <Button icon="plus" onClick={() => setAct({ kind: 'new' })}>
            Add a scheme
          </Button>
        )
      }
    >
      <Loaded of={configurations}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">None yet. Buyers authenticate only for the schemes listed here.</p>
          ) : (
            <ul className="entries">
              {items.map((one) => (
                <Line key={one.id} of={one} canChange={canChange} onAct={setAct} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {act?.kind === 'delete' && (
        <Delete accountId={accountId} of={act.of} onClose={() => setAct(undefined)} />
      )}
      {act && act.kind !== 'delete' && (
        <Save
          accountId={accountId}
          of={act.kind === 'edit' ? act.of : undefined}
          onClose={() => setAct(undefined)}
        />
      )}
    </Section>
  )
}

type LineProps = {
  readonly of: Configuration
  readonly canChange: boolean
  readonly onAct: (act: Act) => void
}

function Line({ of, canChange, onAct }: LineProps) {
  const { scheme, currency, merchant_name, merchant_acquirer_id } = of
  return (
    <li>
      <div>
        <p>
          {schemeText(scheme)} {currency && <small>for {currency}</small>}
        </p>
        <small>
          {merchant_name} · {merchant_acquirer_id} at the acquirer
        </small>
      </div>
      {canChange && (
        <div className="actions">
          <Button onClick={() => onAct({ kind: 'edit', of })}>Edit</Button>
          <Button onClick={() => onAct({ kind: 'delete', of })}>Remove</Button>
        </div>
      )}
    </li>
  )
}

type SaveProps = {
  readonly accountId: string
  readonly of: Configuration | undefined
  readonly onClose: () => void
}

function Save({ accountId, of, onClose }: SaveProps) {
  const path = { merchant_account_id: accountId }
  return (
    <Ask
      title={of ? `Edit ${schemeText(of.scheme)} for 3-D Secure` : 'Add a scheme for 3-D Secure'}
      verb="Save"
      says="You get these from your acquirer. With wrong values, banks refuse to authenticate buyers."
      fields={THREE_DS}
      initial={of ?? {}}
      send={(body, idempotencyKey) =>
        of
          ? send(
              'PUT /merchant-accounts/{merchant_account_id}/three-ds-configurations/{three_ds_configuration_id}',
              {
                path: { ...path, three_ds_configuration_id: of.id },
                body: body as Schemas['UpdateThreeDSConfiguration'],
              },
            )
          : send('POST /merchant-accounts/{merchant_account_id}/three-ds-configurations', {
              path,
              body: { metadata: {}, ...body } as Schemas['CreateThreeDSConfiguration'],
              idempotencyKey,
            })
      }
      outcome={({ scheme }) => `${schemeText(scheme)} was saved`}
      onClose={onClose}
    />
  )
}

function Delete({ accountId, of, onClose }: SaveProps & { readonly of: Configuration }) {
  const name = schemeText(of.scheme)
  return (
    <Ask
      title={`Remove ${name} from 3-D Secure`}
      verb="Remove"
      isDangerous
      says={`Buyers who pay with ${name} no longer authenticate.`}
      send={() =>
        send(
          'DELETE /merchant-accounts/{merchant_account_id}/three-ds-configurations/{three_ds_configuration_id}',
          { path: { merchant_account_id: accountId, three_ds_configuration_id: of.id } },
        )
      }
      outcome={`${name} was removed`}
      onClose={onClose}
    />
  )
}
