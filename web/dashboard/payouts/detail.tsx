import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { Address } from '../buyers/address.tsx'
import { BuyerLink } from '../buyers/buyer-link.tsx'
import { nameOf } from '../buyers/words.ts'
import { Link } from '../parts/controls.tsx'
import { Columns, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { type Fact, Facts, Id, Json, Money, moneyText, Status, When } from '../parts/values.tsx'
import { Instrument } from '../payment-methods/instrument.tsx'
import { LIST, PAYOUT_STATUSES } from './words.ts'

type Payout = Schemas['Payout']

export function PayoutDetail() {
  const { params } = useAddress()
  const payout = useRead('GET /payouts/{payout_id}', { path: { payout_id: params['id'] ?? '' } })
  return <Loaded of={payout}>{(it) => <Detail payout={it} />}</Loaded>
}

function Detail({ payout }: { readonly payout: Payout }) {
  const { tone, label } = PAYOUT_STATUSES[payout.status]
  return (
    <Page
      title={`Payout of ${moneyText(payout.amount, payout.currency)}`}
      heading={<Money amount={payout.amount} currency={payout.currency} />}
      back={LIST}
      under={
        <>
          <Status tone={tone}>{label}</Status>
          <When at={payout.created_at} />
        </>
      }
    >
      <Columns
        main={
          <>
            <Explained payout={payout} />
            <Section title="Payout">
              <Facts facts={factsOf(payout)} />
            </Section>
            {payout.merchant && (
              <Section title="On behalf of">
                <Facts facts={merchantFacts(payout.merchant)} />
              </Section>
            )}
          </>
        }
        side={
          <Section title="JSON">
            <Json value={payout} openDepth={0} />
          </Section>
        }
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
