import { expect, test } from 'vitest'
import { findLeaks } from './find-leaks.ts'

const CODE = '9174'
const KEY = 'key-of-the-test'

test.each([
  ['a code in JSON', '{"cvc":"9174"}', [CODE]],
  ['a code in a form', 'number=1&cvc=9174&name=x', [CODE]],
  ['a code in a sentence', 'the code 9174 is wrong', [CODE]],
  ['the digits of a code in an id', '01a1e527-9174-7000-bb91-a2f3d7b59174', []],
  ['the digits of a code in a number', 'at 1791742', []],
  ['a key within another word', 'xkey-of-the-testx', [KEY]],
])('finds %s', (_name, text, expected) => {
  expect(findLeaks(text, [CODE, KEY])).toEqual(expected)
})
