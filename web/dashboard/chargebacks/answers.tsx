import { useState } from 'react'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { Loaded, Notice, Section } from '../parts/page.tsx'
import { moneyText, When } from '../parts/values.tsx'
import type { Case } from './words.ts'

/** How the chargebacks of a payment stand, and what is left to do about each. */
export function Answers({ paymentId }: { readonly paymentId: string }) {
  const cases = useRead('GET /chargebacks', { query: { transaction_id: paymentId } })
  return (
    <Loaded of={cases}>
      {({ items }) => (
        <>
          {items.map((one) => (
            <Answer key={one.id} of={one} isOnly={items.length === 1} />
          ))}
        </>
      )}
    </Loaded>
  )
}

type Props = { readonly of: Case; readonly isOnly: boolean }

function Answer({ of: it, isOnly }: Props) {
  const mayAnswer = useMay()('transactions.follow-ups.write')
  const [act, setAct] = useState<'note' | 'reopen'>()
  const amount = moneyText(it.amount, it.currency)
  const close = () => setAct(undefined)
  return (
    <Section
      title={isOnly ? 'Your answer' : `Your answer to ${amount}`}
      actions={
        mayAnswer &&
        it.status !== 'returned' && (
          <>
            {it.answer && (
              <Button tone="quiet" onClick={() => setAct('reopen')}>
                Reopen
              </Button>
            )}
            <Button tone={it.status === 'open' ? 'main' : 'quiet'} onClick={() => setAct('note')}>
              {it.answer ? 'Edit note' : 'Mark as answered'}
            </Button>
          </>
        )
      }
    >
      <Standing of={it} />
      {act === 'note' && <NoteAnswer of={it} amount={amount} onClose={close} />}
      {act === 'reopen' && <Reopen of={it} amount={amount} onClose={close} />}
    </Section>
  )
}

function Standing({ of: { status, answer, respond_by, returned_at } }: { readonly of: Case }) {
  if (status === 'returned')
    return (
      <Notice tone="good" title="The bank has returned the money">
        {returned_at && (
          <>
            It did so <When at={returned_at} />.{' '}
          </>
        )}
        The payment stays marked as disputed, because it was.
      </Notice>
    )
  if (answer)
    return (
      <Notice tone="wait" title={`Answered by ${answer.author.name}`}>
        <p className="written">{answer.note ?? 'The note was removed when the buyer was erased.'}</p>
        <When at={answer.created_at} />
      </Notice>
    )
  if (status === 'expired')
    return (
      <Notice tone="mute" title="The deadline has passed">
        {respond_by ? (
          <>
            The payment service accepted answers until <When at={respond_by} />.
          </>
        ) : (
          'Card schemes accept no answer after 45 days.'
        )}
      </Notice>
    )
  return (
    <Notice tone="info" title="Answer this dispute at the payment service">
      {respond_by ? (
        <>
          It takes answers until{' '}
          <strong>
            <When at={respond_by} />
          </strong>
          .
        </>
      ) : (
        'The service has not reported a deadline: check it there first.'
      )}{' '}
      Collect the order, the delivery and what you wrote with the buyer, and send them there in time. Do not
      refund it as well: the bank has taken the money already.
    </Notice>
  )
}

type ActProps = { readonly of: Case; readonly amount: string; readonly onClose: () => void }

function NoteAnswer({ of: { id, answer }, amount, onClose }: ActProps) {
  return (
    <Ask
      title={`Answered: chargeback of ${amount}`}
      verb="Save"
      says="Shows your team that you have answered at the payment service, and removes the chargeback from the home page. Nothing is sent to the payment service."
      fields={[
        {
          name: 'note',
          label: 'What you sent',
          kind: 'long-text',
          isRequired: true,
          hint: 'For your team, up to 1,000 characters. Your name and the time are added.',
        },
      ]}
      initial={{ note: answer?.note ?? '' }}
      send={(body) =>
        send('PUT /chargebacks/{chargeback_id}/answer', {
          path: { chargeback_id: id },
          body: { note: String(body['note']) },
        })
      }
      outcome={() => ({ kind: 'done', title: `The chargeback of ${amount} is marked as answered` })}
      onClose={onClose}
    />
  )
}

function Reopen({ of: { id }, amount, onClose }: ActProps) {
  return (
    <Ask
      title={`Reopen the chargeback of ${amount}`}
      verb="Reopen"
      says="The note is removed, and the chargeback needs an answer again. The audit log keeps a record."
      send={() => send('DELETE /chargebacks/{chargeback_id}/answer', { path: { chargeback_id: id } })}
      outcome={() => ({ kind: 'done', title: `The chargeback of ${amount} is open again` })}
      onClose={onClose}
    />
  )
}
