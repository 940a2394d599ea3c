/**
 * The value by which anti-fraud services know this device: that of the shop, if it has one from `/f.js`, or a new one. Undefined: nobody
 * asks for it.
 */
export function watchDevice(url: string | null): string | undefined {
  const given = new URLSearchParams(location.search).get('fingerprint')
  if (given !== null) return given
  if (url === null) return undefined
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const frame = document.createElement('iframe')
  // What providers run there has no origin: it cannot reach this page, in which cards are typed.
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.hidden = true
  frame.src = `${url}&fingerprint=${value}`
  document.body.append(frame)
  return value
}
