import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A profile as `--cpu-prof` writes it. Times are microseconds, of a clock that all processes of the machine share. */
type Profile = {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
    readonly children?: readonly number[]
  }[]
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Parts of a payment, by the folders of their code. The first that fits counts. */
const PARTS: readonly (readonly [part: string, code: RegExp])[] = [
  [
    'transcripts, logs, measures',
    /processing\/exchanges|api-logs|observability|write-beside|metrics-explorer/,
  ],
  [
    'commits',
    /platform\/(database|listing|queue)|\/store\.ts|payments\/(store|begin|conclude|tell)|audit-logs|events\//,
  ],
  [
    'the answer, and its key',
    /platform\/idempotency|payments\/(show|document)|resources\/transactions\/wire/,
  ],
  ['parse and check', /platform\/(http|access)|resources\/transactions|prepare\/check-request/],
  ['prepare', /payments\/prepare|vault\/|domain\/|resources\//],
  ['plan', /payments\/(plan|routing)/],
  ['ask the provider', /processing\/|connectors\/|outgoing|reach-providers|payments\/attempts|lab\//],
  ['the rest of the engine', /./],
]
const OUTSIDE_OUR_CODE = 'Node.js: sockets, collector, promises'
export const PART_NAMES = [...PARTS.map(([part]) => part), OUTSIDE_OUR_CODE]

/** The share of each part in the time in which the process worked. What libraries and Node.js do counts for the code that called them. */
export function partsOf(folder: string, from: number, to: number): ReadonlyMap<string, number> {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  if (file === undefined) throw new Error(`there is no profile in ${folder}`)
  const { nodes, samples, timeDeltas, startTime }: Profile = JSON.parse(
    readFileSync(join(folder, file), 'utf8'),
  )
  const parts = partsOfNodes(nodes)
  const spent = new Map(PART_NAMES.map((part) => [part, 0]))
  let at = startTime
  let worked = 0
  for (const [index, id] of samples.entries()) {
    const took = timeDeltas[index] ?? 0
    at += took
    const part = parts.get(id)
    if (part === undefined || at < from || at > to) continue
    worked += took
    spent.set(part, (spent.get(part) ?? 0) + took)
  }
  return new Map([...spent].map(([part, took]) => [part, took / worked]))
}

/** Of each place in the tree of calls. Undefined while the process waits. */
function partsOfNodes(nodes: Profile['nodes']): ReadonlyMap<number, string | undefined> {
  const parts = new Map<number, string | undefined>()
  // A caller comes before those that it calls.
  for (const { id, callFrame, children = [] } of nodes) {
    const { functionName, url } = callFrame
    const isOwn = url.startsWith('file:') && !url.includes('/node_modules/')
    const own = isOwn ? PARTS.find(([, code]) => code.test(url))?.[0] : undefined
    const part = functionName === '(idle)' ? undefined : (own ?? parts.get(id) ?? OUTSIDE_OUR_CODE)
    parts.set(id, part)
    for (const child of children) parts.set(child, part)
  }
  return parts
}
