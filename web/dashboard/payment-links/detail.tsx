import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { BuyerLink } from '../buyers/buyer-link.tsx'
import { nameOf } from '../buyers/words.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, CopyButton } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import { Table } from '../parts/list/table.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import { type Fact, Facts, Id, Json, Money, moneyText, Status, When } from '../parts/values.tsx'
import { PaymentsOf } from '../transactions/payments-of.tsx'
import { LINK_STATUSES, LIST } from './words.ts'

type PaymentLink = Schemas['PaymentLink']

export function PaymentLinkDetail() {
  const { params } = useAddress()
  const link = useRead('GET /payment-links/{payment_link_id}', {
    path: { payment_link_id: params['id'] ?? '' },
  })
  return <Loaded of={link}>{(it) => <Detail link={it} />}</Loaded>
}

function Detail({ link }: { readonly link: PaymentLink }) {
  const may = useMay()
  const [isExpiring, setExpiring] = useState(false)
  const { tone, label } = LINK_STATUSES[link.status]
  return (
    <Page
      title={`Payment link for ${moneyText(link.amount, link.currency)}`}
      heading={<Money amount={link.amount} currency={link.currency} />}
      back={LIST}
      under={
        <>
          <Status tone={tone}>{label}</Status>
          {link.expires_at && link.status === 'active' && (
            <span>
              Expires <When at={link.expires_at} />
            </span>
          )}
        </>
      }
      actions={
        may('payment-links.write') &&
        link.status === 'active' && <Button onClick={() => setExpiring(true)}>Expire now</Button>
      }
    >
      <Columns
        main={
          <>
            {link.status === 'active' && <Share link={link} />}
            <PaymentsOf
              filter={{ payment_link_id: link.id }}
              empty={
                link.status === 'active' ? 'Not paid yet. Send the link to the buyer.' : 'No payments yet.'
              }
            />
            {link.cart_items && link.cart_items.length > 0 && <Cart link={link} />}
          </>
        }
        side={
          <>
            <Section title="Details">
              <Facts facts={factsOf(link)} />
            </Section>
            <Section title="JSON">
              <Json value={link} openDepth={0} />
            </Section>
          </>
        }
      />
      {isExpiring && <Expire link={link} onClose={() => setExpiring(false)} />}
    </Page>
  )
}

function Share({ link }: { readonly link: PaymentLink }) {
  const amount = moneyText(link.amount, link.currency)
  return (
    <Section title="Send this to the buyer">
      <div className="link-share">
        <QrCode
          text={link.url}
          label={`QR code of the payment link for ${amount}`}
          file={`payment-link-${link.id}`}
        />
        <div className="link-share-address">
          <p className="mono">{link.url}</p>
          <div className="link-share-acts">
            <CopyButton text={link.url} label="Copy link" tone="main" />
            <a className="button plain" href={link.url} target="_blank" rel="noreferrer">
              Open the page
            </a>
          </div>
          <p className="hint">Anyone with this link can pay it once.</p>
        </div>
      </div>
    </Section>
  )
}

function Cart({ link: { cart_items, currency } }: { readonly link: PaymentLink }) {
  return (
    <Section title="Items" isFlush>
      <Table
        label="Items: rows"
        rows={cart_items ?? []}
        columns={[
          { id: 'name', title: 'Name', look: 'clip', text: ({ name }) => name },
          { id: 'quantity', title: 'Quantity', isNumber: true, cell: ({ quantity }) => quantity },
          {
            id: 'unit_amount',
            title: 'Price',
            isNumber: true,
            money: ({ unit_amount }) => ({ amount: unit_amount, currency }),
          },
        ]}
      />
    </Section>
  )
}

function factsOf(link: PaymentLink): readonly Fact[] {
  return [
    ['Id', <Id key="id" value={link.id} isShort />],
    ['Your reference', link.external_identifier && <Id key="reference" value={link.external_identifier} />],
    ['Buyer', link.buyer && <Buyer key="buyer" of={link.buyer} />],
    ['Country', countryName(link.country)],
    ['Capture', link.intent === 'capture' ? 'Automatic' : 'Manual'],
    ['Card', link.store ? 'Stored' : 'Not stored'],
    ['Language', link.locale],
    ['Message', link.merchant_message],
    ['Return URL', link.return_url],
    ['Expires', link.expires_at && <When key="expires" at={link.expires_at} />],
    ['Created', <When key="created" at={link.created_at} />],
  ]
}

function Buyer({ of: buyer }: { readonly of: Schemas['TransactionBuyer'] }) {
  if (buyer.id === null) return nameOf(buyer)
  return <BuyerLink id={buyer.id} name={nameOf(buyer)} />
}

function Expire({ link, onClose }: { readonly link: PaymentLink; readonly onClose: () => void }) {
  const path = { payment_link_id: link.id }
  const amount = moneyText(link.amount, link.currency)
  return (
    <Ask
      title={`Expire the link for ${amount}`}
      verb="Expire now"
      isDangerous
      says="It can no longer be paid. The buyer sees that it has expired. This cannot be undone."
      standing={{
        now: LINK_STATUSES[link.status].label,
        read: async () =>
          LINK_STATUSES[(await send('GET /payment-links/{payment_link_id}', { path })).status].label,
      }}
      send={(_body, idempotencyKey) =>
        send('POST /payment-links/{payment_link_id}/expire', { path, idempotencyKey })
      }
      outcome={() => ({ kind: 'done', title: `The link for ${amount} has expired` })}
      onClose={onClose}
    />
  )
}
