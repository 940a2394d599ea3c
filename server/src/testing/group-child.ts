import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { taskFromParent, tellReady } from '#platform/process/siblings.ts'

export type ChildTask = {
  readonly readyAfterMs: number
  /** The first process that makes this file dies after it was ready. */
  readonly diesOnce?: string
}

/** A process of a group that does nothing. `group-parent.ts` starts it. */
if (import.meta.main) {
  const { readyAfterMs, diesOnce } = await taskFromParent<ChildTask>(() => process.exit(0))
  await sleep(readyAfterMs)
  tellReady()
  if (diesOnce && !existsSync(diesOnce)) {
    writeFileSync(diesOnce, '')
    await sleep(50)
    process.kill(process.pid, 'SIGKILL')
  }
}
