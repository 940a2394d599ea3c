/** Beside the page, which keeps what was typed. It closes itself when the provider sends it back. */
const WINDOW = 'popup,width=520,height=720'

/** The browser lets a page open a window only while a person presses something, so before anything is waited for. */
export function openProviderWindow(): Window {
  const opened = window.open('about:blank', 'switchyard-oidc', WINDOW)
  if (!opened) throw new NoWindow('Allow this page to open a window, then try again.')
  return opened
}

/** The browser refused to open a window. */
export class NoWindow extends Error {}
