import { expect, test } from 'vitest'
import { checkThreeDSecureData, readThreeDSecureData } from './three-d-secure.ts'

const SHARED = { cavv: 'AAAB', eci: '05', version: '2.2.0', directory_response: 'Y' }
const V1 = { ...SHARED, version: '1.0.2', authentication_response: 'Y', cavv_algorithm: '2', xid: 'MDAw' }
const V2 = { ...SHARED, directory_transaction_id: 'c4e59ceb' }

test('tells the versions apart by their fields', () => {
  expect(checkThreeDSecureData(V1)).toEqual([])
  expect(checkThreeDSecureData(V2)).toEqual([])

  expect(readThreeDSecureData(V1)).toEqual({ kind: 'v1', body: V1 })
  expect(readThreeDSecureData(V2)).toEqual({ kind: 'v2', body: V2 })
})

test.each([
  ['an indicator of three digits', { ...V2, eci: '055' }, '/eci', 'value_error.any_str.max_length'],
  [
    'a version 1 without its algorithm',
    { ...V1, cavv_algorithm: undefined },
    '/cavv_algorithm',
    'value_error.missing',
  ],
  ['an unknown scheme', { ...V1, scheme: 'tally' }, '/scheme', 'type_error.enum'],
  ['an unknown field', { ...V2, colour: 'red' }, '/colour', 'value_error.extra'],
  ['neither version', SHARED, '/directory_transaction_id', 'value_error.missing'],
  ['a version 3', { ...V2, version: '3.0' }, '/version', 'value_error.str.regex'],
])('names %s once', (_what, given, pointer, type) => {
  const sent = JSON.parse(JSON.stringify(given))

  const complaints = checkThreeDSecureData(sent)

  expect(complaints).toMatchObject([{ pointer: `/three_d_secure_data${pointer}`, type }])
})
