import type { Commit } from './commits.ts'

/** The kinds of commits that users notice, under the words of the changelog. */
const GROUPS: readonly (readonly [type: string, title: string])[] = [
  ['feat', 'New'],
  ['fix', 'Mended'],
  ['perf', 'Faster'],
]

const HEAD = `# Changelog

What users and operators notice, newest version first. Made from the commits by \`npm run release\`.
`

/** What is new in a version, in Markdown. */
export function notesOf(commits: readonly Commit[], isFirst: boolean): string {
  if (isFirst) return 'The first release. The README tells what it can do.\n'
  const breaking = commits.flatMap(({ breaking, scope }) =>
    breaking === null ? [] : [line(scope, breaking)],
  )
  const groups = GROUPS.map(([type, title]) => {
    const lines = commits.filter((one) => one.type === type).map(({ scope, subject }) => line(scope, subject))
    return section(title, lines)
  })
  const notes = [section('Before you upgrade', breaking), ...groups].filter((text) => text !== '').join('\n')
  return notes || 'Nothing that users notice.\n'
}

function section(title: string, lines: readonly string[]): string {
  // Newest commits come first in git. Readers want the parts together, in a steady order.
  const sorted = [...new Set(lines)].sort((a, b) => (a < b ? -1 : 1))
  return sorted.length === 0 ? '' : `### ${title}\n\n${sorted.join('')}`
}

function line(scope: string | null, text: string): string {
  return scope === null ? `- ${text}\n` : `- **${scope}**: ${text}\n`
}

/** Puts the notes of a version before those of older ones. A section of the same version is replaced. */
export function addToChangelog(
  text: string,
  release: { version: string; date: string; notes: string },
): string {
  const { version, date, notes } = release
  const older = text
    .split(/^(?=## )/m)
    .filter((part) => part.startsWith('## ') && !part.startsWith(`## ${version} `))
  return [HEAD, `## ${version} (${date})\n\n${notes}`, ...older.map((part) => `${part.trimEnd()}\n`)].join(
    '\n',
  )
}
