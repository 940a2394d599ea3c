import { expect, test } from 'vitest'
import { connectorsFor } from './connectors.ts'

test('offers simulators to sandboxes only', () => {
  const sandbox = connectorsFor('sandbox')
  const production = connectorsFor('production')

  expect(sandbox.find('mock-card')?.manifest.isSimulator).toBe(true)
  expect(production.find('mock-card')).toBeUndefined()
  expect(production.list.filter(({ manifest }) => manifest.isSimulator)).toEqual([])
})

test('every connector has an id of its own, and knows its fields by keys of their own', () => {
  const { list } = connectorsFor('sandbox')

  expect(new Set(list.map(({ manifest }) => manifest.id)).size).toBe(list.length)
  for (const { manifest } of list) {
    const keys = [...manifest.fields, ...manifest.reportingFields].map(({ key }) => key)
    expect(new Set(keys).size, manifest.id).toBe(keys.length)
  }
})
