import type { Schemas } from '../../api/schema.d.ts'
import { moneyText } from '../parts/values.tsx'

type Amounts = Pick<
  Schemas['Transaction'],
  'amount' | 'authorized_amount' | 'captured_amount' | 'refunded_amount' | 'capturable_amount' | 'currency'
>

/** What became of the money, to one scale: the longest bar is the largest amount. */
export function AmountTrack({ of: it }: { readonly of: Amounts }) {
  const largest = Math.max(it.amount, it.authorized_amount, it.captured_amount, 1)
  const stations = [
    { name: 'Requested', amount: it.amount, tone: 'requested' },
    { name: 'Authorized', amount: it.authorized_amount, tone: 'authorized' },
    { name: 'Captured', amount: it.captured_amount, tone: 'captured', left: it.capturable_amount },
    { name: 'Refunded', amount: it.refunded_amount, tone: 'refunded' },
  ]
  return (
    <dl className="card track">
      {stations.map(({ name, amount, tone, left = 0 }) => (
        <div key={name} className={amount > 0 ? tone : 'none'}>
          <dt>{name}</dt>
          <dd>
            <b>{moneyText(amount, it.currency)}</b>
            {left > 0 && <small>{moneyText(left, it.currency)} can still be captured</small>}
          </dd>
          <dd className="bar" aria-hidden="true">
            <i style={{ width: `${(amount / largest) * 100}%` }} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
