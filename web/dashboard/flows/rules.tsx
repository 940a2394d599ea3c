import { useState } from 'react'
import { PLACES } from '../../api/flow-shapes.ts'
import { useAddress } from '../address.ts'
import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask, ProgressNotice } from '../parts/ask.tsx'
import { Button, Link, LinkButton, Ways } from '../parts/controls.tsx'
import { Columns, EmptyCard, FactCard, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { Id, When } from '../parts/values.tsx'
import { RuleForm } from './rule-form.tsx'
import { RuleRow, RuleWords, Warnings } from './rule-row.tsx'
import { TryCard } from './try.tsx'
import { type Rules, readRules, rulesAt, useCounts, useMove, useRules } from './use-rules.ts'
import {
  ACTIONS,
  GROUPS,
  groupOf,
  isSamePlace,
  type Place,
  pathOf,
  placesOf,
  type Rule,
  titleOf,
  WAYS,
} from './words.ts'

/** The rules in the order in which they are tried. */
export function RuleList() {
  const rules = useRules()
  return (
    <Page
      title="Routing"
      under="Rules are tried from top to bottom. The first whose conditions are all met decides."
    >
      <Ways {...WAYS} />
      <Loaded of={rules}>{(it) => <Groups rules={it} />}</Loaded>
    </Page>
  )
}

function Groups({ rules }: { readonly rules: Rules }) {
  const { search } = useAddress()
  const shown = GROUPS.find(({ id }) => id === search['for']) ?? GROUPS[0]
  const [doomed, setDoomed] = useState<Rule>()
  const countOf = useCounts(rules.all)
  const { progress, isConflict, move } = useMove(rules)
  return (
    <>
      <nav className="flow-groups" aria-label="Payments">
        {GROUPS.map(({ id, label, flows }) => (
          <Link key={id} to="/routing" search={{ for: id }} className={id === shown?.id ? 'shown' : ''}>
            {label}
            <span className="count">{rules.all.filter(({ flow }) => flows.includes(flow)).length}</span>
          </Link>
        ))}
      </nav>
      <div className="stack">
        {isConflict ? (
          <Notice tone="wait" title="The rules have changed" isNews>
            Nothing was moved. The current rules are shown below: check them, then try again.
          </Notice>
        ) : (
          <ProgressNotice progress={progress} />
        )}
        {placesOf(shown?.flows ?? []).map((place) => (
          <PlaceSection
            key={`${place.flow} ${place.action}`}
            place={place}
            rules={rulesAt(rules.all, place)}
            countOf={countOf}
            onMove={(rule, step) => void move(rule, step)}
            onDelete={setDoomed}
          />
        ))}
      </div>
      {doomed && (
        <DeleteRule
          rule={doomed}
          version={rules.version}
          count={countOf(doomed)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  )
}

type SectionProps = {
  readonly place: Place
  readonly rules: readonly Rule[]
  readonly countOf: (rule: Rule) => number | undefined
  readonly onMove: (rule: Rule, step: 1 | -1) => void
  readonly onDelete: (rule: Rule) => void
}

function PlaceSection({ place, rules, countOf, onMove, onDelete }: SectionProps) {
  const canChange = useMay()('flows.write')
  const { title, says, without } = ACTIONS[place.action]
  return (
    <Section
      title={title}
      isFlush
      actions={
        canChange && (
          <LinkButton tone="quiet" icon="plus" to={pathOf(place, 'new')}>
            New rule<span className="visually-hidden"> of {title}</span>
          </LinkButton>
        )
      }
    >
      <p className="rule-place-says">{says}</p>
      <ol className="rules">
        {rules.map((rule, index) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            count={countOf(rule)}
            canChange={canChange}
            isFirst={index === 0}
            isLast={index === rules.length - 1}
            onMove={(step) => onMove(rule, step)}
            onDelete={() => onDelete(rule)}
          />
        ))}
        <li className="rule-end">
          <span className="rule-place" aria-hidden="true" />
          <p>
            {rules.length > 0 && <strong>If no rule matches: </strong>}
            {without}
          </p>
        </li>
      </ol>
    </Section>
  )
}

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
      <EmptyCard title="There is no such rule">
        It was deleted, or belongs to another merchant account. Deleted rules are still in History.
      </EmptyCard>
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
          <FactCard
            title="Details"
            facts={[
              ['Position', rule.position + 1],
              ['Updated', <When key="at" at={rule.updated_at} />],
              ['Created', <When key="made" at={rule.created_at} />],
              ['Id', <Id key="id" value={rule.id} isShort />],
            ]}
          />
          <TryCard />
        </>
      }
    />
  )
}

type Props = {
  readonly rule: Rule
  /** The version that the person looks at. */
  readonly version: number
  readonly count: number | undefined
  readonly onDone?: () => void
  readonly onClose: () => void
}

function DeleteRule({ rule, version, count, onDone, onClose }: Props) {
  const { id, flow, action } = rule
  const title = titleOf(rule)
  return (
    <Ask
      title={`Delete ${title}`}
      verb="Delete"
      isDangerous
      says={
        <>
          <p>It no longer applies to new payments. You can restore it from History at any time.</p>
          {count !== undefined && count > 0 && (
            <p>
              It decided {count} {count === 1 ? 'payment' : 'payments'} in the last 7 days.
            </p>
          )}
          <RuleWords of={rule} />
        </>
      }
      send={() =>
        send('DELETE /flows/{flow}/actions/{action}/rules/{rule_id}', { path: { flow, action, rule_id: id } })
      }
      outcome={`${title} was deleted`}
      standing={{
        now: `version ${version} of the rules`,
        read: async () => `version ${(await readRules()).version} of the rules`,
      }}
      {...(onDone && { onDone })}
      deletedId={id}
      onClose={onClose}
    />
  )
}
