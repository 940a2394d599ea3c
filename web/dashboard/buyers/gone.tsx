import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Columns, Notice, Page, Problem, Section, Waiting } from '../parts/page.tsx'
import { Facts, Id, Status, When } from '../parts/values.tsx'
import { PaymentsOf } from '../transactions/payments-of.tsx'
import { buyerName } from '../transactions/who.ts'
import { PersonalDataActs } from './personal-data.tsx'
import { LIST } from './words.ts'

/** How often an erasure under way is read again. */
const OPEN_MS = 1_000

/** A buyer that is not there: erased, deleted, or never known. */
export function GoneBuyer({ id, error }: { readonly id: string; readonly error: unknown }) {
  const may = useMay()
  const [everyMs, setEveryMs] = useState<number | false>(false)
  const seesErasures = may('personal-data.read')
  const path = { buyer_id: id }
  const erasure = useRead('GET /buyers/{buyer_id}/erasure', { path, isWanted: seesErasures, everyMs })
  const seesPayments = may('transactions.read')
  const payments = useRead('GET /transactions', { query: { ...path, limit: 1 }, isWanted: seesPayments })
  const wanted = erasure.data?.status === 'pending' ? OPEN_MS : false
  if (wanted !== everyMs) setEveryMs(wanted)
  if (erasure.data) return <Erased erasure={erasure.data} />
  if ((seesErasures && !erasure.isFetched) || (seesPayments && !payments.isFetched)) return <Waiting />
  const last = payments.data?.items[0]
  if (last) return <Deleted id={id} name={buyerName(last) ?? 'Buyer without a name'} />
  return (
    <div className="card">
      <Problem error={error} />
    </div>
  )
}

function Deleted({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Page
      title={name}
      back={LIST}
      under={<Status tone="mute">Deleted</Status>}
      actions={<PersonalDataActs id={id} name={name} />}
    >
      <div className="stack">
        <Notice tone="info" title="This buyer was deleted">
          Earlier payments keep the name, e-mail address and postal address they were made with. Erase the
          buyer to remove these too.
        </Notice>
        <PaymentsOf filter={{ buyer_id: id }} empty="No payments." />
      </div>
    </Page>
  )
}

function Erased({ erasure: it }: { readonly erasure: Schemas['BuyerErasure'] }) {
  const isDone = it.status === 'succeeded'
  return (
    <Page
      title="Erased buyer"
      back={LIST}
      under={<Status tone={isDone ? 'mute' : 'wait'}>{isDone ? 'Erased' : 'Being erased'}</Status>}
    >
      <Columns
        main={
          isDone ? (
            <Notice tone="good" title="All personal data was erased" isNews>
              Payments keep their amounts, dates and references. This page stays as proof.
            </Notice>
          ) : (
            <Notice tone="wait" title="Erasing personal data…" isNews>
              The buyer is gone already. The rest usually takes seconds, and continues if you leave this page.
            </Notice>
          )
        }
        side={
          <Section title="Erasure">
            <Facts
              facts={[
                ['Requested', <When key="created" at={it.created_at} />],
                ['Completed', it.completed_at && <When key="completed" at={it.completed_at} />],
                ['Payments', `${it.payments}`],
                ['Payment methods', `${it.payment_methods}`],
                ['Gift cards', `${it.gift_cards}`],
                ['Buyer id', <Id key="buyer" value={it.buyer_id} isShort />],
                ['Erasure id', <Id key="id" value={it.id} isShort />],
              ]}
            />
          </Section>
        }
      />
    </Page>
  )
}
