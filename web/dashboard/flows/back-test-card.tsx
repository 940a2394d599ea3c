import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Button, Link } from '../parts/controls.tsx'
import { Notice, Section } from '../parts/page.tsx'
import { Status } from '../parts/values.tsx'
import { StartBackTest } from './start-back-test.tsx'
import { BACK_TESTS, PROGRESS, progressText } from './words.ts'

type Rules = readonly Schemas['DraftRule'][]

type Props = {
  /** All rules with the one that is written. Undefined: it is not whole yet. */
  readonly drafted: () => Rules | undefined
}

/** Tries what is written on payments of the past, before it is saved. */
export function BackTestCard({ drafted }: Props) {
  const isAllowed = useMay()('transactions.read')
  const [rules, setRules] = useState<Rules>()
  const [isUnfinished, setUnfinished] = useState(false)
  const [begun, setBegun] = useState<string>()
  if (!isAllowed) return null
  return (
    <Section title="Back-test">
      <div className="try">
        <p className="quiet-text">
          See what this rule would have done with last week’s payments, or with a period you choose.
        </p>
        <div className="actions">
          <Button
            onClick={() => {
              const found = drafted()
              setUnfinished(found === undefined)
              setRules(found)
            }}
          >
            Start back-test
          </Button>
        </div>
        {isUnfinished && (
          <Notice tone="wait" title="The rule is incomplete" isNews>
            The form shows what is missing.
          </Notice>
        )}
        {begun && <Begun key={begun} id={begun} />}
      </div>
      {rules && <StartBackTest rules={rules} onBegun={setBegun} onClose={() => setRules(undefined)} />}
    </Section>
  )
}

const AGAIN_MS = 1_000

/** How far it is. What was written stays on this page, so the result opens beside it. */
function Begun({ id }: { readonly id: string }) {
  const [everyMs, setEveryMs] = useState<number | false>(AGAIN_MS)
  const { data } = useRead('GET /flows/back-tests/{flow_back_test_id}', {
    path: { flow_back_test_id: id },
    everyMs,
  })
  if (data?.finished_at && everyMs) setEveryMs(false)
  return (
    <p className="begun" role="status">
      {data && <Status tone={PROGRESS[data.status].tone}>{progressText(data)}</Status>}
      <Link to={`${BACK_TESTS.to}/${id}`} className="text-link" target="_blank">
        Open the result in a new tab
      </Link>
    </p>
  )
}
