import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'

/** As a stack trace names places in the built service. */
const BUILT = /(?:file:\/\/)?(\/[^\s():]+\/server\/dist\/[^\s():]+[.]js):(\d+):(\d+)/g

/** The largest takes some tens of milliseconds to read. */
const maps = new Map<string, SourceMap | null>()

/** A service runs from built files. Its errors name the sources: their maps are read when the first error is logged. */
export function inSources(stack: string): string {
  return stack.replaceAll(BUILT, (place, file: string, line: string, column: string) => {
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) return place
    const source = relative(
      file.replace(/[/]server[/]dist[/].*/, ''),
      resolve(dirname(file), entry.originalSource),
    )
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file)
  if (known !== undefined) return known
  const map = readMap(`${file}.map`)
  maps.set(file, map)
  return map
}

/** Null if it cannot be read. The trace then names the built file. */
function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
