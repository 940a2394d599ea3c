import { describe, expect, test } from 'vitest'
import { PUBLIC_ADDRESSES, REFUSED_ADDRESSES } from '#testing/hostile-urls.ts'
import { createAddressFilter, isCidr } from './address-filter.ts'

describe('with nothing allowed', () => {
  const isAllowed = createAddressFilter([])

  test.each(REFUSED_ADDRESSES)('refuses %s', (address) => {
    expect(isAllowed(address)).toBe(false)
  })

  test.each(PUBLIC_ADDRESSES)('takes %s', (address) => {
    expect(isAllowed(address)).toBe(true)
  })

  test.each(['', 'example.com', '1.2.3', '::g', '1.2.3.4:80'])(
    'refuses text that is no address: %j',
    (text) => {
      expect(isAllowed(text)).toBe(false)
    },
  )
})

test('accepts only allowed addresses, in every spelling', () => {
  const isAllowed = createAddressFilter(['127.0.0.0/8', '10.1.2.3', 'fd00:1::/32'])

  expect(['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '10.1.2.3', 'fd00:1::5'].every(isAllowed)).toBe(
    true,
  )
  expect(['10.1.2.4', '::1', '::127.0.0.1', 'fd00:2::5', '64:ff9b::7f00:1'].some(isAllowed)).toBe(false)
})

test.each(['10.0.0.0/8', '0.0.0.0/0', '192.168.1.1', '192.168.1.1/32', '::1', '::1/128', 'FD00::/8', '::/0'])(
  'reads the range %s',
  (text) => {
    expect(isCidr(text)).toBe(true)
  },
)

test.each([
  '',
  '/',
  '/8',
  'localhost',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/08',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10.0.0.0/255.0.0.0',
  '10.0/8',
  '::1/129',
  'fe80::1%lo/64',
  '::ffff:10.0.0.0/104',
])('does not read %j as a range', (text) => {
  expect(isCidr(text)).toBe(false)
})
