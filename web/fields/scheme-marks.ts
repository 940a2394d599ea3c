import { additionalSchemesOf, schemeOf } from '../../server/src/domain/card.ts'
import { CARD_SCHEMES, type CardScheme } from '../../server/src/domain/card-scheme.ts'

/**
 * The marks of a card, while its number is typed. If the card carries several, the buyer chooses one of them
 * (EU regulation 2015/751, article 8).
 */
export function schemeMarks(onChoice: () => void) {
  const element = document.createElement('span')
  element.id = 'schemes'
  let shown: readonly CardScheme[] = []
  let choice: CardScheme | undefined

  function draw(): void {
    element.setAttribute('role', shown.length > 1 ? 'group' : 'presentation')
    element.ariaLabel = shown.length > 1 ? 'Pay with' : null
    element.replaceChildren(...shown.map((scheme) => (shown.length > 1 ? button(scheme) : icon(scheme))))
  }

  function button(scheme: CardScheme): HTMLElement {
    const made = document.createElement('button')
    made.type = 'button'
    made.ariaPressed = String(scheme === (choice ?? shown[0]))
    made.append(icon(scheme))
    made.addEventListener('click', () => {
      choice = scheme
      draw()
      onChoice()
      for (const each of element.querySelectorAll('button')) if (each.ariaPressed === 'true') each.focus()
    })
    return made
  }

  return {
    element,
    /** Null unless the buyer could choose. */
    chosen: () => (shown.length > 1 ? (choice ?? shown[0]) : undefined),
    others: () => shown.filter((scheme) => scheme !== (choice ?? shown[0])),
    show: (number: string): CardScheme => {
      const first = schemeOf(number)
      const all = first === 'other' ? [] : [first, ...additionalSchemesOf(number)]
      if (all.join() !== shown.join()) {
        shown = all
        choice = undefined
        draw()
      }
      return choice ?? first
    },
  }
}

function icon(scheme: CardScheme): HTMLImageElement {
  const image = document.createElement('img')
  image.src = `/assets/card-schemes/${scheme}.svg`
  image.alt = CARD_SCHEMES[scheme]
  return image
}
