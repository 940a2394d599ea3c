import { expect } from 'vitest'
import type { Connector } from './connector.ts'
import { PATIENCE_MAX_MS, PATIENCE_MIN_MS } from './manifest.ts'
import type { OptionSchema } from './option-schemas.ts'

/** Mistakes that types cannot detect, but that merchants would see. */
export function checkManifest(connector: Connector): void {
  const { id, method, displayName, fields, reportingFields, capabilities, ...manifest } = connector.manifest
  expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9_]+)+$/)
  expect(id.endsWith(`-${method}`), 'the id ends with the method').toBe(true)
  expect(id.length).toBeLessThanOrEqual(50)
  expect(displayName.trim()).not.toBe('')

  const keys = [...fields, ...reportingFields].map(({ key }) => key)
  expect(keys.filter((key) => !/^[a-z][a-z0-9_]*$/.test(key))).toEqual([])
  expect(keys).toEqual([...new Set(keys)])
  expect(fields.filter((field) => field.isVerifiable).length > 0).toBe(connector.verify !== undefined)

  expect(manifest.recovery.by === 'notification', 'recovers without a sync').toBe(
    connector.sync === undefined,
  )
  expect(reportingFields.length > 0 && !connector.reports, 'fields for reports that it does not read').toBe(
    false,
  )

  for (const options of [manifest.options, manifest.payoutOptions]) checkOptions(options)
  checkShown(manifest.shownInTranscripts ?? [])
  checkList(manifest.currencies, /^[A-Z]{3}$/)
  checkList(manifest.countries, /^[A-Z]{2}$/)
  checkList(manifest.instruments, /^[a-z-]+$/)

  const patience = Object.entries(manifest.patience ?? {})
  const isOutside = ([, ms]: [string, number]) => !(ms >= PATIENCE_MIN_MS && ms <= PATIENCE_MAX_MS)
  expect(patience.filter(isOutside), 'patience beyond what the server gives').toEqual([])

  const needs: Readonly<Record<string, boolean>> = {
    authorize:
      capabilities.directCapture || capabilities.zeroAuthorization || capabilities.partialAuthorization,
    capture: capabilities.multipleCaptures || capabilities.overCapture,
    void: capabilities.remainderVoids,
    refund: capabilities.partialRefunds,
    ...Object.fromEntries(Object.keys(capabilities.operationNeeds ?? {}).map((name) => [name, true])),
  }
  const missing = Object.keys(needs).filter((name) => needs[name] && !connector[name as 'authorize'])
  expect(missing, 'functions that the capabilities promise').toEqual([])
}

/** Names under which providers have secrets. A name within another one, as in `instrument.number`, is no better. */
const SECRET_NAMES =
  /^(pan|number|card_?number|cvc|cvv|cvc2|cvv2|security_?code|pin|token|payment_?method|password|secret|client_?secret|authorization|cookie|api_?key|cryptogram|cavv|iban|account_?number|email|phone|name)$/i

/** Transcripts show merchants what the list names. */
function checkShown(entries: readonly string[]): void {
  expect(entries).toEqual([...new Set(entries)])
  expect(entries.filter((entry) => !/^(\/[\w.-]+(\/[*])?|!?[\w.-]+(=[\w.-]+[*])?)$/.test(entry))).toEqual([])
  const names = entries
    .filter((entry) => !/^[/!]|=/.test(entry))
    .map((entry) => entry.split('.').at(-1)?.replaceAll('-', '_') ?? '')
  expect(names.filter((name) => SECRET_NAMES.test(name))).toEqual([])
}

function checkList(list: 'all' | readonly string[], shape: RegExp): void {
  if (list === 'all') return
  expect(list.length).toBeGreaterThan(0)
  expect(list.filter((item) => !shape.test(item))).toEqual([])
  expect(list).toEqual([...new Set(list)])
}

/** An option that merchants misspell must not be ignored. */
function checkOptions(options: OptionSchema | undefined): void {
  if (!options) return
  expect(options, 'options are an object with a name of its own').toMatchObject({
    type: 'object',
    title: expect.stringMatching(/^[A-Z][A-Za-z]+Options$/),
    additionalProperties: false,
  })
}
