import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FILE, methodPage } from './method-page.ts'

test('the page of the ways to pay is as the connectors and their tables: node tools/method-page.ts', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(methodPage())
})
