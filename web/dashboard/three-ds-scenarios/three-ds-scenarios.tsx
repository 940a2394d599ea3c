import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useReadAll } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Icon, Menu, Popover } from '../parts/controls.tsx'
import { type Column, Table } from '../parts/list/table.tsx'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { Status } from '../parts/values.tsx'
import { answerOf, conditionsOf, fieldsFor, inOrder, resultOf, type Scenario, valuesOf } from './words.ts'
import './three-ds-scenarios.css'

type Act = { readonly kind: 'new' } | { readonly kind: 'edit' | 'delete'; readonly of: Scenario }

export const pages = { '/': ScenarioList }

function ScenarioList() {
  const may = useMay()
  const scenarios = useReadAll('GET /three-ds-scenarios')
  const [act, setAct] = useState<Act>()
  const canChange = may('three-ds-scenarios.write')
  const add = canChange && (
    <Button tone="main" icon="plus" onClick={() => setAct({ kind: 'new' })}>
      New scenario
    </Button>
  )
  return (
    <Page
      title="3DS scenarios"
      under="How the sandbox bank responds to 3-D Secure. The matching scenario with the most conditions applies, then the newest."
      actions={add}
    >
      <Loaded of={scenarios}>
        {(items) =>
          items.length === 0 ? (
            <div className="card">
              <Empty title="No scenarios yet" action={add}>
                Without scenarios, the test card number decides whether the bank challenges the buyer.
              </Empty>
            </div>
          ) : (
            <div className="card flush table-card">
              <Table
                label="3DS scenarios: rows"
                rows={inOrder(items)}
                columns={canChange ? [...COLUMNS, actsColumn(setAct)] : COLUMNS}
              />
            </div>
          )
        }
      </Loaded>
      {act?.kind === 'delete' && <Delete of={act.of} onClose={() => setAct(undefined)} />}
      {act && act.kind !== 'delete' && (
        <Save of={act.kind === 'edit' ? act.of : undefined} onClose={() => setAct(undefined)} />
      )}
    </Page>
  )
}

const COLUMNS: readonly Column<Scenario>[] = [
  { id: 'conditions', title: 'Conditions', cell: (row) => <Conditions of={row} /> },
  {
    id: 'answer',
    title: 'Bank response',
    cell: (row) => (
      <span className="answer">
        <Status tone={answerOf(row).tone}>{answerOf(row).label}</Status>
        {resultOf(row) && <small>{resultOf(row)}</small>}
      </span>
    ),
  },
  { id: 'created_at', title: 'Created', from: 'desktop', isTime: true, text: ({ created_at }) => created_at },
]

function Conditions({ of }: { readonly of: Scenario }) {
  const conditions = conditionsOf(of)
  if (conditions.length === 0) return 'Every card'
  return (
    <span className="conditions">
      {conditions.map(([name, value]) => (
        <span key={name}>
          {name} <b>{value}</b>
        </span>
      ))}
    </span>
  )
}

function actsColumn(onAct: (act: Act) => void): Column<Scenario> {
  return {
    id: 'acts',
    title: 'Actions',
    isNumber: true,
    cell: (of) => (
      <span className="row-actions">
        <Popover
          className="button quiet icon-only"
          side="end"
          label="Scenario actions"
          button={<Icon name="more" />}
        >
          {(close) => (
            <Menu
              close={close}
              items={[
                { label: 'Edit', onChoose: () => onAct({ kind: 'edit', of }) },
                { label: 'Delete', onChoose: () => onAct({ kind: 'delete', of }) },
              ]}
            />
          )}
        </Popover>
      </span>
    ),
  }
}

type SaveProps = { readonly of: Scenario | undefined; readonly onClose: () => void }

function Save({ of, onClose }: SaveProps) {
  return (
    <Ask
      title={of ? 'Edit the scenario' : 'New 3DS scenario'}
      verb="Save"
      isWide
      says="Applies to new payments through services with 3-D Secure. Empty conditions match every payment."
      fields={fieldsFor}
      initial={of ? valuesOf(of) : {}}
      send={(body, idempotencyKey) =>
        of
          ? send('PUT /three-ds-scenarios/{three_ds_scenario_id}', {
              path: { three_ds_scenario_id: of.id },
              body: body as Schemas['UpdateThreeDSScenario'],
            })
          : send('POST /three-ds-scenarios', {
              body: body as Schemas['CreateThreeDSScenario'],
              idempotencyKey,
            })
      }
      outcome={() => ({ kind: 'done', title: 'The scenario was saved' })}
      onClose={onClose}
    />
  )
}

function Delete({ of, onClose }: SaveProps & { readonly of: Scenario }) {
  return (
    <Ask
      title="Delete the scenario"
      verb="Delete"
      isDangerous
      says="Payments waiting for the buyer keep their scenario."
      send={() =>
        send('DELETE /three-ds-scenarios/{three_ds_scenario_id}', { path: { three_ds_scenario_id: of.id } })
      }
      outcome={() => ({ kind: 'done', title: 'The scenario was deleted' })}
      deletedId={of.id}
      onClose={onClose}
    />
  )
}
