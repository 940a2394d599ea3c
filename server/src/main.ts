import { serve } from './cli/serve.ts'

await serve()
