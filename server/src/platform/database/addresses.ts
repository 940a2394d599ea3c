/** Several addresses with commas between them, as libpq reads them: `postgres://user@one:5432,two:5433/name`. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]+)(.*)$/i

/** The URL of a database, once for each of its addresses. */
export function urlsOf(url: string): [string, ...string[]] {
  const [, before = '', addresses = '', after = ''] = PARTS.exec(url) ?? []
  const [first = '', ...others] = addresses.split(',')
  if (first === '') return [url]
  const withAddress = (address: string) => `${before}${address}${after}`
  return [withAddress(first), ...others.map(withAddress)]
}
