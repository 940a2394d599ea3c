import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { nameOf } from '../buyers/words.ts'
import { Ask, type Outcome } from '../parts/ask.tsx'
import { Link } from '../parts/controls.tsx'
import type { Field, Option, Typed } from '../parts/fields.tsx'
import { List } from '../parts/list/list.tsx'
import { Loaded, Page } from '../parts/page.tsx'
import { moneyText } from '../parts/values.tsx'
import { instrumentText } from '../payment-methods/instrument.tsx'
import { METHOD_COLUMNS, METHOD_FILTERS } from '../payment-methods/list.tsx'
import { LIST, PAYOUT_STATUSES } from './words.ts'

type Method = Schemas['PaymentMethod']

/** First the card, then the amount: the dialog opens over the list of cards. */
export function NewPayout() {
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
        <Loaded of={services}>{({ items }) => <PayOut card={card} services={optionsOf(items)} />}</Loaded>
      )}
    </Loaded>
  )
}

/** Not all of them can pay out; the server says so of those that cannot. */
function optionsOf(services: readonly Schemas['PaymentService'][]): readonly Option[] {
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
    { name: 'amount', label: 'Amount', kind: 'money', currency, isRequired: true, isHalf: true },
    { name: 'currency', label: 'Currency', kind: 'currency', isRequired: true, isHalf: true },
    {
      name: 'payment_service_id',
      label: 'Payment service',
      kind: 'choice',
      options: services,
      isRequired: true,
    },
    { name: 'external_identifier', label: 'Your reference', kind: 'text' },
    {
      name: 'category',
      label: 'Category',
      kind: 'choice',
      hint: 'Only if card scheme rules require it',
      options: [{ value: 'online_gambling', label: 'Winnings of online gambling' }],
    },
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
