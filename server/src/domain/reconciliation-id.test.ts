import { expect, test } from 'vitest'
import { reconciliationId, uuidOf } from './reconciliation-id.ts'

test.each([
  ['61df177c-76b3-4f0c-80fb-d1ad53764c91', '2ygCx7feN98uAcJc6rv237'],
  ['00000000-0000-0000-0000-000000000000', '0000000000000000000000'],
  ['00000000-0000-0000-0000-00000000003e', '0000000000000000000010'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7n42DGM5Tflk9n8mt7Fhc7'],
])('%s is %s, and back', (uuid, expected) => {
  expect(reconciliationId(uuid)).toBe(expected)
  expect(uuidOf(expected)).toBe(uuid)
})

test.each(['', '0', '7n42DGM5Tflk9n8mt7Fhc8', 'zzzzzzzzzzzzzzzzzzzzzz', '2ygCx7feN98uAcJc6rv23-'])(
  '%s is no reconciliation id',
  (text) => {
    expect(uuidOf(text)).toBeUndefined()
  },
)
