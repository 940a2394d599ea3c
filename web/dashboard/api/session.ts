/** What the shell does when the server wants to know again who is there. */
type Guards = {
  /** The session has ended. */
  readonly onEnd: () => void
  /** Asks for a fresh proof. False: the person gave none. */
  readonly proveAgain: () => Promise<boolean>
  /** The server refused what the page offered: the roles of the person may have changed. */
  readonly onRefusal: () => void
}

/** `proved`: a window beside the page has given a fresh proof. */
type News = 'began' | 'ended' | 'proved'

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

/** All tabs share one session. */
const tabs = new BroadcastChannel('switchyard.session')

export function tellOtherTabs(news: News): void {
  tabs.postMessage(news)
}

export function hearOtherTabs(listener: (news: News) => void): () => void {
  const listen = ({ data }: MessageEvent<News>) => listener(data)
  tabs.addEventListener('message', listen)
  return () => tabs.removeEventListener('message', listen)
}
