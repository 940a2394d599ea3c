import { createInterface } from 'node:readline'
import type { Order } from './guard.ts'
import { removeAbandoned } from './remove-abandoned.ts'

/*
 * Started by `guard.ts`, in a group of its own. It is told what its runner has begun. When the runner ends, in whatever way,
 * the pipe between them closes: then it ends what is left.
 */
const folders = new Set<string>()
const processes = new Set<number>()

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as Order
  if ('forget' in order) {
    folders.delete(String(order.forget))
    processes.delete(Number(order.forget))
  } else if (order.watch === 'folder') folders.add(order.path)
  else processes.add(order.pid)
}

// Services first, because they would start their database again.
for (const pid of processes) kill(pid)
for (const path of folders) await removeAbandoned(path).catch(() => {})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
