import { useState } from 'react'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, CopyButton } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { type Fact, Facts, Id, Status, When } from '../parts/values.tsx'
import { Domains } from './domains.tsx'
import { Keys } from './keys.tsx'
import {
  LIST,
  markOf,
  PATH,
  providerName,
  settingFields,
  valuesOf,
  type Wallet,
  withExtras,
} from './words.ts'

export function WalletDetail() {
  const { params } = useAddress()
  const path = { digital_wallet_id: params['id'] ?? '' }
  const wallet = useRead('GET /digital-wallets/{digital_wallet_id}', { path })
  return <Loaded of={wallet}>{(it) => <Detail key={it.id} wallet={it} />}</Loaded>
}

function Detail({ wallet }: { readonly wallet: Wallet }) {
  const may = useMay()
  const canChange = may('digital-wallets.write')
  const hasKeys = wallet.provider === 'apple' || wallet.provider === 'google'
  const { tone, label } = markOf(wallet)
  return (
    <Page
      title={providerName(wallet.provider)}
      back={LIST}
      under={
        <>
          <Status tone={tone}>{label}</Status>
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
        side={
          <Section title="Details">
            <Facts facts={factsOf(wallet)} />
          </Section>
        }
      />
    </Page>
  )
}

/** What pages send to Google, so that it knows for whom a token is. */
function AtProvider({ wallet }: { readonly wallet: Wallet }) {
  const { gateway, gateway_merchant_id: merchant, session_public_key: key } = wallet.fields ?? {}
  return (
    <Section title="For your checkout">
      <Facts
        facts={[
          ['Gateway', typeof gateway === 'string' && <Id key="gateway" value={gateway} />],
          ['Gateway merchant id', typeof merchant === 'string' && <Id key="merchant" value={merchant} />],
          ['Session key', typeof key === 'string' && <CopyButton key="key" text={key} label="Copy key" />],
        ]}
      />
    </Section>
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
  const { go } = useAddress()
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
          outcome={() => ({ kind: 'done', title: `${name} was changed` })}
          onClose={close}
        />
      )}
      {act === 'delete' && (
        <Ask
          title={`Delete ${name}`}
          verb="Delete"
          isDangerous
          says="Its button stops working on all pages. A wallet with active certificates cannot be deleted: delete its keys first."
          send={() => send('DELETE /digital-wallets/{digital_wallet_id}', { path })}
          outcome={() => ({ kind: 'done', title: `${name} was deleted` })}
          onDone={() => go(PATH)}
          deletedId={wallet.id}
          onClose={close}
        />
      )}
    </>
  )
}
