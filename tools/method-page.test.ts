import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FILE, methodPage } from './method-page.ts'

test('the page of the redirect methods is as the tables of the connectors: node tools/method-page.ts', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(methodPage())
})
