/** For so long after the last input, a person is taken to be at the page. */
const PRESENT_MS = 60_000
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']

let lastInput = performance.now()

for (const kind of INPUTS) addEventListener(kind, noteInput, { capture: true, passive: true })

function noteInput(): void {
  lastInput = performance.now()
}

/** What a page asks while its person is away must not keep the session alive: the server is told so. */
export function isPersonHere(): boolean {
  return performance.now() - lastInput < PRESENT_MS
}
