import { serveForParent } from './serve-for-parent.ts'

/** One of the processes of a service, which `start-workers.ts` starts. */
await serveForParent()
