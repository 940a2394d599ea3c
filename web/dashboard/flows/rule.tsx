import { useState } from 'react'
import { PLACES } from '../../api/flow-shapes.ts'
import { useAddress } from '../address.ts'
import { useMay } from '../api/me.ts'
import { Button } from '../parts/controls.tsx'
import { Columns, Empty, Loaded, Page, Section } from '../parts/page.tsx'
import { Facts, Id, When } from '../parts/values.tsx'
import { DeleteRule } from './delete-rule.tsx'
import { RuleForm } from './rule-form.tsx'
import { RuleWords, Warnings } from './rule-row.tsx'
import { TryCard } from './try-card.tsx'
import { useCounts } from './use-counts.ts'
import { type Rules, useRules } from './use-rules.ts'
import { ACTIONS, groupOf, isSamePlace, type Place, type Rule, titleOf } from './words.ts'

export function NewRule() {
  return <WithRules>{(rules, place) => <Written rules={rules} place={place} rule={undefined} />}</WithRules>
}

export function RuleDetail() {
  const { params } = useAddress()
  return (
    <WithRules key={params['id']}>
      {(rules, place) => <Stored rules={rules} place={place} id={params['id'] ?? ''} />}
    </WithRules>
  )
}

type WithRulesProps = {
  readonly children: (rules: Rules, place: Place) => React.ReactNode
}

/** The flow and action are in the address. A person may have typed them. */
function WithRules({ children }: WithRulesProps) {
  const { params } = useAddress()
  const rules = useRules()
  const place = PLACES.find(({ flow, action }) => flow === params['flow'] && action === params['action'])
  if (!place) return <NotFound />
  return <Loaded of={rules}>{(it) => children(it, place)}</Loaded>
}

function NotFound() {
  return (
    <Page title="Not found" back={{ to: '/routing', label: 'Routing' }}>
      <div className="card">
        <Empty title="There is no such rule">
          It was deleted, or belongs to another merchant account. Deleted rules are still in History.
        </Empty>
      </div>
    </Page>
  )
}

type StoredProps = { readonly rules: Rules; readonly place: Place; readonly id: string }

/** The rule stays on the page while a person writes, also when another one deletes it meanwhile. */
function Stored({ rules, place, id }: StoredProps) {
  const found = rules.all.find((rule) => rule.id === id && isSamePlace(rule, place))
  const [first, setFirst] = useState(found)
  if (!first && found) setFirst(found)
  const rule = found ?? first
  return rule ? <Written rules={rules} place={place} rule={rule} /> : <NotFound />
}

type WrittenProps = { readonly rules: Rules; readonly place: Place; readonly rule: Rule | undefined }

function Written({ rules, place, rule }: WrittenProps) {
  const { go } = useAddress()
  const canChange = useMay()('flows.write')
  const [isDeleting, setDeleting] = useState(false)
  const countOf = useCounts(rules.all)
  const group = groupOf(place.flow)
  const back = { to: '/routing', label: 'Routing' }
  const leave = () => go('/routing', { for: group?.id })
  const isThere = rules.all.some(({ id }) => id === rule?.id)
  return (
    <Page
      title={rule ? titleOf(rule) : 'New rule'}
      back={back}
      under={`${group?.label ?? ''} · ${ACTIONS[place.action].title}`}
      actions={
        canChange &&
        rule &&
        isThere && (
          <Button icon="close" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )
      }
    >
      {canChange ? (
        <RuleForm rules={rules} place={place} rule={rule} onLeave={leave} />
      ) : (
        rule && <ReadOnly rule={rule} />
      )}
      {isDeleting && rule && (
        <DeleteRule
          rule={rule}
          version={rules.version}
          count={countOf(rule)}
          onDone={leave}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  )
}

function ReadOnly({ rule }: { readonly rule: Rule }) {
  return (
    <Columns
      main={
        <Section title="The rule">
          <RuleWords of={rule} />
          <Warnings of={rule} />
        </Section>
      }
      side={
        <>
          <Section title="Details">
            <Facts
              facts={[
                ['Position', rule.position + 1],
                ['Updated', <When key="at" at={rule.updated_at} />],
                ['Created', <When key="made" at={rule.created_at} />],
                ['Id', <Id key="id" value={rule.id} isShort />],
              ]}
            />
          </Section>
          <TryCard />
        </>
      }
    />
  )
}
