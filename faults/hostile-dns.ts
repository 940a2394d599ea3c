import dns from 'node:dns'
import { REFUSED_ADDRESSES } from '#testing/hostile-urls.ts'

/** Loaded before the program (with `HOSTILE_DNS` set): the owner of this domain decides where its names lead. */
export const HOSTILE_DOMAIN = 'hostile.test'

/** A name that leads to an address inside. */
export function nameOf(address: string): string {
  return `n${REFUSED_ADDRESSES.indexOf(address)}.${HOSTILE_DOMAIN}`
}

/** Leads to a harmless address at the first look-up, and to an inside one from then on. */
export const REBINDING = `rebinding.${HOSTILE_DOMAIN}`

let rebindings = 0

type Callback = (error: Error | null, addresses?: object | string, family?: number) => void
type Resolve = (this: unknown, name: string) => Promise<string[]>
type Lookup = (name: string, options: { readonly all?: boolean }, callback: Callback) => void

if (process.env['HOSTILE_DNS'] !== undefined) {
  dns.lookup = hostileLookup(dns.lookup as Lookup) as never
  answerForServers()
}

/** The name servers, which are asked for IPv4 first, then for IPv6. */
function answerForServers(): void {
  const prototype = dns.promises.Resolver.prototype as unknown as Record<'resolve4' | 'resolve6', Resolve>
  const { resolve4, resolve6 } = prototype
  let found: string[] = []
  const some = (addresses: string[]) =>
    addresses.length > 0
      ? Promise.resolve(addresses)
      : Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }))
  prototype.resolve4 = function (name) {
    if (!isHostile(name)) return resolve4.call(this, name)
    found = addressesOf(name)
    return some(found.filter((address) => !address.includes(':')))
  }
  prototype.resolve6 = function (name) {
    if (!isHostile(name)) return resolve6.call(this, name)
    return some(found.filter((address) => address.includes(':')))
  }
}

function isHostile(name: string): boolean {
  return name.endsWith(`.${HOSTILE_DOMAIN}`)
}

function hostileLookup(lookup: Lookup): Lookup {
  return (name, options, callback) => {
    if (!isHostile(name)) {
      lookup(name, options, callback)
      return
    }
    const found = addressesOf(name).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const [first] = found
    setImmediate(() => (options.all ? callback(null, found) : callback(null, first?.address, first?.family)))
  }
}

function addressesOf(name: string): string[] {
  const [, index] = /^n(\d+)[.]/.exec(name) ?? []
  if (index !== undefined) return [REFUSED_ADDRESSES[Number(index)] ?? '0.0.0.0']
  if (name !== REBINDING) return ['127.0.0.1']
  rebindings += 1
  return rebindings === 1 ? ['127.0.0.1'] : ['::1', '0.0.0.0']
}
