import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { apiTypes, FILE } from './api-types.ts'
import { clientFiles, FOLDER } from './client.ts'
import { flowShapes, SHAPES_FILE } from './flow-shapes.ts'

test('the pages know the API as it is', () => {
  const isCurrent = readFileSync(FILE, 'utf8') === apiTypes()

  expect(isCurrent, `run: node tools/api-types.ts, which writes ${FILE}`).toBe(true)
})

test('the editor of rules knows the conditions and outcomes as they are', () => {
  const isCurrent = readFileSync(SHAPES_FILE, 'utf8') === flowShapes()

  expect(isCurrent, `run: node tools/api-types.ts, which writes ${SHAPES_FILE}`).toBe(true)
})

test('the client knows the API as it is', () => {
  const files = clientFiles()
  const outdated = [...files].filter(([file, text]) => readFileSync(`${FOLDER}/${file}`, 'utf8') !== text)
  const others = globSync('**/*.ts', { cwd: FOLDER }).filter((file) => !files.has(file))

  expect(
    [...outdated.map(([file]) => file), ...others],
    `run: node tools/client.ts, which writes ${FOLDER}`,
  ).toEqual([])
})

test('no two operations of the client have the same name', () => {
  const names = [...clientFiles()].flatMap(([file, text]) =>
    // Only those with a body: an operation with two answers has a signature for each.
    [...text.matchAll(/^(?:export )?function (\w+)\((?:\n {2}.*)*\n\): .* \{$/gm)].map(
      ([, method]) => `${file} ${method}`,
    ),
  )

  expect(names.length).toBeGreaterThan(190)
  expect(new Set(names).size).toBe(names.length)
})
