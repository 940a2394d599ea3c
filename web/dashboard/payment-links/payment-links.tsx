import { useState } from 'react'
import { CURRENCIES } from '../../../server/src/domain/currency.ts'
import { LOCALES } from '../../../server/src/domain/locale.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { BuyerLink, nameOf, useBuyerField } from '../buyers/names.tsx'
import { Ask, Form } from '../parts/ask.tsx'
import { Button, CopyButton, LinkButton } from '../parts/controls.tsx'
import { countryName, countryOptions } from '../parts/countries.ts'
import { type Field, field, readValues, type Typed } from '../parts/fields.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column, Table } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Columns, FactCard, JsonCard, Loaded, type Of, Page, pageOf, Section } from '../parts/page.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import { type Fact, Id, Marked, type Marks, Money, moneyText, optionsOf, When } from '../parts/values.tsx'
import { notify } from '../shell/notices.tsx'
import { PaymentsOf } from '../transactions/payments-of.tsx'
import './payment-links.css'

export const pages = {
  '/': PaymentLinkList,
  '/new': NewPaymentLink,
  '/$id': pageOf('GET /payment-links/{payment_link_id}', Detail),
}

const LINK_STATUSES: Marks<Schemas['PaymentLink']['status']> = {
  active: { tone: 'info', label: 'Open' },
  processing: { tone: 'wait', label: 'Being paid' },
  completed: { tone: 'good', label: 'Paid' },
  expired: { tone: 'mute', label: 'Expired' },
}

/** What the page asks of the buyer, in the order in which it does. */
const ASKS: Readonly<Record<PaymentLink['required_fields'][number], string>> = {
  email_address: 'E-mail address',
  name: 'Name',
  phone_number: 'Phone number',
  billing_address: 'Billing address',
  shipping_address: 'Delivery address',
}

const LIST = { to: '/payment-links', label: 'Payment links' }

type Row = RowOf<'GET /payment-links'>

function PaymentLinkList() {
  const may = useMay()
  const add = may('payment-links.write') && (
    <LinkButton to="/payment-links/new" tone="main" icon="plus">
      New payment link
    </LinkButton>
  )
  return (
    <Page title="Payment links" actions={add}>
      <List
        name="payment-links"
        route="GET /payment-links"
        filters={FILTERS}
        views={VIEWS}
        columns={COLUMNS}
        to={({ id }) => `/payment-links/${id}`}
        empty={{
          title: 'No payment links yet',
          text: 'A payment link is a page where one person pays one amount. Create one, then send the link or show its QR code. No shop needed.',
          action: add,
        }}
      />
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  filterBy('choice', 'status', 'Status', { isUsual: true, options: optionsOf(LINK_STATUSES) }),
  filterBy('period', 'created_at', 'Created', { isUsual: true }),
  filterBy('amount', 'amount', 'Amount', { isUsual: true }),
  filterBy('choice', 'currency', 'Currency', {
    isUsual: true,
    options: CURRENCIES.map((value) => ({ value, label: value })),
  }),
  filterBy('text', 'buyer_search', 'Buyer', { isUsual: true, isMany: true, hint: 'Name, e-mail, id' }),
  filterBy('period', 'updated_at', 'Updated'),
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  ...Object.entries(LINK_STATUSES).map(([status, { label }]) => ({ label, search: { status } })),
]

const COLUMNS: readonly Column<Row>[] = [
  column('amount', 'Amount', { money: (row) => row }),
  column('currency', 'Currency', { isExtra: true, text: 'currency' }),
  column('status', 'Status', { status: ({ status }) => LINK_STATUSES[status] }),
  column('reference', 'Your reference', { from: 'tablet', look: 'clip mono', text: 'external_identifier' }),
  column('buyer', 'Buyer', { from: 'tablet', look: 'clip', text: ({ buyer }) => buyer && nameOf(buyer) }),
  column('expires_at', 'Expires', {
    from: 'desktop',
    cell: ({ expires_at }) => expires_at && <When at={expires_at} />,
    text: 'expires_at',
  }),
  column('id', 'Id', { isExtra: true, look: 'mono', text: 'id' }),
  column('created_at', 'Created', { isTime: true, text: 'created_at' }),
]

type PaymentLink = Schemas['PaymentLink']

function Detail({ of: link }: Of<PaymentLink>) {
  const may = useMay()
  const [isExpiring, setExpiring] = useState(false)
  return (
    <Page
      title={`Payment link for ${moneyText(link.amount, link.currency)}`}
      heading={<Money amount={link.amount} currency={link.currency} />}
      back={LIST}
      under={
        <>
          <Marked of={LINK_STATUSES[link.status]} />
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
            <FactCard title="Details" facts={factsOf(link)} />
            <JsonCard of={link} />
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
      <Table label="Items: rows" rows={cart_items ?? []} columns={itemColumns(currency)} />
    </Section>
  )
}

function itemColumns(currency: string): readonly Column<Line>[] {
  return [
    column('name', 'Name', { look: 'clip', text: 'name' }),
    column('quantity', 'Quantity', { isNumber: true, text: 'quantity' }),
    column('unit_amount', 'Price', {
      isNumber: true,
      money: ({ unit_amount }) => ({ amount: unit_amount, currency }),
    }),
  ]
}

function factsOf(link: PaymentLink): readonly Fact[] {
  return [
    ['Id', <Id key="id" value={link.id} isShort />],
    ['Your reference', link.external_identifier && <Id key="reference" value={link.external_identifier} />],
    ['Buyer', link.buyer && <Buyer key="buyer" of={link.buyer} />],
    ['Country', countryName(link.country)],
    ['Capture', link.intent === 'capture' ? 'Automatic' : 'Manual'],
    ['Card', link.store ? 'Stored' : 'Not stored'],
    ['The buyer is asked for', asked(link)],
    ['Language', link.locale],
    ['Message', link.merchant_message],
    ['Return URL', link.return_url],
    ['Expires', link.expires_at && <When key="expires" at={link.expires_at} />],
    ['Created', <When key="created" at={link.created_at} />],
  ]
}

function asked({ required_fields }: PaymentLink): string {
  const wanted: readonly string[] = required_fields
  return Object.entries(ASKS)
    .flatMap(([name, label]) => (wanted.includes(name) ? label : []))
    .join(', ')
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
      outcome={`The link for ${amount} has expired`}
      onClose={onClose}
    />
  )
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' })

type Line = { readonly name: string; readonly quantity: number; readonly unit_amount: number }

/** A page, because it has many questions. It begins with the currency and country of the newest link. */
function NewPaymentLink() {
  const newest = useRead('GET /payment-links', { query: { limit: 1 } })
  return (
    <Page title="New payment link" back={LIST}>
      <Columns
        main={<Loaded of={newest}>{({ items: [last] }) => <LinkForm last={last} />}</Loaded>}
        side={
          <Section title="How it works">
            <ol className="steps">
              <li>You get a link and a QR code.</li>
              <li>The buyer opens it and pays by card or any other method you accept.</li>
              <li>The payment appears under Transactions and on the link’s page.</li>
            </ol>
          </Section>
        }
      />
    </Page>
  )
}

function LinkForm({ last }: { readonly last: Schemas['PaymentLink'] | undefined }) {
  const { go } = useAddress()
  const buyer = useBuyerField()
  const initial = { currency: last?.currency ?? 'USD', country: last?.country ?? 'US', intent: 'capture' }
  return (
    <Section title="The payment">
      <Form
        fields={(typed) => fieldsOf(typed, buyer)}
        initial={initial}
        verb="Create link"
        send={(body, idempotencyKey) => {
          const lines = body['cart_items'] as readonly Line[] | undefined
          const request = {
            ...body,
            ...(lines && { amount: totalOf(lines) }),
          } as Schemas['PaymentLinkCreate']
          return send('POST /payment-links', { body: request, idempotencyKey })
        }}
        onDone={({ id, amount, currency }) => {
          notify({ title: `The link for ${moneyText(amount, currency)} is ready` })
          go(`/payment-links/${id}`)
        }}
        onCancel={() => go(LIST.to)}
      />
    </Section>
  )
}

/** A cart says what the amount is; without one, the person does. */
function fieldsOf(typed: Typed, buyer: Field): readonly Field[] {
  const currency = String(typed['currency'] || 'USD')
  const cart = cartField(currency)
  const lines = readValues([cart], typed).values['cart_items'] as readonly Line[] | undefined
  const isWhole = lines?.every((line) => line.quantity && line.unit_amount !== undefined)
  return [
    field('currency', 'currency', 'Currency', { isRequired: true, isHalf: true }),
    field('choice', 'country', 'Buyer’s country', {
      options: countryOptions(),
      isRequired: true,
      isHalf: true,
    }),
    ...(lines ? [] : [field('money', 'amount', 'Amount', { currency, isRequired: true })]),
    { ...cart, ...(lines && isWhole && { hint: `Total: ${moneyText(totalOf(lines), currency)}` }) },
    ...TERMS,
    buyer,
    field('flag', 'store', 'Store the card for later payments'),
    ...PAGE,
  ]
}

function cartField(currency: string): Field {
  return field('rows', 'cart_items', 'Items', {
    addLabel: 'Add item',
    hint: 'Optional. The items add up to the amount.',
    columns: [
      field('text', 'name', 'Name', { isRequired: true }),
      field('number', 'quantity', 'Quantity', { min: 1, isRequired: true }),
      field('money', 'unit_amount', 'Price', { currency, isRequired: true }),
    ],
  })
}

function totalOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { quantity, unit_amount }) => sum + quantity * unit_amount, 0)
}

const TERMS: readonly Field[] = [
  field('choice', 'intent', 'Capture', {
    isRequired: true,
    isHalf: true,
    options: [
      { value: 'capture', label: 'Automatic: capture at once' },
      { value: 'authorize', label: 'Manual: authorize now, capture later' },
    ],
  }),
  field('moment', 'expires_at', 'Expires', { isHalf: true, hint: 'Defaults to 24 hours' }),
  field('text', 'external_identifier', 'Your reference', { hint: 'Also set on the payment' }),
]

const PAGE: readonly Field[] = [
  field('choice', 'locale', 'Language', {
    heading: 'Payment page',
    hint: 'Defaults to the browser’s language',
    options: LOCALES.map((value) => ({ value, label: LANGUAGES.of(value) ?? value })),
  }),
  field('choices', 'required_fields', 'Ask the buyer for', {
    hint: 'What the buyer above has already is not asked again.',
    options: Object.entries(ASKS).map(([value, label]) => ({ value, label })),
  }),
  field('long-text', 'merchant_message', 'Message to the buyer'),
  field('url', 'return_url', 'Return URL after payment', { placeholder: 'https://' }),
]
