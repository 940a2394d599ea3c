import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Address, BuyerLink, nameOf } from '../buyers/names.tsx'
import { Ask, type Outcome } from '../parts/ask.tsx'
import { Link, LinkButton } from '../parts/controls.tsx'
import { type Field, field, type Option, type Typed } from '../parts/fields.tsx'
import { type Filter, filterBy } from '../parts/list/filters.ts'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import type { QuickView } from '../parts/list/views.tsx'
import { Columns, FactCard, JsonCard, Loaded, Notice, type Of, Page, pageOf } from '../parts/page.tsx'
import { type Fact, Id, Marked, type Marks, Money, moneyText, optionsOf, When } from '../parts/values.tsx'
import { Instrument, instrumentText } from '../payment-methods/instrument.tsx'
import { METHOD_COLUMNS, METHOD_FILTERS } from '../payment-methods/list.tsx'

export const pages = {
  '/': PayoutList,
  '/new': NewPayout,
  '/new/$card': NewPayout,
  '/$id': pageOf('GET /payouts/{payout_id}', Detail),
}

const PAYOUT_STATUSES: Marks<Schemas['Payout']['status']> = {
  pending: { tone: 'wait', label: 'Waiting' },
  succeeded: { tone: 'good', label: 'Sent' },
  declined: { tone: 'bad', label: 'Declined' },
  failed: { tone: 'bad', label: 'Failed' },
}

const LIST = { to: '/payouts', label: 'Payouts' }

type Row = RowOf<'GET /payouts'>

function PayoutList() {
  const may = useMay()
  const add = may('payouts.write') && may('payment-methods.read') && (
    <LinkButton to="/payouts/new" tone="main" icon="plus">
      New payout
    </LinkButton>
  )
  return (
    <Page title="Payouts" actions={add}>
      <List
        name="payouts"
        route="GET /payouts"
        filters={FILTERS}
        views={VIEWS}
        columns={COLUMNS}
        to={({ id }) => `/payouts/${id}`}
        empty={{
          title: 'No payouts yet',
          text: 'A payout sends money to a card: winnings, earnings, or a refund without a payment. Choose a stored card to start.',
          action: add,
        }}
      />
    </Page>
  )
}

const FILTERS: readonly Filter[] = [
  filterBy('choice', 'status', 'Status', { isUsual: true, options: optionsOf(PAYOUT_STATUSES) }),
  filterBy('period', 'created_at', 'Created', { isUsual: true }),
  filterBy('text', 'external_identifier', 'Your reference', { isUsual: true, hint: 'payout-1234' }),
  filterBy('text', 'payment_service_payout_id', 'Id at the service'),
  filterBy('period', 'updated_at', 'Updated'),
]

const VIEWS: readonly QuickView[] = [
  { label: 'All', search: {} },
  { label: 'Sent', search: { status: 'succeeded' } },
  { label: 'Waiting', search: { status: 'pending' } },
  { label: 'Not sent', search: { status: ['declined', 'failed'] } },
]

const COLUMNS: readonly Column<Row>[] = [
  column('amount', 'Amount', { money: (row) => row }),
  column('currency', 'Currency', { isExtra: true, text: 'currency' }),
  column('status', 'Status', { status: ({ status }) => PAYOUT_STATUSES[status] }),
  column('card', 'To', {
    from: 'tablet',
    cell: ({ payment_method }) => <Instrument of={payment_method} />,
    text: ({ payment_method }) => instrumentText(payment_method),
  }),
  column('buyer', 'Buyer', { from: 'tablet', look: 'clip', text: ({ buyer }) => buyer && nameOf(buyer) }),
  column('reference', 'Your reference', { from: 'desktop', look: 'clip mono', text: 'external_identifier' }),
  column('service', 'Service', {
    from: 'desktop',
    look: 'clip',
    text: ({ payment_service }) => payment_service.display_name,
  }),
  column('id', 'Id', { isExtra: true, look: 'mono', text: 'id' }),
  column('created_at', 'Created', { isTime: true, text: 'created_at' }),
]

type Payout = Schemas['Payout']

function Detail({ of: payout }: Of<Payout>) {
  return (
    <Page
      title={`Payout of ${moneyText(payout.amount, payout.currency)}`}
      heading={<Money amount={payout.amount} currency={payout.currency} />}
      back={LIST}
      under={
        <>
          <Marked of={PAYOUT_STATUSES[payout.status]} />
          <When at={payout.created_at} />
        </>
      }
    >
      <Columns
        main={
          <>
            <Explained payout={payout} />
            <FactCard title="Payout" facts={factsOf(payout)} />
            {payout.merchant && <FactCard title="On behalf of" facts={merchantFacts(payout.merchant)} />}
          </>
        }
        side={<JsonCard of={payout} />}
      />
    </Page>
  )
}

/** What the status means for the person who waits for the money. */
function Explained({ payout: { status, payment_service } }: { readonly payout: Payout }) {
  const service = payment_service.display_name
  if (status === 'pending')
    return (
      <Notice tone="wait" title="Waiting for the outcome">
        {service} has not said whether it sent the money. It is asked again by itself: do not send it a second
        time.
      </Notice>
    )
  if (status === 'succeeded') return null
  return (
    <Notice tone="bad" title={status === 'declined' ? 'The money was not sent' : 'The payout failed'}>
      {status === 'declined'
        ? `${service} declined it. Try another card, or ask the buyer to contact their bank.`
        : `${service} could not do it. Nothing was sent.`}
    </Notice>
  )
}

function factsOf(payout: Payout): readonly Fact[] {
  const { payment_method: method, buyer } = payout
  return [
    ['Id', <Id key="id" value={payout.id} />],
    [
      'Your reference',
      payout.external_identifier && <Id key="reference" value={payout.external_identifier} />,
    ],
    [
      'To',
      method.id === null ? (
        <Instrument key="to" of={method} />
      ) : (
        <Link key="to" to={`/payment-methods/${method.id}`} className="text-link">
          <Instrument of={method} />
        </Link>
      ),
    ],
    [
      'Buyer',
      buyer &&
        (buyer.id === null ? nameOf(buyer) : <BuyerLink key="buyer" id={buyer.id} name={nameOf(buyer)} />),
    ],
    ['Service', payout.payment_service.display_name],
    [
      'Id at the service',
      payout.payment_service_payout_id && <Id key="service" value={payout.payment_service_payout_id} />,
    ],
    ['Category', payout.category && 'Online gambling'],
    ['Updated', <When key="changed" at={payout.updated_at} />],
  ]
}

function merchantFacts(merchant: Schemas['PayoutMerchant']): readonly Fact[] {
  return [
    ['Name', merchant.name],
    ['Number', merchant.identification_number],
    ['Phone', merchant.phone_number],
    ['Website', merchant.url],
    ['Category code', merchant.merchant_category_code],
    ['Statement descriptor', merchant.statement_descriptor],
    ['Address', merchant.address && <Address key="address" of={merchant.address} />],
  ]
}

type Method = Schemas['PaymentMethod']

/** First the card, then the amount: the dialog opens over the list of cards. */
function NewPayout() {
  const { params } = useAddress()
  const may = useMay()
  return (
    <Page
      title="New payout"
      back={LIST}
      under={
        <span>
          Choose the card that gets the money.{' '}
          {may('buyers.read') && (
            <>
              Or find its owner among the{' '}
              <Link to="/buyers" className="text-link">
                buyers
              </Link>
              .
            </>
          )}
        </span>
      }
    >
      <List
        name="cards-for-payouts"
        route="GET /payment-methods"
        request={STORED}
        filters={METHOD_FILTERS.filter(({ id }) => id !== 'status')}
        columns={METHOD_COLUMNS.filter(({ id }) => id !== 'status')}
        to={({ id, mode }) => (mode === 'card' ? `/payouts/new/${id}` : null)}
        empty={{
          title: 'No stored cards',
          text: (
            <>
              Payouts go to stored cards. Send a payment with <code>"store": true</code> to store its card, or
              pay out to a card by its number through the API.
            </>
          ),
        }}
      />
      {params['card'] && <ToCard id={params['card']} />}
    </Page>
  )
}

const STORED = { query: { status: ['succeeded'] } }

function ToCard({ id }: { readonly id: string }) {
  const method = useRead('GET /payment-methods/{payment_method_id}', { path: { payment_method_id: id } })
  const services = useRead('GET /payment-services', { query: { limit: 100 } })
  return (
    <Loaded of={method}>
      {(card) => (
        <Loaded of={services}>{({ items }) => <PayOut card={card} services={servicesOf(items)} />}</Loaded>
      )}
    </Loaded>
  )
}

/** Not all of them can pay out; the server says so of those that cannot. */
function servicesOf(services: readonly Schemas['PaymentService'][]): readonly Option[] {
  return services
    .filter(({ active, method, is_deleted }) => active && method === 'card' && !is_deleted)
    .map(({ id, display_name }) => ({ value: id, label: display_name }))
}

function PayOut({ card, services }: { readonly card: Method; readonly services: readonly Option[] }) {
  const { go } = useAddress()
  const name = instrumentText(card)
  const owner = card.buyer && nameOf(card.buyer)
  return (
    <Ask
      title={owner ? `Pay out to ${owner}, ${name}` : `Pay out to ${name}`}
      verb="Pay out"
      says={({ amount, currency }) =>
        typeof amount === 'number' && typeof currency === 'string' ? (
          <>
            Send <strong>{moneyText(amount, currency)}</strong> to {owner ?? 'the card'}. It cannot be taken
            back.
          </>
        ) : (
          'The money is sent to the card at once. It cannot be taken back.'
        )
      }
      fields={(typed) => fieldsOf(typed, services)}
      initial={{ currency: card.currency ?? 'USD', payment_service_id: services[0]?.value }}
      send={(body, idempotencyKey) => {
        const request = {
          ...(body as Pick<Schemas['PayoutCreate'], 'amount' | 'currency' | 'payment_service_id'>),
          payment_method: { method: 'id', id: card.id } as const,
          ...(card.buyer && { buyer_id: card.buyer.id }),
        }
        return send('POST /payouts', { body: request, idempotencyKey })
      }}
      outcome={outcomeOf}
      onDone={({ id }) => go(`/payouts/${id}`)}
      onClose={() => go('/payouts/new')}
    />
  )
}

function fieldsOf(typed: Typed, services: readonly Option[]): readonly Field[] {
  const currency = String(typed['currency'] || 'USD')
  return [
    field('money', 'amount', 'Amount', { currency, isRequired: true, isHalf: true }),
    field('currency', 'currency', 'Currency', { isRequired: true, isHalf: true }),
    field('choice', 'payment_service_id', 'Payment service', { options: services, isRequired: true }),
    field('text', 'external_identifier', 'Your reference'),
    field('choice', 'category', 'Category', {
      hint: 'Only if card scheme rules require it',
      options: [{ value: 'online_gambling', label: 'Winnings of online gambling' }],
    }),
  ]
}

function outcomeOf({ status, amount, currency }: Schemas['Payout']): Outcome {
  const money = moneyText(amount, currency)
  if (status === 'succeeded') return { kind: 'done', title: `${money} was sent` }
  if (status === 'pending')
    return {
      kind: 'waiting',
      title: `We do not know yet whether ${money} was sent`,
      text: 'The service has not answered. We keep asking; see the payout in the list.',
    }
  return {
    kind: 'refused',
    title: `${PAYOUT_STATUSES[status].label}: ${money} was not sent`,
    text: 'Try another card, or another payment service.',
  }
}
