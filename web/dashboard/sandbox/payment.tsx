import { useState } from 'react'
import { useRead } from '../api/client.ts'
import { Link } from '../parts/controls.tsx'
import { Fields } from '../parts/fields.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { moneyText } from '../parts/values.tsx'
import { buyerName } from '../transactions/who.ts'
import { markOf } from '../transactions/words.ts'
import { isSimulated, Levers } from './levers.tsx'

const SHOWN = 25

/** What can be made to happen to one of the last payments. */
export function PaymentCard() {
  const payments = useRead('GET /transactions', { query: { limit: SHOWN } })
  return (
    <Section title="A payment">
      <Loaded of={payments}>
        {({ items }) => {
          const options = items.filter(isSimulated).map((one) => ({
            value: one.id,
            label: [
              moneyText(one.amount, one.currency),
              markOf(one).label,
              buyerName(one),
              one.external_identifier,
            ]
              .filter(Boolean)
              .join(' · '),
          }))
          if (options.length === 0)
            return (
              <p className="quiet-text">No payments yet. Make one, or fill the sandbox with sample data.</p>
            )
          return <Choose options={options} />
        }}
      </Loaded>
    </Section>
  )
}

function Choose({
  options,
}: {
  readonly options: readonly { readonly value: string; readonly label: string }[]
}) {
  const [chosen, setChosen] = useState(options[0]?.value ?? '')
  const payment = useRead('GET /transactions/{transaction_id}', { path: { transaction_id: chosen } })
  return (
    <>
      <Fields
        fields={[{ name: 'payment', label: 'Recent payment', kind: 'choice', isRequired: true, options }]}
        typed={{ payment: chosen }}
        faults={{}}
        isLocked={false}
        onType={(_name, value) => setChosen(String(value))}
      />
      <Loaded of={payment}>
        {(it) => (
          <>
            <Levers of={it} />
            <p className="quiet-text lever-text">
              <Link to={`/transactions/${it.id}`} className="text-link">
                Open the payment
              </Link>{' '}
              to see what becomes of it. Every payment of a simulated service has these buttons.
            </p>
          </>
        )}
      </Loaded>
    </>
  )
}
