import { render } from 'preact'
import { directionOf } from '../../server/src/domain/locale.ts'
import type { PageFacts, Trouble } from '../../server/src/domain/pay-page.ts'
import { App } from './app.tsx'
import { fitInto } from './framed.ts'
import { wear } from './look.ts'
import { Notice } from './notice.tsx'
import type { ContactWords, Words } from './words.ts'

const facts = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as PageFacts & {
  readonly words: Words
  readonly contact_words?: ContactWords
}
const root = document.getElementById('root')
if (root) show(root).catch(() => tell(root, 'broken', facts.words))

async function show(root: HTMLElement): Promise<void> {
  wear(facts.look)
  document.documentElement.lang = facts.locale
  document.documentElement.dir = directionOf(facts.locale)
  const { order, trouble, embed, words, sends_receipts: sendsReceipts = false } = facts
  const asked = facts.contact_words
  const contact = asked && { words: asked, part: await import('./contact.tsx') }
  const isFramed = embed && parent !== window
  const channel = isFramed && new URLSearchParams(location.search).get('channel')
  const given = { order, words, contact, sendsReceipts, locale: facts.locale }
  const shown = channel
    ? await (await import('./package.ts')).connect(embed, channel, given)
    : { ...given, frame: isFramed ? fitInto(embed) : undefined }
  root.replaceChildren()
  if (shown.order) render(<App {...shown} order={shown.order} />, root)
  else tell(root, trouble ?? 'broken', words)
}

/** Why there is no order to show. */
function tell(root: HTMLElement, trouble: Trouble, words: Words): void {
  const [title, text] = {
    unknown: [words.unknown, words.unknownText],
    too_many: [words.tooMany, words.tooManyText],
    broken: [words.broken, words.brokenText],
  }[trouble] as [string, string]
  document.title = title
  render(
    <main class="alone">
      <Notice kind="bad" title={title} text={text} />
    </main>,
    root,
  )
}
