import { resolveOnce } from './resolve-once.ts'

/** One of the processes of a service, which `start-workers.ts` starts. */
resolveOnce()
const { serveForParent } = await import('./serve-for-parent.ts')

await serveForParent()
