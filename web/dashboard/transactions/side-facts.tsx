import type { Schemas } from '../../api/schema.d.ts'
import { BuyerLink } from '../buyers/buyer-link.tsx'
import { countryName } from '../parts/countries.ts'
import { Section } from '../parts/page.tsx'
import { type Fact, Facts, Id, Money, moneyText, When } from '../parts/values.tsx'
import { SandboxCard } from '../sandbox/levers.tsx'
import { PaidWith } from './paid-with.tsx'
import { answerOf, isRefused } from './standing.ts'
import { buyerName } from './who.ts'
import { plain, sourceName } from './words.ts'

type Props = { readonly of: Schemas['Transaction'] }

/** What is known about a payment, beside what happened to it. */
export function SideFacts({ of: it }: Props) {
  return (
    <>
      <Method of={it} />
      <Buyer of={it} />
      <Tenders of={it} />
      <ThreeDSecure of={it} />
      <Processing of={it} />
      <Order of={it} />
      <SandboxCard of={it} />
    </>
  )
}

function Method({ of: it }: Props) {
  const { payment_method: method } = it
  return (
    <Section title="Payment method">
      <Facts
        facts={[
          ['Paid with', <PaidWith key="method" of={it} />],
          ['Expires', method?.expiration_date],
          ['Type', method?.details?.card_type && plain(method.details.card_type)],
          ['Issuer', method?.details?.card_issuer_name],
          ['Country', method?.country && countryName(method.country)],
          ['Security code', it.cvv_response_code && plain(it.cvv_response_code)],
          ['Address', it.avs_response_code && plain(it.avs_response_code)],
          ['Stored as', method?.id && <Id key="id" value={method.id} isShort />],
        ]}
      />
    </Section>
  )
}

function Buyer({ of: it }: Props) {
  const { buyer } = it
  const { email_address, phone_number, address } = buyer?.billing_details ?? {}
  const name = buyerName(it)
  return (
    <Section title="Buyer">
      <Facts
        facts={[
          [
            'Name',
            buyer?.id && name ? <BuyerLink key="name" id={buyer.id} name={name} /> : (name ?? 'Guest'),
          ],
          ['E-mail', email_address !== name && email_address],
          ['Phone', phone_number],
          ['Reference', buyer?.external_identifier !== name && buyer?.external_identifier],
          ['Address', address && addressText(address)],
          ['Id', buyer?.id && <Id key="id" value={buyer.id} isShort />],
        ]}
      />
    </Section>
  )
}

function addressText({ line1, line2, postal_code, city, state, country }: Schemas['Address']): string {
  return [line1, line2, [postal_code, city].filter(Boolean).join(' '), state, country && countryName(country)]
    .filter(Boolean)
    .join(', ')
}

/** The gift cards that paid a part, and how much is left for the method. */
function Tenders({ of: { gift_card_redemptions: gifts, currency } }: Props) {
  if (gifts.length === 0) return null
  return (
    <Section title="Gift cards">
      <Facts
        facts={gifts.map(
          ({ id, gift_card, amount, refunded_amount, status, error_code }): Fact => [
            `•••• ${gift_card.last4}`,
            <span key={id}>
              <Money amount={amount} currency={currency} /> {plain(error_code ?? status)}
              {refunded_amount > 0 && `, ${moneyText(refunded_amount, currency)} refunded`}
            </span>,
          ],
        )}
      />
    </Section>
  )
}

function ThreeDSecure({ of: { three_d_secure: it } }: Props) {
  if (!it) return null
  const { response_data: data, error_data: error } = it
  return (
    <Section title="3-D Secure">
      <Facts
        facts={[
          ['Outcome', it.status && plain(it.status)],
          ['Method', it.method && plain(it.method)],
          ['Version', it.version],
          ['ECI', data?.eci],
          ['Reason', error && (error.description ?? error.code)],
          ['Detail', error?.detail],
        ]}
      />
    </Section>
  )
}

function Processing({ of: it }: Props) {
  return (
    <Section title="Processing">
      <Facts
        facts={[
          ['Service', it.payment_service?.display_name],
          // Of a payment that was refused, the notice at the top says both.
          ['Answer', !isRefused(it) && answerOf(it)],
          ['Reason', !isRefused(it) && it.error_code && plain(it.error_code)],
          ['Anti-fraud', it.anti_fraud_decision && plain(it.anti_fraud_decision)],
          ['Source', sourceName(it.payment_source)],
          ['Started by', it.merchant_initiated && 'The merchant'],
          ['Settled', it.settled && it.settled_currency && moneyText(it.settled_amount, it.settled_currency)],
          [
            'Id at the service',
            it.payment_service_transaction_id && (
              <Id key="service" value={it.payment_service_transaction_id} isShort />
            ),
          ],
          ['Reconciliation', <Id key="reconciliation" value={it.reconciliation_id} isShort />],
          ['Transaction', <Id key="id" value={it.id} isShort />],
        ]}
      />
    </Section>
  )
}

function Order({ of: it }: Props) {
  const facts: Fact[] = [
    ['Country', it.country && countryName(it.country)],
    ['Description', it.statement_descriptor?.name],
    ...(it.cart_items ?? []).map(
      ({ name, quantity, unit_amount }): Fact => [
        `${quantity} × ${name}`,
        moneyText(unit_amount * quantity, it.currency),
      ],
    ),
    ...Object.entries(it.metadata ?? {}),
    ['Authorized', it.authorized_at && <When key="authorized" at={it.authorized_at} />],
    ['Captured', it.captured_at && <When key="captured" at={it.captured_at} />],
    ['Voided', it.voided_at && <When key="voided" at={it.voided_at} />],
    ['Updated', <When key="updated" at={it.updated_at} />],
  ]
  return (
    <Section title="Order">
      <Facts facts={facts} />
    </Section>
  )
}
