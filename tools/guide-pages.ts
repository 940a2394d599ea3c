import { globSync, readFileSync } from 'node:fs'

/** A block that readers paste into their shell. Blocks marked `shell` need more than a sandbox; these are marked `sh`. */
export type CommandBlock = {
  readonly line: number
  readonly code: string
  /** What the page says right after the block that it prints: whole lines, with … for what differs each time. */
  readonly promised: readonly string[]
}

export type Page = {
  readonly file: string
  readonly blocks: readonly CommandBlock[]
  /** Programs that the page has readers save, by file name. */
  readonly programs: Readonly<Record<string, string>>
}

const BLOCK = /^( *)```sh\n(.*?)^\1```$/gms

/** The README and the guides, where they have commands to run. */
export function readPages(): Page[] {
  return ['README.md', ...globSync('docs/guide/*.md').sort()].flatMap((file) => {
    const page = readPage(file, readFileSync(file, 'utf8'))
    return page.blocks.length > 0 ? [page] : []
  })
}

export function readPage(file: string, text: string): Page {
  const blocks = [...text.matchAll(BLOCK)].map((match) => {
    const [whole, indent = '', code = ''] = match
    return {
      line: text.slice(0, match.index).split('\n').length,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      promised: promisedIn(text.slice(match.index + whole.length)),
    }
  })
  const programs = [...text.matchAll(/^```js\n(\/\/ ([\w-]+\.mjs):.*?)^```$/gms)]
  return { file, blocks, programs: Object.fromEntries(programs.map(([, code, name]) => [name, code])) }
}

/** The words in backticks of a sentence that begins with "It prints", or a block of text. */
function promisedIn(after: string): string[] {
  const text = /^\s*(?:[^\n`]*:\n\s*)?```text\n(.*?)\n *```/s.exec(after)?.[1]
  if (text !== undefined) return text.split('\n').map((line) => line.trim())
  const sentence = /^\s*It prints ((?:`[^`]*`(?:,? and |, )?)+)/.exec(after)?.[1] ?? ''
  return [...sentence.matchAll(/`([^`]*)`/g)].map(([, line = '']) => line)
}
