import { LOCALES } from '../../../server/src/domain/locale.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useBuyerField } from '../buyers/find.ts'
import { Form } from '../parts/ask.tsx'
import { countryOptions } from '../parts/countries.ts'
import { type Field, readValues, type Typed } from '../parts/fields.tsx'
import { Columns, Loaded, Page, Section } from '../parts/page.tsx'
import { moneyText } from '../parts/values.tsx'
import { notify } from '../shell/notices.tsx'
import { LIST } from './words.ts'

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' })

type Line = { readonly name: string; readonly quantity: number; readonly unit_amount: number }

/** A page, because it has many questions. It begins with the currency and country of the newest link. */
export function NewPaymentLink() {
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
    { name: 'currency', label: 'Currency', kind: 'currency', isRequired: true, isHalf: true },
    {
      name: 'country',
      label: 'Buyer’s country',
      kind: 'choice',
      options: countryOptions(),
      isRequired: true,
      isHalf: true,
    },
    ...(lines
      ? []
      : [{ name: 'amount', label: 'Amount', kind: 'money', currency, isRequired: true } as const]),
    { ...cart, ...(lines && isWhole && { hint: `Total: ${moneyText(totalOf(lines), currency)}` }) },
    ...TERMS,
    buyer,
    { name: 'store', label: 'Store the card for later payments', kind: 'flag' },
    ...PAGE,
  ]
}

function cartField(currency: string): Field {
  return {
    name: 'cart_items',
    label: 'Items',
    kind: 'rows',
    addLabel: 'Add item',
    hint: 'Optional. The items add up to the amount.',
    columns: [
      { name: 'name', label: 'Name', kind: 'text', isRequired: true },
      { name: 'quantity', label: 'Quantity', kind: 'number', min: 1, isRequired: true },
      { name: 'unit_amount', label: 'Price', kind: 'money', currency, isRequired: true },
    ],
  }
}

function totalOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { quantity, unit_amount }) => sum + quantity * unit_amount, 0)
}

const TERMS: readonly Field[] = [
  {
    name: 'intent',
    label: 'Capture',
    kind: 'choice',
    isRequired: true,
    isHalf: true,
    options: [
      { value: 'capture', label: 'Automatic: capture at once' },
      { value: 'authorize', label: 'Manual: authorize now, capture later' },
    ],
  },
  { name: 'expires_at', label: 'Expires', kind: 'moment', isHalf: true, hint: 'Defaults to 24 hours' },
  { name: 'external_identifier', label: 'Your reference', kind: 'text', hint: 'Also set on the payment' },
]

const PAGE: readonly Field[] = [
  {
    name: 'locale',
    label: 'Language',
    kind: 'choice',
    heading: 'Payment page',
    hint: 'Defaults to the browser’s language',
    options: LOCALES.map((value) => ({ value, label: LANGUAGES.of(value) ?? value })),
  },
  { name: 'merchant_message', label: 'Message to the buyer', kind: 'long-text' },
  { name: 'return_url', label: 'Return URL after payment', kind: 'url', placeholder: 'https://' },
]
