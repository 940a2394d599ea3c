import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask, Deletion } from '../parts/ask.tsx'
import { Button, CopyButton } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import { field } from '../parts/fields.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import { Columns, EmptyCard, FactCard, Loaded, type Of, Page, pageOf, Section } from '../parts/page.tsx'
import { type Fact, Id, Marked, When } from '../parts/values.tsx'
import { Keys } from './keys.tsx'
import {
  associationsOf,
  LIST,
  markOf,
  newFields,
  PATH,
  PROVIDERS,
  providerName,
  settingFields,
  valuesOf,
  type Wallet,
  withExtras,
} from './words.ts'
import './digital-wallets.css'

export const pages = { '/': WalletList, '/$id': pageOf('GET /digital-wallets/{digital_wallet_id}', Detail) }

function WalletList() {
  const may = useMay()
  const wallets = useRead('GET /digital-wallets', {})
  const [isAdding, setAdding] = useState(false)
  const taken = (wallets.data?.items ?? []).map(({ provider }) => provider)
  const isFull = taken.length >= Object.keys(PROVIDERS).length
  const add = may('digital-wallets.write') && wallets.data && !isFull && (
    <Button tone="main" icon="plus" onClick={() => setAdding(true)}>
      Register a wallet
    </Button>
  )
  return (
    <Page
      title="Digital wallets"
      under="Apple Pay, Google Pay and others: buyers pay without typing a card number."
      actions={add}
    >
      <Loaded of={wallets}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyCard title="No wallets yet" action={add}>
              Register Apple Pay, Google Pay, Click to Pay or Paze for this merchant account. The guide{' '}
              <a href="/docs/guide/digital-wallets">Digital wallets</a> explains what each needs.
            </EmptyCard>
          ) : (
            <div className="card flush table-card">
              <Table
                label="Digital wallets: rows"
                rows={items}
                columns={COLUMNS}
                to={({ id }) => `${PATH}/${id}`}
              />
            </div>
          )
        }
      </Loaded>
      {isAdding && <Register taken={taken} onClose={() => setAdding(false)} />}
    </Page>
  )
}

const COLUMNS: readonly Column<Wallet>[] = [
  column('provider', 'Wallet', { cell: ({ provider }) => providerName(provider) }),
  column('status', 'Status', { status: markOf }),
  column('merchant', 'Merchant', { from: 'tablet', look: 'clip', text: 'merchant_name' }),
  column('domains', 'Domains', {
    from: 'desktop',
    look: 'clip',
    text: ({ domain_names }) => domain_names.join(', '),
  }),
  column('created_at', 'Registered', { isTime: true, text: 'created_at' }),
]

type RegisterProps = { readonly taken: readonly Wallet['provider'][]; readonly onClose: () => void }

function Register({ taken, onClose }: RegisterProps) {
  const { go } = useAddress()
  return (
    <Ask
      title="Register a wallet"
      verb="Register"
      isWide
      says="A merchant account can have one wallet of each type."
      fields={newFields(taken)}
      send={(body, idempotencyKey) =>
        send('POST /digital-wallets', { body: body as Schemas['CreateDigitalWallet'], idempotencyKey })
      }
      outcome={({ provider }) => `${providerName(provider)} is registered`}
      onDone={({ id }) => go(`${PATH}/${id}`)}
      onClose={onClose}
    />
  )
}

function Detail({ of: wallet }: Of<Wallet>) {
  const may = useMay()
  const canChange = may('digital-wallets.write')
  const hasKeys = wallet.provider === 'apple' || wallet.provider === 'google'
  return (
    <Page
      title={providerName(wallet.provider)}
      back={LIST}
      under={
        <>
          <Marked of={markOf(wallet)} />
          <span>{wallet.merchant_name}</span>
        </>
      }
      actions={canChange && <Actions wallet={wallet} />}
    >
      <Columns
        main={
          <>
            {wallet.provider === 'apple' && <Domains wallet={wallet} canChange={canChange} />}
            {hasKeys && may('apple-pay-certificates.read') && <Keys wallet={wallet} />}
            {wallet.fields && <AtProvider wallet={wallet} />}
            {!hasKeys && (
              <Section title="Nothing else to set up">
                <p className="quiet-text">
                  {providerName(wallet.provider)} needs neither domains nor certificates. Pages open its
                  sessions with what is written here.
                </p>
              </Section>
            )}
          </>
        }
        side={<FactCard title="Details" facts={factsOf(wallet)} />}
      />
    </Page>
  )
}

/** What pages send to Google, so that it knows for whom a token is. */
function AtProvider({ wallet }: { readonly wallet: Wallet }) {
  const { gateway, gateway_merchant_id: merchant, session_public_key: key } = wallet.fields ?? {}
  return (
    <FactCard
      title="For your checkout"
      facts={[
        ['Gateway', typeof gateway === 'string' && <Id key="gateway" value={gateway} />],
        ['Gateway merchant id', typeof merchant === 'string' && <Id key="merchant" value={merchant} />],
        ['Session key', typeof key === 'string' && <CopyButton key="key" text={key} label="Copy key" />],
      ]}
    />
  )
}

function factsOf(wallet: Wallet): readonly Fact[] {
  const { merchant_country_code: country, extra_configuration: extra } = wallet
  const texts = Object.entries(extra ?? {}).filter(([, value]) => typeof value === 'string')
  return [
    ['Id', <Id key="id" value={wallet.id} isShort />],
    ['Name shown to buyers', wallet.merchant_display_name],
    ['Shop URL', wallet.merchant_url],
    ['Country', country && countryName(country)],
    ['Category (MCC)', wallet.merchant_category_code],
    ...texts.map(
      ([name, value]): Fact => [
        name,
        <span key={name} className="mono">
          {String(value)}
        </span>,
      ],
    ),
    ['Registered', <When key="created" at={wallet.created_at} />],
    ['Updated', <When key="changed" at={wallet.updated_at} />],
  ]
}

function Actions({ wallet }: { readonly wallet: Wallet }) {
  const [act, setAct] = useState<'edit' | 'delete'>()
  const close = () => setAct(undefined)
  const name = providerName(wallet.provider)
  const path = { digital_wallet_id: wallet.id }
  return (
    <>
      <Button onClick={() => setAct('delete')}>Delete</Button>
      <Button tone="main" onClick={() => setAct('edit')}>
        Edit
      </Button>
      {act === 'edit' && (
        <Ask
          title={`Edit ${name}`}
          verb="Save"
          isWide
          says="Buyers see the change from now on."
          fields={settingFields(wallet.provider)}
          initial={valuesOf(wallet)}
          send={(body) =>
            send('PUT /digital-wallets/{digital_wallet_id}', { path, body: withExtras(wallet, body) })
          }
          outcome={`${name} was changed`}
          onClose={close}
        />
      )}
      {act === 'delete' && (
        <Deletion
          id={wallet.id}
          name={name}
          says="Its button stops working on all pages. A wallet with active certificates cannot be deleted: delete its keys first."
          send={() => send('DELETE /digital-wallets/{digital_wallet_id}', { path })}
          list={PATH}
          onClose={close}
        />
      )}
    </>
  )
}

type Act = { readonly kind: 'add' } | { readonly kind: 'remove' | 'file'; readonly domain: string }
type Props = { readonly wallet: Wallet; readonly canChange: boolean }

/** The hosts of pages that show the button. Apple opens sessions for these alone. */
function Domains({ wallet, canChange }: Props) {
  const [act, setAct] = useState<Act>()
  const files = associationsOf(wallet)
  return (
    <Section
      title="Domains"
      actions={
        canChange && (
          <Button icon="plus" onClick={() => setAct({ kind: 'add' })}>
            Add a domain
          </Button>
        )
      }
    >
      {wallet.domain_names.length === 0 ? (
        <p className="quiet-text">None yet. The button works only on pages of these domains.</p>
      ) : (
        <ul className="entries">
          {wallet.domain_names.map((domain) => (
            <li key={domain}>
              <div>
                <p>{domain}</p>
                <small>
                  {files[domain] === undefined
                    ? 'Apple’s file is served by your own host'
                    : 'Apple’s file is served from here'}
                </small>
              </div>
              {canChange && (
                <div className="actions">
                  <Button onClick={() => setAct({ kind: 'file', domain })}>Apple’s file</Button>
                  <Button onClick={() => setAct({ kind: 'remove', domain })}>Remove</Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {act && <Change wallet={wallet} act={act} onClose={() => setAct(undefined)} />}
    </Section>
  )
}

type ChangeProps = { readonly wallet: Wallet; readonly act: Act; readonly onClose: () => void }

function Change({ wallet, act, onClose }: ChangeProps) {
  const path = { digital_wallet_id: wallet.id }
  if (act.kind === 'add')
    return (
      <Ask
        title="Add a domain"
        verb="Add"
        says="The domain of a page that shows the Apple Pay button."
        fields={[
          field('text', 'domain_name', 'Domain', {
            isRequired: true,
            placeholder: 'shop.example.com',
            hint: 'Without https://, path or port.',
          }),
        ]}
        send={(body, idempotencyKey) =>
          send('POST /digital-wallets/{digital_wallet_id}/domains', {
            path,
            body: { domain_name: String(body['domain_name']) },
            idempotencyKey,
          })
        }
        outcome="The domain was added"
        onClose={onClose}
      />
    )
  if (act.kind === 'file') return <AppleFile wallet={wallet} domain={act.domain} onClose={onClose} />
  return (
    <Ask
      title={`Remove ${act.domain}`}
      verb="Remove"
      isDangerous
      says="Apple Pay stops working on pages of this domain."
      send={() =>
        send('DELETE /digital-wallets/{digital_wallet_id}/domains', {
          path,
          body: { domain_name: act.domain },
        })
      }
      outcome={`${act.domain} was removed`}
      onClose={onClose}
    />
  )
}

type FileProps = { readonly wallet: Wallet; readonly domain: string; readonly onClose: () => void }

function AppleFile({ wallet, domain, onClose }: FileProps) {
  const path = { digital_wallet_id: wallet.id }
  return (
    <Ask
      title={`Apple’s file for ${domain}`}
      verb="Save"
      isWide
      says="Apple fetches this file to verify the domain. If the domain points to this server, the file is served from here. Leave empty if your own server has it."
      fields={[field('long-text', 'file', 'File content')]}
      initial={{ file: associationsOf(wallet)[domain] }}
      send={async ({ file }) => {
        // The extra settings are replaced as a whole, so they are read again just before.
        const now = await send('GET /digital-wallets/{digital_wallet_id}', { path })
        const { [domain]: _old, ...others } = associationsOf(now)
        const domain_associations = file === undefined ? others : { ...others, [domain]: file }
        return send('PUT /digital-wallets/{digital_wallet_id}', {
          path,
          body: { extra_configuration: { ...now.extra_configuration, domain_associations } },
        })
      }}
      outcome={`${domain} was changed`}
      onClose={onClose}
    />
  )
}
