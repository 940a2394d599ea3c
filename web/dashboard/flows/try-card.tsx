import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { pointingElsewhere, send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Form } from '../parts/ask.tsx'
import { Fields, type Option, type Typed, type Values } from '../parts/fields.tsx'
import { Notice, Section } from '../parts/page.tsx'
import { exactText, moneyText } from '../parts/values.tsx'
import { paidWithText } from '../transactions/paid-with.tsx'
import { buyerName } from '../transactions/who.ts'
import { markOf, methodName } from '../transactions/words.ts'
import { DryRunResult } from './dry-run-result.tsx'
import { BY_ID, dryRunOf, FIRST_VALUES, renamed, SUBJECT, type Subject, tryFields } from './try-fields.ts'
import { useOptions } from './use-rules.ts'

type DryRun = Schemas['FlowDryRun']

type Props = {
  /** All rules with the one that is written. Undefined: it is not whole yet. Without it, stored rules are tried. */
  readonly drafted?: () => readonly Schemas['DraftRule'][] | undefined
  readonly initial?: Values
  /** Shows the result elsewhere. Without it, it is shown below the questions. */
  readonly onTried?: (result: DryRun, request: Schemas['FlowDryRunCreate']) => void
}

/** Tries the rules on a payment. Nothing is stored, and no provider is asked. */
export function TryCard({ drafted, initial = {}, onTried }: Props) {
  const isAllowed = useMay()('transactions.read')
  const [subject, setSubject] = useState<Subject>(drafted ? 'typed' : 'past')
  const [result, setResult] = useState<DryRun>()
  const [isUnfinished, setUnfinished] = useState(false)
  const methods = useMethods()
  const versions = useVersions(drafted === undefined)
  const payments = usePayments(isAllowed)
  const recent = initial['transaction_id'] === undefined ? undefined : BY_ID
  if (!isAllowed) return null
  return (
    <Section title="Test on a payment">
      <div className="try">
        <Fields
          fields={[SUBJECT]}
          typed={{ subject }}
          faults={{}}
          isLocked={false}
          onType={(_name, value) => setSubject(value as Subject)}
        />
        <Form
          key={subject}
          fields={(typed: Typed) => tryFields(subject, typed, { methods, versions, payments })}
          initial={{ ...FIRST_VALUES, recent, ...initial }}
          verb="Try"
          send={async (body) => {
            const rules = drafted?.()
            setUnfinished(drafted !== undefined && rules === undefined)
            if (drafted && !rules) return undefined
            const request = dryRunOf(subject, body, rules && [...rules])
            const answer = await pointingElsewhere(
              () => send('POST /flows/dry-run', { body: request }),
              renamed,
            )
            return { answer, request }
          }}
          onDone={(done) => {
            if (done && onTried) onTried(done.answer, done.request)
            else setResult(done?.answer)
          }}
        />
        {isUnfinished && (
          <Notice tone="wait" title="The rule is incomplete" isNews>
            The form shows what is missing.
          </Notice>
        )}
        {result && !isUnfinished && <DryRunResult of={result} />}
        {!result && (
          <p className="hint">
            {drafted ? 'Uses your unsaved changes. ' : ''}Nothing is stored, and no provider is asked.
          </p>
        )}
      </div>
    </Section>
  )
}

/** Cards, and the methods that services of the account take. */
function useMethods(): readonly Option[] {
  const { data } = useOptions({ flow: 'checkout', action: 'select-payment-options' })
  const taken = (data?.items ?? []).filter(({ id, active }) => active && id !== 'card')
  return [
    { value: 'card', label: methodName('card') },
    ...taken.map(({ id, label }) => ({ value: id, label })),
  ]
}

const PAYMENTS_SHOWN = 20

/** The last ones, as people tell them apart. */
function usePayments(isWanted: boolean): readonly Option[] {
  const { data } = useRead('GET /transactions', { query: { limit: PAYMENTS_SHOWN }, isWanted })
  return (data?.items ?? []).map((one) => {
    const facts = [moneyText(one.amount, one.currency), markOf(one).label, buyerName(one), paidWithText(one)]
    return { value: one.id, label: [...facts, exactText(one.created_at)].filter(Boolean).join(' · ') }
  })
}

const VERSIONS_SHOWN = 50

function useVersions(isWanted: boolean): readonly Option[] | undefined {
  const { data } = useRead('GET /flows/versions', { query: { limit: VERSIONS_SHOWN }, isWanted })
  if (!isWanted) return undefined
  return (data?.items ?? []).map(({ number, note }) => ({
    value: String(number),
    label: `Version ${number}: ${note}`,
  }))
}
