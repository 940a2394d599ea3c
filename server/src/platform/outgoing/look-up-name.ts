import dns, { type LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { errorCode } from '../database/database-errors.ts'
import { Turns } from '../process/turns.ts'

/** As `dns.lookup`, with all addresses. */
export type LookupAll = (
  name: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

type Found = readonly LookupAddress[]

type Options = {
  readonly system?: LookupAll
  /** Undefined: those of the system. */
  readonly servers?: readonly string[] | undefined
}

/** Shorter than the deadline of a webhook, so that there is time left to connect. */
const LIMIT_MS = 3_000
const TRY_MS = 1_000
const TRIES = 3
const HOSTS_FILE = '/etc/hosts'
/** The system would wait for such a server again. */
const UNANSWERED = /^(ETIMEOUT|ECANCELLED|ESERVFAIL)$/

/**
 * Looks up names that users chose. The system's look-up (`dns.lookup`) waits in one of two threads, and cannot be
 * ended: names whose servers do not answer would hold up the look-ups of payment providers and the database. So the
 * name servers are asked without a thread. The system is asked for names of its hosts file, and, one at a time, for names
 * that only it may know, such as those of its search domains.
 */
export function nameLookup({ system = dns.lookup, servers }: Options = {}): LookupAll {
  const turns = new Turns(1)
  const askSystem = (name: string) =>
    new Promise<Found>((resolve, reject) => {
      system(name, { all: true }, (error, found) => (error ? reject(error) : resolve(found)))
    })
  const find = async (name: string): Promise<Found> => {
    if (await isInHostsFile(name)) return askSystem(name)
    const found = name.includes('.') ? await askServers(name, servers) : []
    if (found.length > 0) return found
    const start = performance.now()
    return turns.take(async () => {
      // The request that wanted it has ended.
      if (performance.now() - start > LIMIT_MS) throw lookupFailed('other names were looked up for too long')
      return askSystem(name)
    })
  }
  return (name, _options, callback) => {
    find(name).then(
      (found) => callback(null, [...found]),
      (error: Error) => callback(error, []),
    )
  }
}

/** The addresses of a name: none if the servers know none. Fails if a server does not answer in time. */
async function askServers(name: string, servers: readonly string[] | undefined): Promise<Found> {
  // One for each name, because it remembers which servers were slow, and ends all of its questions together.
  const resolver = new dns.promises.Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), LIMIT_MS)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const isUnanswered = answers.some(
    (answer) => answer.status === 'rejected' && UNANSWERED.test(errorCode(answer.reason)),
  )
  if (found.length === 0 && isUnanswered) throw lookupFailed(`no answer about ${name}`)
  return found.map((address) => ({ address, family: isIP(address) }))
}

/** With the code that the system has for it. */
function lookupFailed(message: string): Error {
  return Object.assign(new Error(message), { code: 'EAI_AGAIN' })
}

async function isInHostsFile(name: string): Promise<boolean> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '')
  return text.split('\n').some((line) => {
    const [, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return names.includes(name.toLowerCase())
  })
}
