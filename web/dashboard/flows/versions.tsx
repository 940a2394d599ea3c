import { type FormEvent, useState } from 'react'
import { useAddress, valuesOf } from '../address.ts'
import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, LinkButton, Ways } from '../parts/controls.tsx'
import { List, type RowOf } from '../parts/list/list.tsx'
import { type Column, column } from '../parts/list/table.tsx'
import { capital } from '../parts/locale.ts'
import { Empty, EmptyCard, Loaded, Page, Section } from '../parts/page.tsx'
import { When } from '../parts/values.tsx'
import { AskToDecline, useDeclineGuard } from './decline-guard.tsx'
import { differences } from './describe.ts'
import { Changes, RuleWords } from './rule-row.tsx'
import { asDraft, inOrder, type Rules, rulesAt, useOutcomeText, useRules, useVersion } from './use-rules.ts'
import { ACTIONS, GROUPS, HISTORY, placesOf, type Rule, TRY, titleOf, WAYS } from './words.ts'

/** Every change of a rule made a version. */
export function History() {
  return (
    <Page title="Rule history" under="Every change creates a new version. Versions are never changed.">
      <Ways {...WAYS} />
      <List
        name="rule-versions"
        route="GET /flows/versions"
        columns={COLUMNS}
        to={({ number }) => `${HISTORY.to}/${number}`}
        empty={{ title: 'No rules yet', text: 'The first rule creates the first version.' }}
      />
    </Page>
  )
}

const COLUMNS: readonly Column<RowOf<'GET /flows/versions'>>[] = [
  column('number', 'Version', { look: 'number', text: 'number' }),
  column('note', 'Change', {
    cell: ({ note }) => <span className="clip">{capital(note)}</span>,
    text: 'note',
  }),
  column('author', 'By', { from: 'tablet', text: ({ author }) => author.name }),
  column('rules', 'Rules', { from: 'tablet', isNumber: true, text: 'rule_count' }),
  column('created_at', 'When', { isTime: true, text: 'created_at' }),
]

const BACK = { to: HISTORY.to, label: 'History' }

/** A version: what it changed, compared with the one before or another, and all of its rules. */
export function Version() {
  const { params, search } = useAddress()
  const number = Number(params['number'])
  const [against = String(number - 1)] = valuesOf(search, 'against')
  const version = useVersion(number)
  const canChange = useMay()('flows.write')
  const rules = useRules()
  const [isGoingBack, setGoingBack] = useState(false)
  const newest = rules.data?.version
  return (
    <Loaded of={version}>
      {(it) =>
        it === null ? (
          <Page title={`Version ${params['number']}`} back={BACK}>
            <EmptyCard title="There is no such version">
              This merchant account has versions up to {newest ?? 0}.
            </EmptyCard>
          </Page>
        ) : (
          <Page
            title={`Version ${number}`}
            back={BACK}
            under={
              <>
                <span>{capital(it.note)}</span>
                <span>{it.author.name}</span>
                <When at={it.created_at} />
              </>
            }
            actions={
              <>
                <LinkButton to={TRY.to} search={{ version: String(number) }}>
                  Try it
                </LinkButton>
                {canChange && newest !== undefined && number < newest && (
                  <Button tone="main" icon="refund" onClick={() => setGoingBack(true)}>
                    Go back to it
                  </Button>
                )}
              </>
            }
          >
            <div className="stack">
              <Compared number={number} rules={it.rules} against={Number(against)} newest={newest} />
              <AllRules rules={it.rules} />
            </div>
            {isGoingBack && rules.data && (
              <GoBack number={number} rules={it.rules} now={rules.data} onClose={() => setGoingBack(false)} />
            )}
          </Page>
        )
      }
    </Loaded>
  )
}

type ComparedProps = {
  readonly number: number
  readonly rules: readonly Rule[]
  readonly against: number
  readonly newest: number | undefined
}

function Compared({ number, rules, against, newest }: ComparedProps) {
  const other = useVersion(against)
  const outcomeText = useOutcomeText()
  const isFirst = against === 0
  return (
    <Section
      title={isFirst ? 'First version' : `Compared with version ${against}`}
      actions={<Against number={number} against={against} newest={newest} />}
    >
      {isFirst ? (
        <Changes of={differences([], rules, outcomeText)} />
      ) : (
        <Loaded of={other}>
          {(it) => {
            if (it === null) return <Empty title="There is no such version">Choose another version.</Empty>
            // The older one comes first, however the person asks.
            const [before, after] = against < number ? [it.rules, rules] : [rules, it.rules]
            return <Changes of={differences(before, after, outcomeText)} />
          }}
        </Loaded>
      )}
    </Section>
  )
}

/** Which other version. There may be thousands, so the number is typed. */
function Against({ number, against, newest = number }: Omit<ComparedProps, 'rules'>) {
  const { change } = useAddress()
  const [typed, setTyped] = useState(String(against || ''))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change({ against: typed.trim() === '' ? undefined : typed.trim() })
  }
  return (
    <form className="against" onSubmit={submit}>
      <div className="field">
        <input
          aria-label={`Number of the other version, from 1 to ${newest}`}
          inputMode="numeric"
          className="number"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <Button type="submit">Compare</Button>
    </form>
  )
}

function AllRules({ rules }: { readonly rules: readonly Rule[] }) {
  const places = placesOf(GROUPS.flatMap(({ flows }) => flows)).filter(
    (place) => rulesAt(rules, place).length > 0,
  )
  return (
    <Section title="All rules of this version">
      {places.length === 0 && (
        <p className="quiet-text">No rules: payments follow the order of the services.</p>
      )}
      {places.map((place) => (
        <section key={`${place.flow} ${place.action}`} className="version-place">
          <h3>
            {GROUPS.find(({ flows }) => flows.includes(place.flow))?.label} · {ACTIONS[place.action].title}
          </h3>
          <ol className="rules">
            {rulesAt(rules, place).map((rule) => (
              <li key={rule.id} className="rule">
                <span className="rule-place">{rule.position + 1}</span>
                <div className="rule-text">
                  <h4>{titleOf(rule)}</h4>
                  <RuleWords of={rule} />
                </div>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </Section>
  )
}

type GoBackProps = {
  readonly number: number
  readonly rules: readonly Rule[]
  readonly now: Rules
  readonly onClose: () => void
}

function GoBack({ number, rules, now, onClose }: GoBackProps) {
  const { go } = useAddress()
  const outcomeText = useOutcomeText()
  const newest = now.version
  const changes = differences(now.all, rules, outcomeText)
  const guard = useDeclineGuard()
  const allows = async () => {
    const all = inOrder(rules).map(asDraft)
    for (const { kind, rule } of changes) {
      const { position, conditions } = rule
      const written = { place: rule, rules: all, position, hasConditions: conditions.length > 0 }
      if (kind !== 'removed' && !(await guard.allows(written))) return false
    }
    return true
  }
  return (
    <>
      {guard.question && (
        <AskToDecline question={guard.question} goBack="Keep the current rules" goOn="Restore and decline" />
      )}
      <Ask
        title={`Restore version ${number}`}
        verb={guard.isLooking ? 'Testing on recent payments…' : 'Go back'}
        allows={allows}
        isWide
        says={
          <>
            <p>
              The rules of version {number} apply again, as version {newest + 1}. The next payment follows
              them.
            </p>
            <p>The versions in between stay: you can return to them in the same way.</p>
            <h3>What changes</h3>
            {changes.length === 0 ? (
              <p>Nothing: the rules are the same.</p>
            ) : (
              <Changes of={changes} heading="h4" />
            )}
          </>
        }
        send={(_body, idempotencyKey) =>
          send('POST /flows/versions', {
            body: { restore: number, based_on_version: newest },
            idempotencyKey,
          })
        }
        outcome={(made) => `Version ${number} was restored as version ${made.number}`}
        onDone={(made) => go(`${HISTORY.to}/${made.number}`)}
        onClose={onClose}
      />
    </>
  )
}
