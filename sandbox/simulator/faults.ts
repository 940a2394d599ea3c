import { isOneOf } from './requests.ts'

export const FAULT_KINDS = ['lose-answer', 'stall', 'late', 'twice', 'garbage', 'unreachable'] as const
type FaultKind = (typeof FAULT_KINDS)[number]

/** A late attempt is carried out so long after it was sent. */
const LATE_MS = 1_500
/** Callers give up long before this. A caller that does not is cut off, so that no call waits forever. */
const STALL_MAX_MS = 120_000

export type Sleep = (ms: number) => Promise<void>

type Performance = { readonly response: Response; readonly isNew: boolean }

/** The network between a caller and the processor, which can be told to fail. */
export type Network = {
  readonly sleep: Sleep
  /** True once for each attempt. */
  readonly isFirst: (kind: FaultKind) => Promise<boolean>
  readonly perform: () => Promise<Performance>
  /** Keeps track of work that continues after the answer. */
  readonly goOn: (work: Promise<unknown>) => void
  readonly signal: AbortSignal
}

export function readFault(header: string | null): FaultKind | null | 'unknown' {
  if (header === null) return null
  return isOneOf(header, FAULT_KINDS) ? header : 'unknown'
}

/** Each fault hits the first call of an attempt. Later ones get through, as on a network that has recovered. */
export async function sendThrough(network: Network, fault: FaultKind | null): Promise<Response> {
  switch (fault) {
    case 'unreachable':
      if (await network.isFirst(fault)) throw networkError('ECONNREFUSED')
      break
    case 'stall':
      if (await network.isFirst(fault)) return stall(network)
      break
    case 'late':
      if (await network.isFirst(fault)) {
        network.goOn(network.sleep(LATE_MS).then(network.perform))
        return Response.json({ error: 'timeout' }, { status: 504 })
      }
      break
    case 'twice': {
      const [, second] = await Promise.all([network.perform(), network.perform()])
      return second.response
    }
    case 'lose-answer': {
      const { response, isNew } = await network.perform()
      if (isNew) throw networkError('ECONNRESET')
      return response
    }
    case 'garbage': {
      const { response, isNew } = await network.perform()
      return isNew ? new Response(new Uint8Array([0x1f, 0x8b, 0x00, 0xff, 0x3c, 0x7b])) : response
    }
    default:
      break
  }
  return (await network.perform()).response
}

/** An error like those of `fetch`. */
export function networkError(code: 'ECONNREFUSED' | 'ECONNRESET', cause?: unknown): TypeError {
  return new TypeError('fetch failed', { cause: cause ?? Object.assign(new Error(code), { code }) })
}

/** Never answers. */
export async function stall({ sleep, signal }: Pick<Network, 'sleep' | 'signal'>): Promise<Response> {
  await Promise.race([sleep(STALL_MAX_MS), givenUp(signal)])
  throw networkError('ECONNRESET')
}

function givenUp(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
