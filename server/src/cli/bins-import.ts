import { createReadStream, type ReadStream } from 'node:fs'
import { basename } from 'node:path'
import { BrokenLinesError, HEADER, type ImportResult, importBins } from '#resources/card-details/import.ts'
import { readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { progressLine, sizeOf, stopOnSignals } from './read-large-file.ts'
import type { Terminal } from './terminal.ts'

const CHUNK_BYTES = 256 * 1024

export const command = defineCommand({
  name: 'bins import',
  about: `Imports what you know about cards by the first digits of their numbers: a CSV file with the header\n${HEADER}`,
  options: {
    replace: { type: 'boolean', about: 'Delete everything that was imported before.' },
    'skip-broken': { type: 'boolean', about: 'Import the good lines even if others are broken.' },
  },
  parameters: ['FILE'],
  example: 'switchyard bins import --replace bins.csv',
  run: async (terminal, options, [file = '']) => {
    const bytes = sizeOf(file)
    await withFoundation(terminal, readConfig(terminal.env), (foundation) =>
      importFile(terminal, foundation, {
        file,
        bytes,
        isReplacing: options.replace,
        skipsBroken: options['skip-broken'],
      }),
    )
  },
})

type Wanted = {
  readonly file: string
  readonly bytes: number
  readonly isReplacing: boolean
  readonly skipsBroken: boolean
}

async function importFile(
  terminal: Terminal,
  { context, sealer }: Foundation,
  wanted: Wanted,
): Promise<void> {
  const startedAt = performance.now()
  const progress = progressLine(terminal)
  const stopping = stopOnSignals()
  let stream: ReadStream | undefined
  const open = () => {
    // Otherwise an interrupted import would go on until it is done.
    stream = createReadStream(wanted.file, { highWaterMark: CHUNK_BYTES, signal: stopping.signal })
    return stream
  }
  const result = await importBins(context, open, {
    ...wanted,
    name: basename(wanted.file),
    onBroken: (problem) => {
      progress.clear()
      terminal.say(problem)
    },
    onProgress: (lines) => progress.show(lines, (stream?.bytesRead ?? 0) / Math.max(wanted.bytes, 1)),
  })
    .catch((error: unknown) => {
      progress.clear()
      throw explained(terminal, error, wanted.file)
    })
    .finally(stopping.forget)
  progress.clear()
  terminal.say(summary(result, performance.now() - startedAt))
  // No worker may be running, and an unsealed entry would look like an intrusion.
  await sealer.seal(context)
}

function explained({ say }: Terminal, error: unknown, file: string): unknown {
  if (!(error instanceof BrokenLinesError)) {
    const isAboutFile = error instanceof Error && error.name === 'NotCsvError'
    return isAboutFile ? new Error(`${file} cannot be imported.`, { cause: error }) : error
  }
  for (const problem of error.problems) say(problem)
  const hidden = error.count - error.problems.length
  if (hidden > 0) say(`… and ${hidden} more.`)
  const them = error.count === 1 ? 'it' : 'them'
  return new Error(`${error.message} Mend the file, or leave ${them} out with --skip-broken.`)
}

function summary({ imported, broken }: ImportResult, ms: number): string {
  const lines = `Imported ${imported === 1 ? '1 line' : `${imported} lines`} in ${(ms / 1000).toFixed(1)} s`
  const left = broken === 0 ? '' : `, and left out ${broken} broken`
  return `${lines}${left}. Every running process knows within a minute.`
}
