import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modelFiles } from './model-page.ts'

test.each([...modelFiles()])('%s is as the table has it: node tools/model-page.ts', (path, text) => {
  expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(text)
})
