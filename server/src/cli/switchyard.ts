import { runCommandLine } from './command-line.ts'
import { explanationOf, terminalOf } from './terminal.ts'

const terminal = terminalOf(process)

// A reader such as `head` may close the pipe early. That is no failure.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') return
  terminal.say(explanationOf(error))
  process.exitCode = 1
})

process.exitCode = await runCommandLine(terminal, process.argv.slice(2))
