import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { type Search, useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Icon, Popover } from '../parts/controls.tsx'
import { MEASURES, PERIODS, rangeOf } from './metrics.tsx'
import { type Asked, useAsked } from './question.ts'

type Preset = Schemas['MetricsExplorerPreset']

/** Charts that were kept under a name, for everyone who uses the merchant account. */
export function Saved({ now }: { readonly now: Date }) {
  const asked = useAsked(now)
  const may = useMay()
  const { change, search } = useAddress()
  const [isSaving, setSaving] = useState(false)
  const [leaving, setLeaving] = useState<Preset>()
  const presets = usePresets()
  const isChangeable = may('metrics-explorer.write')
  if (!isChangeable && presets.length === 0) return null
  return (
    <>
      <Popover side="end" button={<Label />}>
        {(close) => (
          <div className="editor saved">
            {presets.length === 0 && <p className="hint">{SAVED.none}</p>}
            <ul className="menu">
              {presets.map((preset) => (
                <li key={preset.id}>
                  <button
                    type="button"
                    onClick={() => {
                      close()
                      change({ ...cleared(asked, search), ...searchOf(preset) })
                    }}
                  >
                    <span>{preset.display_name}</span>
                  </button>
                  {isChangeable && (
                    <Button
                      tone="quiet"
                      icon="close"
                      aria-label={SAVED.removeTitle(preset.display_name)}
                      onClick={() => {
                        close()
                        setLeaving(preset)
                      }}
                    />
                  )}
                </li>
              ))}
            </ul>
            {isChangeable && asked.isRight && (
              <Button
                icon="plus"
                onClick={() => {
                  close()
                  setSaving(true)
                }}
              >
                {SAVED.save}
              </Button>
            )}
          </div>
        )}
      </Popover>
      {isSaving && <SaveDialog asked={asked} onClose={() => setSaving(false)} />}
      {leaving && <RemoveDialog preset={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}

/** Charts of payments, and of 3-D Secure. */
function usePresets(): readonly Preset[] {
  const payments = useRead('GET /metrics-explorer/{source}/presets', { path: { source: 'authorization' } })
  const proofs = useRead('GET /metrics-explorer/{source}/presets', { path: { source: 'authentication' } })
  return [...(payments.data ?? []), ...(proofs.data ?? [])]
}

function Label() {
  return (
    <>
      <Icon name="view" />
      {SAVED.title}
    </>
  )
}

type DialogProps = { readonly onClose: () => void }

function SaveDialog({ asked, onClose }: DialogProps & { readonly asked: Asked }) {
  const { source, metric } = asked.measure
  return (
    <Ask
      title={SAVED.save}
      verb="Save"
      says={`${SAVED.saveSays} ${isRelative(asked) ? SAVED.moves : SAVED.stays}`}
      fields={[{ name: 'display_name', label: SAVED.name, kind: 'text', isRequired: true }]}
      initial={{ display_name: nameOf(asked) }}
      send={(body, idempotencyKey) =>
        send('POST /metrics-explorer/{source}/presets', {
          path: { source },
          body: {
            display_name: String(body['display_name']),
            metric,
            filters: { ...asked.query, datetime_range: wordsOf(asked) } as never,
          },
          idempotencyKey,
        })
      }
      outcome={({ display_name }) => ({ kind: 'done', title: SAVED.isSaved(display_name) })}
      onClose={onClose}
    />
  )
}

/** What it shows, until the person has a better name. */
function nameOf(asked: Asked): string {
  const { label } = asked.measure
  const period = isRelative(asked) && PERIODS.find(({ value }) => value === asked.period)
  return period ? `${label}, ${period.label.toLowerCase()}` : label
}

function RemoveDialog({ preset, onClose }: DialogProps & { readonly preset: Preset }) {
  return (
    <Ask
      title={SAVED.removeTitle(preset.display_name)}
      verb={SAVED.remove}
      isDangerous
      says={SAVED.removeSays}
      send={() =>
        send('DELETE /metrics-explorer/{source}/presets/{preset_id}', {
          path: { source: preset.source, preset_id: preset.id },
        })
      }
      outcome={() => ({ kind: 'done', title: SAVED.isRemoved(preset.display_name) })}
      onClose={onClose}
    />
  )
}

const RELATIVE = /^(\d+)([hd])$/

function isRelative({ period }: Asked): boolean {
  return RELATIVE.test(period)
}

/** Relative periods stay relative where the explorer has words for them. */
function wordsOf({ period, span }: Asked): string {
  const [, count, unit] = RELATIVE.exec(period) ?? []
  if (count) return unit === 'd' ? `P${count}D/now` : `PT${count}H/now`
  return rangeOf(span)
}

function periodIn(range: string): string {
  const [, days, hours] = /^P(?:(\d+)D|T(\d+)H)\/now$/.exec(range) ?? []
  if (days) return `${days}d`
  return hours ? `${hours}h` : range.replace('/', '..')
}

function cleared({ filters }: Asked, search: Search): Search {
  const names = ['period', 'currency', ...filters.map(({ id }) => id)].filter((name) => name in search)
  return Object.fromEntries(names.map((name) => [name, undefined]))
}

function searchOf({ source, metric, filters }: Preset): Search {
  const { datetime_range, timezone: _zone, ...chosen } = filters
  const measure = MEASURES.find((one) => one.source === source && one.metric === metric)
  return { ...chosen, metric: measure?.id, period: periodIn(datetime_range) } as Search
}

/** What the menu of saved charts says. */
const SAVED = {
  title: 'Saved charts',
  none: 'No saved charts yet. Save this one to find it again and share it.',
  save: 'Save this chart',
  saveSays:
    'Everyone with access to this merchant account finds it under Saved charts, with its period and filters.',
  moves: 'The period moves with the date.',
  stays: 'The dates stay fixed.',
  name: 'Chart name',
  isSaved: (name: string) => `${name} is saved`,
  remove: 'Delete',
  removeTitle: (name: string) => `Delete ${name}`,
  removeSays: 'The chart is removed for everyone with access to this merchant account.',
  isRemoved: (name: string) => `${name} was deleted`,
} as const
