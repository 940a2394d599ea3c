import { expect, test } from 'vitest'
import { toDomainName, toHostName } from './domain-name.ts'

test.each([
  ['shop.example.com', 'shop.example.com'],
  ['Shop.Example.COM', 'shop.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['a-1.b2.co.uk', 'a-1.b2.co.uk'],
])('%s is a domain', (text, name) => {
  expect(toDomainName(text)).toBe(name)
})

test.each([
  '',
  'com',
  'localhost',
  'printer.local',
  'db.internal',
  'https://shop.example.com',
  'shop.example.com/pay',
  'shop.example.com:443',
  'shop.example.com.',
  'user@shop.example.com',
  '*.example.com',
  'shop_1.example.com',
  '-shop.example.com',
  'shop-.example.com',
  'shop..example.com',
  'shop example.com',
  ' shop.example.com',
  'shop.example.com\n',
  'sh%6fp.example.com',
  '127.0.0.1',
  '0x7f.1',
  '2130706433',
  '[::1]',
  '::1',
  'shop.example.123',
  `${'a'.repeat(64)}.example.com`,
  `${'a.'.repeat(130)}example.com`,
])('%j is no domain', (text) => {
  expect(toDomainName(text)).toBeUndefined()
})

test('a host name may be one of this machine or network', () => {
  expect(toHostName('LocalHost')).toBe('localhost')
  expect(toHostName('printer.local')).toBe('printer.local')
  expect(toHostName('http://localhost')).toBeUndefined()
  expect(toHostName('127.0.0.1')).toBeUndefined()
})
