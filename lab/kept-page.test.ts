import { expect, test } from 'vitest'
import { putSection, type Section, writeSection } from './kept-page.ts'

const page = (sections: readonly Section[]) =>
  `# Title\n\nOpening.\n\n${sections.map(writeSection).join('\n\n')}\n`
const ORDER = ['one', 'two', 'three']

test('a section replaces its former self, and leaves the others as they are', () => {
  const before = [
    { name: 'one', text: '## One\n\n| a | b |' },
    { name: 'two', text: '## Two\n\n<!-- a comment -->' },
  ]

  expect(putSection(page(before), { name: 'one', text: '## One again' }, ORDER)).toEqual([
    { name: 'one', text: '## One again' },
    before[1],
  ])
})

test('sections stand in the order of the programs, and those of programs that are gone go', () => {
  const before = page([
    { name: 'gone', text: '## Gone' },
    { name: 'three', text: '## Three' },
    { name: 'two --rows 100', text: '## Two' },
  ])

  const names = putSection(before, { name: 'one', text: '## One' }, ORDER).map(({ name }) => name)

  expect(names).toEqual(['one', 'two --rows 100', 'three'])
})
