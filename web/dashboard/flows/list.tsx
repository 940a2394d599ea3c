import { useState } from 'react'
import { useAddress } from '../address.ts'
import { useMay } from '../api/me.ts'
import { ProgressNotice } from '../parts/ask.tsx'
import { Link, LinkButton } from '../parts/controls.tsx'
import { Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { DeleteRule } from './delete-rule.tsx'
import { RuleRow } from './rule-row.tsx'
import { useCounts } from './use-counts.ts'
import { useMove } from './use-move.ts'
import { type Rules, rulesAt, useRules } from './use-rules.ts'
import { Ways } from './ways.tsx'
import { ACTIONS, GROUPS, type Place, pathOf, placesOf, type Rule } from './words.ts'

/** The rules in the order in which they are tried. */
export function RuleList() {
  const rules = useRules()
  return (
    <Page
      title="Routing"
      under="Rules are tried from top to bottom. The first whose conditions are all met decides."
    >
      <Ways />
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
