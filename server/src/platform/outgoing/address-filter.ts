import { BlockList, isIP } from 'node:net'

/** Special addresses, by IANA's registries. None of these is a public server. */
const REFUSED_RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Contains 169.254.169.254, where cloud providers hand out a machine's credentials.
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Teredo and 6to4 carry an IPv4 address that is not checked.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]

/**
 * The only part of IPv6 with public addresses. Loopback, private, link-local, multicast and NAT64 lie
 * outside.
 */
const GIVEN_OUT_V6 = '2000::/3'

type Family = 'ipv4' | 'ipv6'

/** Decides which addresses a request may go to if a user chose the URL. */
export function createAddressFilter(allowCidrs: readonly string[]): (address: string) => boolean {
  const allowed = listOf(allowCidrs)
  const refused = listOf(REFUSED_RANGES)
  const givenOutV6 = listOf([GIVEN_OUT_V6])
  return (address) => {
    const plain = plainAddress(address)
    if (plain === null) return false
    const isIn = (list: BlockList) => list.check(plain.address, plain.family)
    if (isIn(allowed)) return true
    if (plain.family === 'ipv6' && !isIn(givenOutV6)) return false
    return !isIn(refused)
  }
}

/** A range such as 10.0.0.0/8, or a single address. */
export function isCidr(text: string): boolean {
  return parseCidr(text) !== null
}

function listOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of cidrs) {
    const cidr = parseCidr(text)
    if (cidr === null) throw new TypeError(`${text} is not a range of addresses`)
    list.addSubnet(cidr.address, cidr.prefix, cidr.family)
  }
  return list
}

function parseCidr(text: string): { address: string; prefix: number; family: Family } | null {
  const [address = '', length, ...rest] = text.split('/')
  const plain = address.includes('%') ? null : plainAddress(address)
  // The prefix length of an IPv4 range in IPv6 spelling would have to be converted.
  if (plain === null || plain.address !== address || rest.length > 0) return null
  const bits = plain.family === 'ipv4' ? 32 : 128
  if (length === undefined) return { ...plain, prefix: bits }
  const isLength = /^(0|[1-9]\d{0,2})$/.test(length) && Number(length) <= bits
  return isLength ? { ...plain, prefix: Number(length) } : null
}

/**
 * Without the zone, and with an IPv4 address in IPv6 spelling turned back into IPv4, because the connection
 * goes there.
 */
function plainAddress(text: string): { readonly address: string; readonly family: Family } | null {
  const [address = ''] = text.split('%')
  const version = isIP(address)
  if (version === 0) return null
  if (version === 4) return { address, family: 'ipv4' }
  const canonical = new URL(`http://[${address}]`).hostname
  const mapped = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(canonical)
  if (mapped === null) return { address, family: 'ipv6' }
  const bytes = mapped.slice(1).flatMap((group) => {
    const number = Number.parseInt(group, 16)
    return [number >> 8, number & 255]
  })
  return { address: bytes.join('.'), family: 'ipv4' }
}
