/** What the shell does when the server wants to know again who is there. */
type Guards = {
  /** The session has ended. */
  readonly onEnd: () => void
  /** Asks for a fresh proof. False: the person gave none. */
  readonly proveAgain: () => Promise<boolean>
  /** The server refused what the page offered: the roles of the person may have changed. */
  readonly onRefusal: () => void
}

/** `used`: the server has answered a request, so the session lasts longer. `proved`: a window beside the page has given a fresh proof. */
type News = 'began' | 'ended' | 'proved' | 'used'

let guards: Guards | undefined

export function guardSession(given: Guards): void {
  guards = given
}

export function sessionEnded(): void {
  guards?.onEnd()
}

export async function proveAgain(): Promise<boolean> {
  return (await guards?.proveAgain()) ?? false
}

export function wasRefused(): void {
  guards?.onRefusal()
}

/** How often other tabs hear of a use. */
const TELL_EVERY_MS = 10_000

let usedAt = Date.now()
let toldAt = 0

/** The server has answered a request of the session, which lasts longer now. */
export function noteUse(): void {
  usedAt = Date.now()
  if (usedAt - toldAt < TELL_EVERY_MS) return
  toldAt = usedAt
  tellOtherTabs('used')
}

/** When this tab, or another, last used the session. */
export function lastUse(): number {
  return usedAt
}

/** All tabs share one session. */
const tabs = new BroadcastChannel('switchyard.session')

tabs.addEventListener('message', ({ data }: MessageEvent<News>) => {
  if (data === 'used') usedAt = Date.now()
})

export function tellOtherTabs(news: News): void {
  tabs.postMessage(news)
}

export function hearOtherTabs(listener: (news: News) => void): () => void {
  const listen = ({ data }: MessageEvent<News>) => listener(data)
  tabs.addEventListener('message', listen)
  return () => tabs.removeEventListener('message', listen)
}
