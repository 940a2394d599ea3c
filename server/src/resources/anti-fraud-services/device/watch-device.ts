import { hash } from 'node:crypto'
import { type DeviceScript, FINGERPRINT } from '#connectors/contract/anti-fraud.ts'

/** As much of a browser's window as the script needs. */
type BrowserWindow = Record<string, unknown> & {
  readonly crypto: { readonly getRandomValues: (bytes: Uint8Array) => Uint8Array }
  readonly sessionStorage: {
    readonly getItem: (key: string) => string | null
    readonly setItem: (key: string, value: string) => void
  }
  readonly document: {
    readonly createElement: (name: 'script') => {
      async: boolean
      src: string
      setAttribute: (name: string, value: string) => void
    }
    readonly documentElement: { readonly append: (element: object) => void }
  }
}

type Watching = {
  readonly scripts: readonly DeviceScript[]
  /** The value that stands for the device. Null: that of this visit, or a new one. */
  readonly given: string | null
  /** What scripts have in its place. */
  readonly mark: string
}

/**
 * Runs in the buyer's browser, so it calls nothing from outside itself. It loads the providers' scripts with one value for all of them,
 * and shows that value to the page. It reads nothing of the page.
 */
function watchDevice(window: BrowserWindow, { scripts, given, mark }: Watching): void {
  const NAMES = ['switchyardAntiFraud', 'gr4vyAntiFraud']
  const KEY = 'switchyard-device'
  // A shop may load the script twice.
  if (window['switchyardAntiFraud']) return
  const f = given ?? known() ?? made()
  for (const name of NAMES) window[name] = { f }
  for (const { url, attributes = {}, queue } of scripts) {
    if (queue) {
      const calls = (window[queue.name] ?? []) as string[][]
      window[queue.name] = calls
      for (const call of queue.calls) calls.push(call.map((part) => part.split(mark).join(f)))
    }
    const script = window.document.createElement('script')
    script.async = true
    script.src = url.split(mark).join(f)
    for (const [name, value] of Object.entries(attributes))
      script.setAttribute(name, value.split(mark).join(f))
    window.document.documentElement.append(script)
  }

  /** Kept for the visit, so that all pages of the shop have one. */
  function known(): string | null {
    try {
      return window.sessionStorage.getItem(KEY)
    } catch {
      return null
    }
  }

  function made(): string {
    const bytes = window.crypto.getRandomValues(new Uint8Array(16))
    const value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    try {
      window.sessionStorage.setItem(KEY, value)
    } catch {
      // Storage is blocked: each page is a visit of its own.
    }
    return value
  }
}

/** The script as browsers get it. */
export function programFor(scripts: readonly DeviceScript[], given: string | null): string {
  const data = JSON.stringify({ scripts, given, mark: FINGERPRINT }).replaceAll('<', '\\u003c')
  return `;(${watchDevice})(window,${data})\n`
}

/**
 * A page for frames of ours: it has no origin, so what providers run in it sees neither the page around it nor its card fields, and
 * keeps nothing in the browser.
 */
export function framePage(scripts: readonly DeviceScript[], given: string) {
  const program = programFor(scripts, given)
  const origins = [...new Set(scripts.flatMap(({ url, origins }) => [new URL(url).origin, ...origins]))].join(
    ' ',
  )
  const policy = {
    'default-src': "'none'",
    'script-src': `'sha384-${hash('sha384', program, 'base64')}' ${origins}`,
    'connect-src': origins || "'none'",
    'img-src': origins || "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    // The shop whose page shows ours is around it, too. There is nothing to see or click.
    'frame-ancestors': '*',
    sandbox: 'allow-scripts',
  }
  return {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Device</title><script>${program}</script></head></html>`,
    policy: Object.entries(policy)
      .map(([name, value]) => `${name} ${value.trim()}`)
      .join('; '),
  }
}
