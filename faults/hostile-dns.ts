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
type Lookup = (name: string, options: { readonly all?: boolean }, callback: Callback) => void

if (process.env['HOSTILE_DNS'] !== undefined) dns.lookup = hostileLookup(dns.lookup as Lookup) as never

function hostileLookup(lookup: Lookup): Lookup {
  return (name, options, callback) => {
    const isHostile = name.endsWith(`.${HOSTILE_DOMAIN}`)
    if (!isHostile) {
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
