import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { type Search, useAddress } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Icon, Popover } from '../parts/controls.tsx'
import { field } from '../parts/fields.tsx'
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
            {presets.length === 0 && (
              <p className="hint">No saved charts yet. Save this one to find it again and share it.</p>
            )}
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
                      aria-label={`Delete ${preset.display_name}`}
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
                Save this chart
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
      Saved charts
    </>
  )
}

type DialogProps = { readonly onClose: () => void }

function SaveDialog({ asked, onClose }: DialogProps & { readonly asked: Asked }) {
  const { source, metric } = asked.measure
  return (
    <Ask
      title="Save this chart"
      verb="Save"
      says={`Everyone with access to this merchant account finds it under Saved charts, with its period and filters. ${isRelative(asked) ? 'The period moves with the date.' : 'The dates stay fixed.'}`}
      fields={[field('text', 'display_name', 'Chart name', { isRequired: true })]}
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
      outcome={({ display_name }) => `${display_name} is saved`}
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
      title={`Delete ${preset.display_name}`}
      verb="Delete"
      isDangerous
      says="The chart is removed for everyone with access to this merchant account."
      send={() =>
        send('DELETE /metrics-explorer/{source}/presets/{preset_id}', {
          path: { source: preset.source, preset_id: preset.id },
        })
      }
      outcome={`${preset.display_name} was deleted`}
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
