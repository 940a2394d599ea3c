import { expect, test } from 'vitest'
import { html } from './html.ts'
import { renderMarkdown } from './markdown.ts'

function rendered(text: string): string {
  const resolve = (target: string) => (target.startsWith('private') ? undefined : `/to/${target}`)
  return html`${renderMarkdown(text, resolve).content}`.text
}

test.each([
  ['One line\nand a second.', '<p>One line\nand a second.</p>'],
  [
    '`a < b` and **bold `code`** and *soft*',
    '<p><code>a &lt; b</code> and <strong>bold <code>code</code></strong> and <em>soft</em></p>',
  ],
  ['[here](other.md#part) and [there](private.ts)', '<p><a href="/to/other.md#part">here</a> and there</p>'],
  ['[a `code`](\nother.md)', '<p><a href="/to/other.md">a <code>code</code></a></p>'],
  [
    '![A page](images/a.webp) ![gone](private.webp)',
    '<p><img src="/to/images/a.webp" alt="A page" loading="lazy"> gone</p>',
  ],
  ['2 * 3 * 4', '<p>2 * 3 * 4</p>'],
  ['- one\n- two\n  goes on\n- three', '<ul><li>one</li><li>two\ngoes on</li><li>three</li></ul>'],
  ['1. one\n\n   more\n2. two', '<ol><li><p>one</p><p>more</p></li><li>two</li></ol>'],
  ['text\n- item', '<p>text</p><ul><li>item</li></ul>'],
  ['> said\n> so', '<blockquote><p>said\nso</p></blockquote>'],
  ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
])('renders %j', (text, markup) => {
  expect(rendered(text)).toBe(markup)
})

test('renders tables, with bars in their cells', () => {
  const table = rendered('| a | b |\n|---|---|\n| `x\\|y` | 2 |\n\nafter')

  expect(table).toContain('<th scope="col">a</th><th scope="col">b</th>')
  expect(table).toContain('<tr><td><code>x|y</code></td><td>2</td></tr>')
  expect(table).toContain('<p>after</p>')
})

test('shows no comments, and marks a table whose rows can be filtered', () => {
  const text = rendered(
    '<!-- made by a tool -->\n\n<!-- filters: A, B; works: C -->\n| A | B | C |\n|---|---|---|\n| 1 | 2 | no |',
  )

  expect(text).not.toContain('made by')
  expect(text).toContain('<div data-filters="A, B" data-works="C" class="wide"')
  expect(text).toContain('<td>no</td>')
})

test('renders a table without a head', () => {
  const table = rendered('| | |\n|---|---|\n| 1 | 2 |')

  expect(table).not.toContain('<thead>')
  expect(table).toContain('<tr><td>1</td><td>2</td></tr>')
})

test('renders fenced code, also in a list, and closes it at the end', () => {
  expect(rendered('```json\n{ "a": 1 }\n```')).toContain(
    '<span class="key">&quot;a&quot;</span>: <span class="literal">1</span>',
  )
  expect(rendered('- item\n  ```sh\n  ls <x>\n  ```')).toContain(
    '<code>ls &lt;x&gt;</code></pre></figure></li>',
  )
  expect(rendered('```\n# not a heading')).not.toContain('<h1')
})

test('gives headings the ids that links use, and none twice', () => {
  const { headings } = renderMarkdown(
    '# A `code` title\n## 422: used twice\n## Same\n## Same',
    () => undefined,
  )

  expect(headings).toEqual([
    { level: 1, id: 'a-code-title', text: 'A code title' },
    { level: 2, id: '422-used-twice', text: '422: used twice' },
    { level: 2, id: 'same', text: 'Same' },
    { level: 2, id: 'same-1', text: 'Same' },
  ])
})
