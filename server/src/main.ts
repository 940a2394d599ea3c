import { serve } from './cli/serve.ts'
import { terminalOf } from './cli/terminal.ts'

await serve(terminalOf(process))
