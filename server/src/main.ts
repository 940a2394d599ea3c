import { resolveOnce } from './resolve-once.ts'

// First of all: it saves time only with the files that are loaded after it.
resolveOnce()
const { serve } = await import('./cli/serve.ts')
const { terminalOf } = await import('./cli/terminal.ts')

await serve(terminalOf(process))
