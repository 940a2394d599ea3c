/** Whether a text is the address of a web page. Other schemes could run scripts in the buyer's browser, or open apps. */
export function isWebPage(text: string): boolean {
  if (/[\s\\]/.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

/** Whether a text is the origin of web pages. Plain host names only: in a policy, a star would be every host. */
export function isOrigin(text: string): boolean {
  return /^https?:[/][/][a-z0-9.-]+(:\d+)?$/.test(text) && URL.parse(text)?.origin === text
}
