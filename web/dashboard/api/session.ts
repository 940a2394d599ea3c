/** What the shell does when the server wants to know again who is there. */
type Guards = {
  /** The session has ended. */
  readonly onEnd: () => void
  /** Asks for a fresh proof. False: the person gave none. */
  readonly proveAgain: () => Promise<boolean>
}

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
